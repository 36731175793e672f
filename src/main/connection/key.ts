import type { KeyState } from '../../shared/connection.ts'
import { ok, type AppError, type Result } from '../../shared/result.ts'
import { apiKeyEntry } from '../secrets/entries.ts'
import type { Keychain } from '../secrets/keychain.ts'
import { Secret } from '../secrets/secret.ts'

export type Keep = 'keychain' | 'run'

/**
 * The API key of one connection, in memory while the app runs:
 *
 *     missing -> loading -> stored | locked      locked: the keychain doesn't hand it out (locked, gone, not answering)
 *     any     -> stored | run                    another one is given; run: for this run only
 *     stored | run -> refused -> stored | run    what the service says of it
 */
export interface ConnectionKey {
  state(): KeyState
  current(): Secret | null
  /** Asks the keychain. Errors: `keychain-*`; a key that was never stored is no error. */
  load(): Promise<Result<void>>
  /** The turn of a key that is typed now, and has yet to be checked. */
  turn(): number
  /**
   * A key that the service has shown to be good; what was typed later and is kept already stays. `turn`: when it was typed,
   * if not just now. Errors: `keychain-*` where it should be kept and can't.
   */
  replace(key: Secret, keep: Keep, turn?: number): Promise<Result<void>>
  /** Gone from memory at once. Errors: `keychain-*`: its entry couldn't be deleted yet, which is noted as due. */
  forget(): Promise<Result<void>>
  /** What an answer of the service told of the key. */
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
      // The keychain may take its time: a key that was typed or forgotten meanwhile is the newer word.
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
