import type { CheckedRequest, CommandAnswer, CommandName } from '../../preload/bridge.ts'
import { fail } from '../../shared/result.ts'
import type { OpenConnection } from '../connection/open-connection.ts'
import type { Connections } from '../connection/ports.ts'

/** Carries out a command of the page, after its request was checked. */
export type Handler<N extends CommandName> = (
  request: CheckedRequest<N>,
) => CommandAnswer<N> | Promise<CommandAnswer<N>>

/** The compiler checks that no command is missing. */
export type Handlers = { [N in CommandName]: Handler<N> }

/** Gives handlers the types of their commands. */
export const typedHandlers = <N extends CommandName>(handlers: Pick<Handlers, N>): Pick<Handlers, N> => handlers

/** Makes a handler for the active connection. Errors: `no-connection` if there is none. */
export const forActiveConnection =
  (connections: Pick<Connections, 'active'>) =>
  <Request, Answer>(handle: (connection: OpenConnection, request: Request) => Answer) =>
  (request: Request) => {
    const connection = connections.active()
    return connection === null ? fail('no-connection') : handle(connection, request)
  }
