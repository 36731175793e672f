import { normalizeAddress } from '../../shared/address.ts'
import type { SecretStorage } from '../../shared/connection.ts'
import type { CertificateUse, NetworkEntry, NetworkSettings, StepResult } from '../../shared/network.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { NetworkRoute } from '../../shared/state.ts'
import { readAuthorities, readClientCertificate } from '../network/certificate-files.ts'
import { DRAFT_CONNECTION_ID, type ConnectionCertificates } from '../network/identities.ts'
import type { ProxyLogins } from '../network/proxy-logins.ts'
import { Secret } from '../secrets/secret.ts'
import type { StoredConnection } from '../storage/app.ts'
import type { CheckedAddress } from './connection.ts'
import { typedHandlers } from './handlers.ts'

export interface NetworkHandlersOptions {
  identities: ConnectionCertificates
  proxyLogins: ProxyLogins
  /** Oldest first. */
  connections: () => readonly StoredConnection[]
  /** The only unsaved address whose route may be looked up, because a PAC file may send a DNS query for its name. */
  checked: CheckedAddress
  route: (address: string) => Promise<NetworkRoute>
  /** Asks the user for certificate files. Null: the user canceled. Errors: `not-read`, `certificate-too-large`. */
  chooseFiles: (use: CertificateUse) => Promise<Result<Uint8Array[]> | null>
  /** Makes one read with the connection's key, and returns the result of each step. */
  test: (connection: StoredConnection) => Promise<StepResult[]>
  /** `connection`: null if the network settings of all connections have changed. */
  onChange: (connection: string | null) => void
}

export function networkHandlers(options: NetworkHandlersOptions) {
  const { identities, proxyLogins } = options
  /** Files of client certificates that wait for their passphrases, by connection. */
  const waiting = new Map<string, Uint8Array[]>()

  const find = (id: string): StoredConnection | undefined =>
    options.connections().find((record) => record.id === id && !record.sample)

  /** True if the account was removed, for example while the user chose a file. */
  const isGone = (id: string): boolean => id !== DRAFT_CONNECTION_ID && find(id) === undefined

  /** `address`: null if the typed address was not checked yet. */
  async function settingsOf(connection: string, address: string | null): Promise<NetworkSettings> {
    return { route: address === null ? null : await options.route(address), ...identities.view(connection) }
  }

  /** Reports a stored change. A connection being added counts as saved, because its settings are stored with it later. */
  const changed = (connection: string | null, result: Result<SecretStorage>): Result<'saved' | 'savedForRun'> => {
    if (!result.ok) return result
    options.onChange(connection)
    return ok(connection === DRAFT_CONNECTION_ID || result.value === 'keychain' ? 'saved' : 'savedForRun')
  }

  async function store(connection: string, files: Uint8Array[], passphrase: Secret | null) {
    const read = readClientCertificate(files, passphrase)
    if (!read.ok) return read
    const stored = await identities.setClient(connection, read.value)
    if (!isGone(connection)) return changed(connection, stored)
    // The account was removed while the keychain waited for the user.
    waiting.delete(connection)
    await identities.setClient(connection, null)
    return fail('no-connection')
  }

  return typedHandlers({
    async listNetwork() {
      const saved = options.connections().filter(({ sample }) => !sample)
      const entries = saved.map(async ({ id, name, address }): Promise<NetworkEntry> => {
        return { id, name, address, ...(await settingsOf(id, address)) }
      })
      return ok(await Promise.all(entries))
    },

    async getNewNetwork({ address }) {
      const normal = normalizeAddress(address)
      const isChecked = normal.ok && normal.value.address === options.checked.last
      return ok(await settingsOf(DRAFT_CONNECTION_ID, isChecked ? normal.value.address : null))
    },

    async chooseCertificate({ connection, use }) {
      waiting.delete(connection)
      if (isGone(connection)) return fail('no-connection')
      const files = await options.chooseFiles(use)
      if (files === null) return ok('canceled')
      if (isGone(connection)) return fail('no-connection')
      if (!files.ok) return files
      if (use === 'authority') {
        const authorities = readAuthorities(files.value)
        return authorities.ok
          ? changed(connection, await identities.setAuthorities(connection, authorities.value))
          : authorities
      }
      const stored = await store(connection, files.value, null)
      if (stored.ok || stored.error.code !== 'wrong-passphrase') return stored
      waiting.set(connection, files.value)
      return ok('passphrase')
    },

    async enterPassphrase({ connection, passphrase }) {
      const files = waiting.get(connection)
      if (files === undefined) return fail('no-certificate')
      if (isGone(connection)) {
        waiting.delete(connection)
        return fail('no-connection')
      }
      const stored = await store(connection, files, new Secret(passphrase))
      if (stored.ok) waiting.delete(connection)
      return stored
    },

    async removeCertificate({ connection, use }) {
      if (isGone(connection)) return fail('no-connection')
      const removed =
        use === 'client'
          ? await identities.setClient(connection, null)
          : await identities.setAuthorities(connection, [])
      const answer = changed(connection, removed)
      return answer.ok ? ok(undefined) : answer
    },

    setProxyLogin: async ({ host, port, name, password }) =>
      changed(null, await proxyLogins.set(host, port, name, new Secret(password))),

    async removeProxyLogin({ host, port }) {
      const removed = await proxyLogins.remove(host, port)
      options.onChange(null)
      return removed
    },

    async testConnection({ id }) {
      const connection = find(id)
      return connection === undefined ? fail('no-connection') : ok(await options.test(connection))
    },
  })
}
