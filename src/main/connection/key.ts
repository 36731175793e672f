import type { KeyState, SecretStorage } from '../../shared/connection.ts'
import { ok, type AppError, type Result } from '../../shared/result.ts'
import { apiKeyEntry } from '../secrets/entries.ts'
import type { Keychain } from '../secrets/keychain.ts'
import { Secret } from '../secrets/secret.ts'

/**
 * The API key of one connection, in memory while the app runs:
 *
 *     missing -> loading -> stored | locked      locked: the keychain is locked, absent or gives no answer
 *     any     -> stored | run                    a new key was entered; run: kept only until the app ends
 *     stored | run -> refused -> stored | run    the service rejected the key, or accepted it again
 */
export interface ConnectionKey {
  state(): KeyState
  /** Returns the key, even if the service has rejected it. Null if there is none or it is not loaded yet. */
  current(): Secret | null
  /**
   * Loads the key from the keychain. A key that was never stored is no error, and with `find` neither is one that was removed from
   * the keychain ({@link Keychain.find}). Errors: `keychain-*`.
   */
  load(call?: 'get' | 'find'): Promise<Result<void>>
  /** Returns a number for a key that the user has just entered and that is not checked yet. */
  nextEntry(): number
  /**
   * Uses a key that the service has accepted. Does nothing if a key that was entered later is in use. `entry` is the
   * number from {@link nextEntry}; default: the key was entered just now. Errors: `keychain-*` if `storage` is `keychain` and
   * it can't be stored.
   */
  replace(key: Secret, storage: SecretStorage, entry?: number): Promise<Result<void>>
  /**
   * Removes the key from memory and from the keychain. Errors: `keychain-*` if the keychain entry remains; its deletion
   * is then noted as due.
   */
  forget(): Promise<Result<void>>
  /** True if the service has accepted the current key since the start or since it was last rejected. */
  isAccepted(): boolean
  /** Updates the state from an answer of the service: its error, or null if the service accepted the key. */
  recordAnswer(error: AppError | null): void
}

export function createConnectionKey(keychain: Keychain, connection: string, onChange: () => void): ConnectionKey {
  const name = apiKeyEntry(connection)
  let key: Secret | null = null
  let state: KeyState = keychain.isRecorded(name) ? 'loading' : 'missing'
  let accepted = false
  /** The state of the key while the service doesn't reject it. */
  let acceptedState: 'stored' | 'run' = 'stored'
  /** Number of times that a key was entered or forgotten. */
  let changes = 0
  let entries = 0
  let latestEntry = 0

  function setState(next: KeyState, value: Secret | null): void {
    const changed = next !== state || value !== key
    if (value !== key || next === 'refused') accepted = false
    state = next
    key = value
    if (changed) onChange()
  }

  return {
    state: () => state,
    current: () => key,
    async load(call = 'get') {
      if (key !== null) return ok(undefined)
      const before = changes
      if (keychain.isRecorded(name)) setState('loading', null)
      const found = await keychain[call](name)
      // A key that was entered or forgotten while the keychain was read takes precedence.
      if (changes !== before) return ok(undefined)
      if (!found.ok) setState(keychain.isRecorded(name) ? 'locked' : 'missing', null)
      else if (found.value === null) setState('missing', null)
      else {
        acceptedState = 'stored'
        setState('stored', new Secret(found.value))
      }
      return found.ok ? ok(undefined) : found
    },
    nextEntry: () => ++entries,
    async replace(next, storage, entry = ++entries) {
      if (entry < latestEntry) return ok(undefined)
      if (storage === 'keychain') {
        const saved = await keychain.set(name, next)
        if (!saved.ok) return saved
      }
      changes += 1
      latestEntry = entry
      acceptedState = storage === 'keychain' ? 'stored' : 'run'
      setState(acceptedState, next)
      return ok(undefined)
    },
    async forget() {
      changes += 1
      setState('missing', null)
      return keychain.isRecorded(name) ? keychain.delete(name) : ok(undefined)
    },
    isAccepted: () => accepted,
    recordAnswer(error) {
      if (key === null) return
      if (error === null) accepted = true
      if (error?.code === 'unauthenticated') setState('refused', key)
      else if (error === null && state === 'refused') setState(acceptedState, key)
    },
  }
}
