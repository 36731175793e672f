import { normalizeAddress } from '../../shared/address.ts'
import { fail, ok } from '../../shared/result.ts'
import type { Connections } from '../connection/connections.ts'
import { Secret } from '../secrets/secret.ts'
import { typedHandlers } from './handlers.ts'

/** The address that the window last checked or connected to, normalized. Null if there is none, or it was not valid. */
export interface CheckedAddress {
  last: string | null
}

/** Returns the handlers about connections. They record in `checked` which address the window checked or connected to last. */
export function connectionHandlers(
  connections: Connections,
  onRenamed: () => void,
  openLink: (url: string) => void,
  checked: CheckedAddress,
) {
  const note = (address: string): void => {
    const normal = normalizeAddress(address)
    checked.last = normal.ok ? normal.value.address : null
  }
  return typedHandlers({
    connect({ address, apiKey, keep, same }) {
      note(address)
      return connections.connect(address, new Secret(apiKey), keep, same)
    },
    checkAddress({ address }) {
      note(address)
      return connections.ping(address)
    },
    openService: () => (checked.last === null ? fail('bad-address') : ok(openLink(checked.last))),
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
