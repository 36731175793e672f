import { ok, type Result } from '../../shared/result.ts'
import type { Keychain } from './keychain.ts'

/** What the keychain holds for one connection: the API key, and the key that seals the passwords which wait. */
export const apiKeyEntry = (connection: string): string => `${connection}:api-key`
export const dataKeyEntry = (connection: string): string => `${connection}:data-key`

/** Of a connection that is removed. Errors: `keychain-*`: one couldn't be deleted yet, which is noted as due. */
export async function forgetEntries(keychain: Keychain, connection: string): Promise<Result<void>> {
  let left: Result<void> = ok(undefined)
  for (const name of [apiKeyEntry(connection), dataKeyEntry(connection)]) {
    const gone = keychain.recorded(name) ? await keychain.delete(name) : ok(undefined)
    if (!gone.ok) left = gone
  }
  return left
}
