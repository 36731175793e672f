import { normaliseAddress } from '../../shared/address.ts'
import { fail, ok } from '../../shared/result.ts'
import type { Connections } from '../connection/connections.ts'
import { Secret } from '../secrets/secret.ts'
import { handlersOf } from './handlers.ts'

/** Returns the handlers of commands about connections, key and account. */
export function connectionHandlers(connections: Connections, onRenamed: () => void, openLink: (url: string) => void) {
  /** The address that was checked last, normalised. Null if there is none, or if it was not valid. */
  let lastChecked: string | null = null
  return handlersOf({
    connect: ({ address, apiKey, keep, same }) => connections.connect(address, new Secret(apiKey), keep, same),
    checkAddress({ address }) {
      const normal = normaliseAddress(address)
      lastChecked = normal.ok ? normal.value.address : null
      return connections.ping(address)
    },
    openService: () => (lastChecked === null ? fail('bad-address') : ok(openLink(lastChecked))),
    trySample: () => connections.trySample(),
    replaceKey: ({ apiKey, keep, same }) => connections.replaceKey(new Secret(apiKey), keep, same),
    cancelConnect: () => ok(connections.cancelConnect()),
    disconnect: () => connections.disconnect(),
    listConnections: () => connections.list(),
    switchConnection: ({ id }) => connections.switchTo(id),
    async renameConnection({ id, name }) {
      const renamed = await connections.rename(id, name)
      onRenamed()
      return renamed
    },
    listEditsOf: ({ id, ...query }) => connections.edits(id, query),
    removeConnection: ({ id, unsent, keepLocal }) => connections.remove(id, unsent, keepLocal),
    retryKeychain: () => connections.retryKeychain(),
    getAccount: () => ok(connections.active()?.view.account() ?? null),
    hintOnline: ({ online }) => {
      for (const { reach } of connections.all()) reach.hint(online)
      return ok(undefined)
    },
  })
}
