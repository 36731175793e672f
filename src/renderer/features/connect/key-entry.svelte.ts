import type { CommandAnswer } from '../../../preload/bridge.ts'
import { isApiKey } from '../../../shared/validate.ts'
import type { AppError } from '../../../shared/result.ts'
import { errorWords } from '../../../words/errors.ts'
import { badKey, noKey } from '../../../words/connect.ts'

export type Keep = 'keychain' | 'run'
/** `same`: what the person said where the service doesn't tell whose key it is. */
type Send = (apiKey: string, keep: Keep, same: boolean | undefined) => Promise<CommandAnswer<'connect'>>

/** An API key being typed, for a new connection or in place of another. It's forgotten once it was taken. */
export class KeyEntry {
  readonly #send: Send

  apiKey = $state('')
  keyError = $state('')
  /** What the app answered, where it isn't about the key itself. */
  error: AppError | null = $state.raw(null)
  busy = $state(false)
  /** How the key is to be kept, while the person is asked whether it's the same account's. */
  unclear: Keep | null = $state(null)

  constructor(send: Send) {
    this.#send = send
  }

  /** Begins anew: says in `keyError` what is wrong with what was typed, and forgets the last answer. */
  check(): boolean {
    this.error = null
    if (this.apiKey.trim() === '') this.keyError = noKey
    else if (!isApiKey(this.apiKey.trim())) {
      this.keyError = badKey
    } else this.keyError = ''
    return this.keyError === ''
  }

  /** Tells whether the key was taken; where it's `unclear`, it isn't yet. */
  async submit(keep: Keep, same?: boolean): Promise<boolean> {
    if (this.busy || !this.check()) return false
    this.busy = true
    const answer = await this.#send(this.apiKey.trim(), keep, same)
    this.busy = false
    if (answer.ok) this.apiKey = ''
    else if (answer.error.code === 'account-unclear') this.unclear = keep
    else this.tell(answer.error)
    return answer.ok
  }

  /** The person says whether it's the same account's. Tells whether the key was taken. */
  say(same: boolean): Promise<boolean> {
    const keep = this.unclear ?? 'keychain'
    this.unclear = null
    return this.submit(keep, same)
  }

  tell(error: AppError): void {
    if (error.code !== 'unauthenticated') this.error = error
    else this.keyError = `${errorWords(error).what} ${errorWords(error).todo}`
  }
}
