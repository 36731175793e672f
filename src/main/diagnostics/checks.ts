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
import type { ServiceAnswer } from './set-up.ts'

/** Writes and removes a file. Returns the free bytes of its disk. Errors: `disk-full`, `storage`. */
export async function probeDisk(folder: string): Promise<Result<number>> {
  const file = join(folder, 'set-up.probe')
  try {
    // Writes a file, because a read-only disk or one over its quota also reports free space.
    await writeFile(file, 'probe', { flush: true }).finally(() => rm(file, { force: true }))
    const { bavail, bsize } = await statfs(folder)
    return ok(bavail * bsize)
  } catch (error) {
    return asFailure(error)
  }
}

/** Stores, reads and deletes a test entry in the keychain. Errors: `keychain-*`. */
export async function tryKeychain(keychain: Pick<Keychain, 'set' | 'get' | 'delete'>): Promise<Result<void>> {
  const name = 'set-up:probe'
  const put = await keychain.set(name, new Secret('probe'))
  if (!put.ok) return put
  const got = await keychain.get(name)
  const taken = await keychain.delete(name)
  return got.ok ? taken : got
}

/**
 * Reads once with the connection's key, which is loaded first if `mayLoadKey` is true. Without a key, sends a request without one;
 * if the service responds, the error tells why there is no key. `date`: the service's clock, even after an error. `onLoad`:
 * called if the key was loaded for this.
 */
export async function readAnswerAndDate(
  service: ServiceClient,
  key: Pick<ConnectionKey, 'current' | 'state' | 'load'>,
  onLoad: () => void,
  onAccepted: () => void,
  mayLoadKey = true,
): Promise<ServiceAnswer> {
  // The keychain was locked or has not responded since the start, so it is asked again.
  if (mayLoadKey && ['loading', 'locked'].includes(key.state())) {
    await key.load()
    if (key.current() !== null) onLoad()
  }
  if (key.current() === null) {
    const answer = await service.ping()
    if (!answer.ok) return { answer, date: null }
    return { answer: fail(key.state() === 'missing' ? 'key-missing' : 'keychain-locked'), date: answer.value.date }
  }
  let date: number | null = null
  const answer = await probe(
    wrapService(service, async (ask) => {
      const outcome = await ask()
      date = outcome.meta.date ?? date
      return outcome
    }),
  )
  if (answer.ok) onAccepted()
  return { answer, date }
}
