import type { KeyState } from '../../shared/connection.ts'
import { ok, type AppError, type Result } from '../../shared/result.ts'
import { apiKeyEntry } from '../secrets/entries.ts'
import type { Keychain } from '../secrets/keychain.ts'
import { Secret } from '../secrets/secret.ts'

export type Keep = 'keychain' | 'run'

/**
 * The API key of one connection, in memory while the app runs:
 *
 *     missing -> loading -> stored | locked      locked: the keychain doesn't return it (locked, missing, no answer)
 *     any     -> stored | run                    a new key was entered; run: kept only until the app ends
 *     stored | run -> refused -> stored | run    the service rejected the key, or accepted it again
 */
export interface ConnectionKey {
  state(): KeyState
  current(): Secret | null
  /** Loads the key from the keychain. A key that was never stored is no error. Errors: `keychain-*`. */
  load(): Promise<Result<void>>
  /** Returns a number for a key that the user has just entered and that is not checked yet. */
  turn(): number
  /**
   * Uses a key that the service has accepted. Does nothing if a key that was entered later is in use. `turn` is the
   * number from {@link turn}; default: the key was entered just now. Errors: `keychain-*` if `keep` is `keychain` and
   * it can't be stored.
   */
  replace(key: Secret, keep: Keep, turn?: number): Promise<Result<void>>
  /**
   * Removes the key from memory and from the keychain. Errors: `keychain-*` if the keychain entry remains; its deletion
   * is then noted as due.
   */
  forget(): Promise<Result<void>>
  /** Updates the state from an answer of the service: its error, or null if the service accepted the key. */
  heard(error: AppError | null): void
}

export function createConnectionKey(keychain: Keychain, connection: string, onChange: () => void): ConnectionKey {
  const name = apiKeyEntry(connection)
  let key: Secret | null = null
  let state: KeyState = 'missing'
  let good: 'stored' | 'run' = 'stored'
  let given = 0
  let turns = 0
  let latest = 0

  function become(next: KeyState, value: Secret | null): void {
    const changed = next !== state || value !== key
    state = next
    key = value
    if (changed) onChange()
  }

  return {
    state: () => state,
    current: () => key,
    async load() {
      if (key !== null) return ok(undefined)
      const before = given
      if (keychain.recorded(name)) become('loading', null)
      const found = await keychain.get(name)
      // A key that was entered or forgotten while the keychain was read takes precedence.
      if (given !== before) return ok(undefined)
      if (!found.ok) become(keychain.recorded(name) ? 'locked' : 'missing', null)
      else if (found.value === null) become('missing', null)
      else {
        good = 'stored'
        become('stored', new Secret(found.value))
      }
      return found.ok ? ok(undefined) : found
    },
    turn: () => ++turns,
    async replace(next, keep, turn = ++turns) {
      if (turn < latest) return ok(undefined)
      if (keep === 'keychain') {
        const kept = await keychain.set(name, next)
        if (!kept.ok) return kept
      }
      given += 1
      latest = turn
      good = keep === 'keychain' ? 'stored' : 'run'
      become(good, next)
      return ok(undefined)
    },
    async forget() {
      given += 1
      become('missing', null)
      return keychain.recorded(name) ? keychain.delete(name) : ok(undefined)
    },
    heard(error) {
      if (key === null) return
      if (error?.code === 'unauthenticated') become('refused', key)
      else if (error === null && state === 'refused') become(good, key)
    },
  }
}
