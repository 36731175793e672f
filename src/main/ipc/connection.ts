import { ok } from '../../shared/result.ts'
import type { Connections } from '../connection/connections.ts'
import { Secret } from '../secrets/secret.ts'
import type { Handlers } from './registrar.ts'

type Group =
  | 'connect'
  | 'cancelConnect'
  | 'trySample'
  | 'replaceKey'
  | 'disconnect'
  | 'listConnections'
  | 'switchConnection'
  | 'retryKeychain'
  | 'getAccount'
  | 'hintOnline'

/** The commands about the connection, its key and its account. */
export function connectionHandlers(connections: Connections): Pick<Handlers, Group> {
  return {
    connect: ({ address, apiKey, keep, same }) => connections.connect(address, new Secret(apiKey), keep, same),
    trySample: () => connections.trySample(),
    replaceKey: ({ apiKey, keep, same }) => connections.replaceKey(new Secret(apiKey), keep, same),
    cancelConnect: () => ok(connections.cancelConnect()),
    disconnect: () => connections.disconnect(),
    listConnections: () => connections.list(),
    switchConnection: ({ id }) => connections.switchTo(id),
    retryKeychain: () => connections.retryKeychain(),
    getAccount: () => ok(connections.active()?.view.account() ?? null),
    hintOnline: ({ online }) => {
      connections.active()?.reach.hint(online)
      return ok(undefined)
    },
  }
}
