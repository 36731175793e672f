import type { KeyState } from '../../shared/connection.ts'
import { fail, ok, type AppError, type Result } from '../../shared/result.ts'
import type { Keychain } from '../secrets/keychain.ts'
import { Secret } from '../secrets/secret.ts'

/**
 * The API key of one connection, in memory while the app runs:
 *
 *     missing -> stored | run        run: typed for this run only
 *     stored  -> locked              the keychain doesn't hand it out (locked, gone, not answering)
 *     stored | run -> refused        the service refuses it, until another one is given
 */
export interface ConnectionKey {
  state(): KeyState
  current(): Secret | null
  /** Asks the keychain. Errors: `keychain-*`; a key that was never stored is no error. */
  load(): Promise<Result<void>>
  /** A key that the service has shown to be good. Errors: `keychain-*` where it should be kept and can't. */
  replace(key: Secret, keep: 'keychain' | 'run'): Promise<Result<void>>
  /** Errors: `keychain-*`, and the key stays. */
  forget(): Promise<Result<void>>
  /** What an answer of the service told of the key. */
  heard(error: AppError | null): void
}

export function createConnectionKey(keychain: Keychain, connection: string, onChange: () => void): ConnectionKey {
  const name = `${connection}:api-key`
  let key: Secret | null = null
  let state: KeyState = 'missing'

  function become(next: KeyState, value: Secret | null = key): void {
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
      const found = await keychain.get(name)
      if (!found.ok) {
        become(keychain.recorded(name) ? 'locked' : 'missing', null)
        return found
      }
      if (found.value === null) become('missing', null)
      else become('stored', new Secret(found.value))
      return ok(undefined)
    },
    async replace(next, keep) {
      if (keep === 'keychain') {
        const kept = await keychain.set(name, next)
        if (!kept.ok) return kept
      }
      become(keep === 'keychain' ? 'stored' : 'run', next)
      return ok(undefined)
    },
    async forget() {
      if (keychain.recorded(name)) {
        const gone = await keychain.delete(name)
        if (!gone.ok) return fail(gone.error.code)
      }
      become('missing', null)
      return ok(undefined)
    },
    heard(error) {
      if (error?.code === 'unauthenticated' && key !== null) become('refused')
      else if (error === null && state === 'refused') become(keychain.recorded(name) ? 'stored' : 'run')
    },
  }
}
