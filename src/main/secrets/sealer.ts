import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { comparableDomain } from '../../shared/domain.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { Sealer } from '../outbox/ports.ts'
import { dataKeyEntry } from './entries.ts'
import type { Keychain } from './keychain.ts'
import { Secret } from './secret.ts'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const AUTH_TAG_BYTES = 16

/** Seals the statistics passwords of pending edits (docs/sync.md#secrets-at-rest). Sealed form: nonce, tag, ciphertext. */
export function createSealer(keychain: Keychain, connection: string): Sealer {
  const name = dataKeyEntry(connection)
  /** Binds a sealed password to its connection and domain. */
  const boundTo = (domain: string): Buffer => Buffer.from(JSON.stringify([connection, comparableDomain(domain)]))
  /** The data key that was made without a keychain. It lasts until the app ends. */
  let runKey: Buffer | undefined
  let stored: Buffer | undefined
  let making: Promise<Result<Buffer>> | undefined

  /** Returns the data key, which is read only once. Null if the keychain has none. Errors: `keychain-*`. */
  async function storedKey(): Promise<Result<Buffer | null>> {
    if (stored !== undefined) return ok(stored)
    // The process may have ended before a recorded key was stored. `find` returns null then.
    const found = await keychain.find(name)
    if (!found.ok) return found
    if (found.value !== null) stored = Buffer.from(found.value, 'base64')
    return ok(stored ?? null)
  }

  /** Returns the stored key, or makes and stores one. Without a keychain, the new key lasts only until the app ends. */
  async function loadOrMakeKey(): Promise<Result<Buffer>> {
    const found = await storedKey()
    if (found.ok && found.value !== null) return ok(found.value)
    if (!found.ok && (found.error.code !== 'keychain-missing' || keychain.isRecorded(name))) return found
    const made = randomBytes(32)
    const saved = found.ok ? await keychain.set(name, new Secret(made.toString('base64'))) : found
    if (saved.ok) return ok((stored = made))
    return saved.error.code === 'keychain-missing' ? ok((runKey ??= made)) : saved
  }

  /** Makes one key even for concurrent callers, because a second one could not unseal what the first one sealed. */
  function sealingKey(): Promise<Result<Buffer>> {
    making ??= loadOrMakeKey().finally(() => (making = undefined))
    return making
  }

  return {
    async seal(plain, domain) {
      const key = await sealingKey()
      if (!key.ok) return key
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key.value, nonce).setAAD(boundTo(domain))
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return ok(Buffer.concat([nonce, cipher.getAuthTag(), text]))
    },
    async unseal(sealed, domain) {
      if (runKey !== undefined) {
        const plain = open(sealed, runKey, boundTo(domain))
        if (plain !== null) return ok(plain)
      }
      const key = await storedKey()
      // There is no keychain, so the password was sealed with a key that existed only during an earlier run.
      if (!key.ok && key.error.code === 'keychain-missing' && !keychain.isRecorded(name))
        return fail('password-missing')
      if (!key.ok) return key
      const plain = key.value === null ? null : open(sealed, key.value, boundTo(domain))
      return plain === null ? fail('password-missing') : ok(plain)
    },
  }
}

/** Decrypts a password. Null if it was sealed with another key, or for another connection or domain. */
function open(sealed: Uint8Array, key: Buffer, bound: Buffer): string | null {
  try {
    const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES))
      .setAAD(bound)
      .setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + AUTH_TAG_BYTES))
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + AUTH_TAG_BYTES)), decipher.final()]).toString(
      'utf8',
    )
  } catch {
    return null
  }
}
