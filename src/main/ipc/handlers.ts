import type { CheckedRequest, CommandAnswer, CommandName } from '../../preload/bridge.ts'
import { fail } from '../../shared/result.ts'
import type { OpenConnection } from '../connection/open-connection.ts'
import type { Connections } from '../connection/ports.ts'

export type Handler<N extends CommandName> = (
  request: CheckedRequest<N>,
) => CommandAnswer<N> | Promise<CommandAnswer<N>>

/** A handler for each command; the compiler checks that none is missing. */
export type Handlers = { [N in CommandName]: Handler<N> }

/** Returns the handlers of some commands, with the types of these commands. */
export const typedHandlers = <N extends CommandName>(handlers: Pick<Handlers, N>): Pick<Handlers, N> => handlers

/** Returns a function that makes a handler of the active connection. Errors: `no-connection` if there is none. */
export const forActiveConnection =
  (connections: Pick<Connections, 'active'>) =>
  <Request, Answer>(handle: (connection: OpenConnection, request: Request) => Answer) =>
  (request: Request) => {
    const connection = connections.active()
    return connection === null ? fail('no-connection') : handle(connection, request)
  }
