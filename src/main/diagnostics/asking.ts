import { statfs } from 'node:fs/promises'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { Keychain } from '../secrets/keychain.ts'
import { Secret } from '../secrets/secret.ts'

/** Bytes that are free for this person where a folder is. Errors: `storage`. */
export async function freeBytes(folder: string): Promise<Result<number>> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return ok(bavail * bsize)
  } catch {
    return fail('storage')
  }
}

/** Puts a word that is no secret into the keychain and takes it out again. Errors: `keychain-*`. */
export async function tryKeychain(keychain: Keychain): Promise<Result<void>> {
  const name = 'set-up:probe'
  const put = await keychain.set(name, new Secret('probe'))
  return put.ok ? keychain.delete(name) : put
}
