import type { IpcMainInvokeEvent } from 'electron'
import { commands, type CheckedRequest, type CommandName } from '../../preload/bridge.ts'
import { fail, resultSchema, type Result } from '../../shared/result.ts'
import { isWithinBounds } from './bounds.ts'
import { errorOriginOf } from '../log/error-origin.ts'
import type { Log } from '../log/log.ts'
import type { Gate } from './gate.ts'
import type { Handler } from './handlers.ts'

/** Handles a request from any sender. Never rejects. */
export type Invoke = (event: IpcMainInvokeEvent, ...args: unknown[]) => Promise<Result<unknown>>

/** True for a request from the page of the app's own window. */
export type IsOurPage = (event: IpcMainInvokeEvent) => boolean

/**
 * Wraps a handler in its checks. Errors: `forbidden-sender`, `flooded` after too many requests, `malformed-request` for a request
 * that is out of bounds or doesn't match the schema, `malformed-answer` for an answer that doesn't match it, `internal` if the
 * handler throws. Nothing of a request is logged or sent back.
 */
export function withChecks<N extends CommandName>(
  name: N,
  handler: Handler<N>,
  { isOurPage, gate, log }: { isOurPage: IsOurPage; gate: Gate; log: Log },
): Invoke {
  const { request, answer } = commands[name]
  const result = resultSchema(answer)

  async function answerTo(args: unknown[]): Promise<Result<unknown>> {
    const [payload] = args
    if (args.length > 1 || !isWithinBounds(payload)) return fail('malformed-request')
    const read = request.safeParse(payload)
    if (!read.success) return fail('malformed-request')
    const answered: Result<unknown> = await handler(read.data as CheckedRequest<N>)
    const parsed = result.safeParse(answered)
    if (parsed.success) return parsed.data as Result<unknown>
    log('misfit', { what: 'answer', of: name })
    return fail('malformed-answer')
  }

  return async (event, ...args) => {
    if (!isAllowed(event, isOurPage)) return fail('forbidden-sender')
    if (!gate.enter()) return fail('flooded')
    try {
      return await answerTo(args)
    } catch (error) {
      const { error: kind, at } = errorOriginOf(error)
      log('commandFailed', { command: name, error: kind, at })
      return fail('internal')
    } finally {
      gate.leave()
    }
  }
}

/** True if our own page sent the request. False if the frame of the sender no longer exists, because reading it throws. */
function isAllowed(event: IpcMainInvokeEvent, isOurPage: IsOurPage): boolean {
  try {
    return isOurPage(event)
  } catch {
    return false
  }
}
