import { ok, type Result } from '../../shared/result.ts'
import type { Keychain } from './keychain.ts'

/**
 * Names of the keychain entries of a connection: its API key, and the key that seals the passwords of its pending
 * edits.
 */
export const apiKeyEntry = (connection: string): string => `${connection}:api-key`
export const dataKeyEntry = (connection: string): string => `${connection}:data-key`

/**
 * Deletes the entries of a removed connection. Errors: `keychain-*` if one remains; its deletion is then noted as due.
 */
export async function forgetEntries(keychain: Keychain, connection: string): Promise<Result<void>> {
  let left: Result<void> = ok(undefined)
  for (const name of [apiKeyEntry(connection), dataKeyEntry(connection)]) {
    const gone = keychain.recorded(name) ? await keychain.delete(name) : ok(undefined)
    if (!gone.ok) left = gone
  }
  return left
}
