import type { KeyState, SecretStorage } from '../../shared/connection.ts'
import { ok, type AppError, type Result } from '../../shared/result.ts'
import { apiKeyEntry } from '../secrets/entries.ts'
import type { Keychain } from '../secrets/keychain.ts'
import { Secret } from '../secrets/secret.ts'

/**
 * The API key of one connection, in memory while the app runs:
 *
 *     missing -> loading -> stored | locked      locked: the keychain is locked, absent or doesn't respond
 *     any     -> stored | run                    a new key was entered; run: kept only until the app ends
 *     stored | run -> refused -> stored | run    the service rejected the key, or accepted it again
 */
export interface ConnectionKey {
  state(): KeyState
  /** Returns the key, even if the service has rejected it. Null if there is none or it is not loaded yet. */
  current(): Secret | null
  /** An entry that was never stored is no error; with `find`, neither is one that was removed. Errors: `keychain-*`. */
  load(call?: 'get' | 'find'): Promise<Result<void>>
  /** Numbers a key that the user has just entered, for {@link replace}. */
  nextEntry(): number
  /**
   * Uses a key that the service has accepted, unless one that was entered later is in use. `entry`: its {@link nextEntry};
   * default: entered just now. Errors: `keychain-*` if it can't be stored in the keychain.
   */
  replace(key: Secret, storage: SecretStorage, entry?: number): Promise<Result<void>>
  /** Removes the key from memory and the keychain. Errors: `keychain-*`; then it is deleted from the keychain later. */
  forget(): Promise<Result<void>>
  /** True if the service has accepted the current key in this run, and has not rejected it after that. */
  isAccepted(): boolean
  /** Updates the state after a response: `error`, or null if the service accepted the key. */
  recordAnswer(error: AppError | null): void
}

export function createConnectionKey(keychain: Keychain, connection: string, onChange: () => void): ConnectionKey {
  const name = apiKeyEntry(connection)
  let key: Secret | null = null
  let state: KeyState = keychain.isRecorded(name) ? 'loading' : 'missing'
  let accepted = false
  /** The state to return to when the service accepts a rejected key again. */
  let acceptedState: 'stored' | 'run' = 'stored'
  /** Counts the keys that were entered or forgotten, so that `load` notices a change during its read. */
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
      // A key that was entered or forgotten during the read takes precedence.
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
