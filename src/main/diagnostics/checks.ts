import { rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { ConnectionKey } from '../connection/key.ts'
import { probe } from '../connection/probe.ts'
import type { Keychain } from '../secrets/keychain.ts'
import { Secret } from '../secrets/secret.ts'
import type { ServiceClient } from '../service/client.ts'
import { wrapService } from '../service/port.ts'
import { asFailure } from '../storage/sqlite.ts'
import type { Asked } from './set-up.ts'

/** Bytes that are free for this person where a folder is, if it takes a file at all. Errors: `disk-full`, `storage`. */
export async function freeBytes(folder: string): Promise<Result<number>> {
  const file = join(folder, 'set-up.probe')
  try {
    // A disk that is read-only, or over its quota, tells of room all the same.
    await writeFile(file, 'probe', { flush: true }).finally(() => rm(file, { force: true }))
    const { bavail, bsize } = await statfs(folder)
    return ok(bavail * bsize)
  } catch (error) {
    return asFailure(error)
  }
}

/** Puts a word that is no secret into the keychain, reads it, and takes it out again. Errors: `keychain-*`. */
export async function tryKeychain(keychain: Pick<Keychain, 'set' | 'get' | 'delete'>): Promise<Result<void>> {
  const name = 'set-up:probe'
  const put = await keychain.set(name, new Secret('probe'))
  if (!put.ok) return put
  const got = await keychain.get(name)
  const taken = await keychain.delete(name)
  return got.ok ? taken : got
}

/**
 * Reads with the connection's key, and notes the service's own time, which an answer that refuses tells as well. Without
 * a key the service is asked what needs none; where it's there, the error says why there is no key.
 */
export async function askDated(
  service: ServiceClient,
  key: Pick<ConnectionKey, 'current' | 'state' | 'load'>,
): Promise<Asked> {
  // The keychain hasn't answered since the start.
  if (key.state() === 'loading') await key.load()
  if (key.current() === null) {
    const greeted = await service.greet()
    if (!greeted.ok) return { answer: greeted, date: null }
    return { answer: fail(key.state() === 'missing' ? 'key-missing' : 'keychain-locked'), date: greeted.value.date }
  }
  let date: number | null = null
  const answer = await probe(
    wrapService(service, async (ask) => {
      const outcome = await ask()
      date = outcome.meta.date ?? date
      return outcome
    }),
  )
  return { answer, date }
}
