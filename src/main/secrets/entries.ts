import { ok, type Result } from '../../shared/result.ts'
import type { Keychain } from './keychain.ts'

/** Returns the name of the keychain entry with the API key of a connection. */
export const apiKeyEntry = (connection: string): string => `${connection}:api-key`
/** The data key seals the passwords of the connection's pending edits. */
export const dataKeyEntry = (connection: string): string => `${connection}:data-key`
/** Two entries, used alternately, so that a certificate keeps its passphrase if its replacement fails. */
export const clientCertificateEntries = (connection: string): [string, string] => [
  `${connection}:client-certificate`,
  `${connection}:client-certificate-2`,
]

/** A proxy login belongs to the computer, not to a connection. */
export const proxyLoginEntry = (host: string, port: number): string => `proxy:${host}:${String(port)}`

/**
 * Deletes the entries of a removed connection. All deletions are recorded before the first await, so that the connection has no
 * stored key from then on. Errors: `keychain-*` if an entry remains; it is then deleted later.
 */
export async function forgetEntries(keychain: Keychain, connection: string): Promise<Result<void>> {
  const names = [apiKeyEntry(connection), dataKeyEntry(connection), ...clientCertificateEntries(connection)]
  const recorded = names.filter((name) => keychain.isRecorded(name))
  const gone = await Promise.all(recorded.map((name) => keychain.delete(name)))
  return gone.find(({ ok }) => !ok) ?? ok(undefined)
}
