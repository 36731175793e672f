import type { CommandAnswer } from '../../../preload/bridge.ts'
import type { SecretStorage } from '../../../shared/connection.ts'
import { isApiKey } from '../../../shared/validate.ts'
import type { AppError } from '../../../shared/result.ts'
import { fullErrorText } from '../../../messages/errors.ts'
import { m } from '../../../messages/index.ts'

/** `same`: the user's answer to whether the key belongs to the same account. */
type Send = (apiKey: string, storage: SecretStorage, same: boolean | undefined) => Promise<CommandAnswer<'connect'>>

/** The API key that the user types, for a new connection or in place of another key. It is cleared after it was accepted. */
export class ApiKeyForm {
  readonly #send: Send

  apiKey = $state('')
  /** A function, so that the text changes with the language. Null if the key has no error. */
  keyError: (() => string) | null = $state.raw(null)
  /** An error that isn't about the key itself. */
  error: AppError | null = $state.raw(null)
  busy = $state(false)
  /** The chosen storage while the user is asked whether the key belongs to the same account. Otherwise null. */
  askedFor: SecretStorage | null = $state(null)

  constructor(send: Send) {
    this.#send = send
  }

  /** Clears the last error and sets `keyError`. Returns true if the key is valid. */
  check(): boolean {
    this.error = null
    const key = this.apiKey.trim()
    this.keyError = key === '' ? m.connect_key_missing : isApiKey(key) ? null : m.connect_key_invalid
    return this.keyError === null
  }

  /**
   * Sends the key. Returns true if it was accepted. If `askedFor` is set then, the user has to answer whether the key belongs to
   * the same account, and {@link answer} continues.
   */
  async submit(storage: SecretStorage, same?: boolean): Promise<boolean> {
    if (this.busy || !this.check()) return false
    this.busy = true
    const answer = await this.#send(this.apiKey.trim(), storage, same)
    this.busy = false
    if (answer.ok) this.apiKey = ''
    else if (answer.error.code === 'account-unclear') this.askedFor = storage
    else this.tell(answer.error)
    return answer.ok
  }

  /** Continues with the user's answer. Returns true if the key was accepted. */
  answer(same: boolean): Promise<boolean> {
    const storage = this.askedFor ?? 'keychain'
    this.askedFor = null
    return this.submit(storage, same)
  }

  /** Shows an error at the key if the service has rejected it; otherwise stores it in {@link error}. */
  tell(error: AppError): void {
    if (error.code !== 'unauthenticated') this.error = error
    else this.keyError = () => fullErrorText(error)
  }
}
