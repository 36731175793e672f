import type { IpcMainInvokeEvent } from 'electron'
import { commands, type CheckedRequest, type CommandAnswer, type CommandName } from '../../preload/bridge.ts'
import { fail, type Result } from '../../shared/result.ts'
import { isWithinBounds } from './bounds.ts'
import { blame } from '../log/error-origin.ts'
import type { Log } from '../log/log.ts'
import type { Gate } from './gate.ts'
import { resultSchema } from '../../shared/result-schema.ts'

export type Handler<N extends CommandName> = (
  request: CheckedRequest<N>,
) => CommandAnswer<N> | Promise<CommandAnswer<N>>

/** One handler for each command of the contract: none forgotten, none more (checked by the compiler). */
export type Handlers = { [N in CommandName]: Handler<N> }

/** One request of the bridge, whatever it is and whoever sends it; never rejects. */
export type Invoke = (event: IpcMainInvokeEvent, ...args: unknown[]) => Promise<Result<unknown>>

export type IsOurPage = (event: IpcMainInvokeEvent) => boolean

/**
 * A handler behind its checks. Errors: `forbidden-sender` for a sender that isn't our page, `flooded` for too many
 * requests, `malformed-request` for one that is out of bounds or doesn't fit, `malformed-answer` for an answer that
 * doesn't, `internal` for whatever a handler throws. Nothing that a request carried is written to the log or said back.
 */
export function checked<N extends CommandName>(
  name: N,
  handler: Handler<N>,
  { isOurPage, gate, log }: { isOurPage: IsOurPage; gate: Gate; log: Log },
): Invoke {
  const { request, answer } = commands[name]
  const result = resultSchema(answer)

  async function answerTo(args: unknown[]): Promise<Result<unknown>> {
    const [asked] = args
    if (args.length > 1 || !isWithinBounds(asked)) return fail('malformed-request')
    const read = request.safeParse(asked)
    if (!read.success) return fail('malformed-request')
    const answered: Result<unknown> = await handler(read.data as CheckedRequest<N>)
    const given = result.safeParse(answered)
    if (given.success) return given.data as Result<unknown>
    log('misfit', { what: 'answer', of: name })
    return fail('malformed-answer')
  }

  return async (event, ...args) => {
    if (!isAllowed(event, isOurPage)) return fail('forbidden-sender')
    if (!gate.enter()) return fail('flooded')
    try {
      return await answerTo(args)
    } catch (error) {
      const { error: kind, at } = blame(error)
      log('commandFailed', { command: name, error: kind, at })
      return fail('internal')
    } finally {
      gate.leave()
    }
  }
}

/** A frame that is gone by now can't be asked who it is. */
function isAllowed(event: IpcMainInvokeEvent, isOurPage: IsOurPage): boolean {
  try {
    return isOurPage(event)
  } catch {
    return false
  }
}
