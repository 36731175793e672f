import { ipcMain, type IpcMainInvokeEvent } from 'electron'
import {
  commandChannel,
  commands,
  type CheckedRequest,
  type CommandAnswer,
  type CommandName,
} from '../../preload/bridge.ts'
import { fail, resultSchema, type Result } from '../../shared/result.ts'

export type Handler<N extends CommandName> = (
  request: CheckedRequest<N>,
) => CommandAnswer<N> | Promise<CommandAnswer<N>>

/** One handler for each command of the contract: none forgotten, none more (checked by the compiler). */
export type Handlers = { [N in CommandName]: Handler<N> }

type Invoke = (event: IpcMainInvokeEvent, request: unknown) => Promise<Result<unknown>>

/**
 * The only place where the bridge's commands come in. Refuses a sender that isn't our page (`forbidden-sender`), a
 * request that doesn't fit (`malformed-request`), and an answer that doesn't (`malformed-answer`); what a handler
 * throws becomes `internal`. Nothing that a request carried is ever written to the log.
 */
export function registerCommands(handlers: Handlers, isOurPage: (event: IpcMainInvokeEvent) => boolean): void {
  for (const name of Object.keys(commands) as CommandName[]) {
    ipcMain.handle(commandChannel(name), checked(name, handlers[name] as Handler<CommandName>, isOurPage))
  }
}

function checked<N extends CommandName>(
  name: N,
  handler: Handler<N>,
  isOurPage: (event: IpcMainInvokeEvent) => boolean,
): Invoke {
  const request = commands[name].request
  const answer = resultSchema(commands[name].answer)
  return async (event, raw) => {
    if (!isOurPage(event)) return fail('forbidden-sender')
    const read = request.safeParse(raw)
    if (!read.success) return fail('malformed-request')
    try {
      const given = answer.safeParse(await handler(read.data as CheckedRequest<N>))
      if (given.success) return given.data as Result<unknown>
      console.error(`answer to ${name} doesn't fit the contract`)
      return fail('malformed-answer')
    } catch (error) {
      console.error(`${name} failed: ${error instanceof Error ? error.name : typeof error}`)
      return fail('internal')
    }
  }
}
