import { ok, type Result } from '../../shared/result.ts'
import type { Keychain } from './keychain.ts'

/** Returns the name of the keychain entry with the API key of a connection. */
export const apiKeyEntry = (connection: string): string => `${connection}:api-key`
/** Returns the name of the keychain entry with the key that seals the passwords of the pending edits of a connection. */
export const dataKeyEntry = (connection: string): string => `${connection}:data-key`
/**
 * Returns the names of the two keychain entries for the passphrase of the client certificate of a connection. They are used in turns,
 * so that a certificate keeps its passphrase if its replacement fails.
 */
export const clientCertificateEntries = (connection: string): [string, string] => [
  `${connection}:client-certificate`,
  `${connection}:client-certificate-2`,
]

/** Name of the entry for the login of a proxy. It belongs to the computer, not to a connection. */
export const proxyLoginEntry = (host: string, port: number): string => `proxy:${host}:${String(port)}`

/**
 * Deletes the entries of a removed connection. The deletions are noted as due at once. Errors: `keychain-*` if an entry remains,
 * whose deletion stays due.
 */
export async function forgetEntries(keychain: Keychain, connection: string): Promise<Result<void>> {
  const names = [apiKeyEntry(connection), dataKeyEntry(connection), ...clientCertificateEntries(connection)]
  const recorded = names.filter((name) => keychain.isRecorded(name))
  const gone = await Promise.all(recorded.map((name) => keychain.delete(name)))
  return gone.find(({ ok }) => !ok) ?? ok(undefined)
}
