import type { SitewardBridge } from '../../preload/bridge.ts'
import { normaliseAddress } from '../../shared/connection.ts'
import { fail } from '../../shared/result.ts'
import { errorWords } from '../words/errors.ts'
import { KeyEntry, type Keep } from './key-entry.svelte.ts'

/** Address and key of a new connection. What was typed stays until the service has accepted it. */
export class ConnectForm {
  readonly #bridge: SitewardBridge
  readonly #ontaken: () => void
  readonly key: KeyEntry

  address = $state('')
  addressError = $state('')
  startingSample = $state(false)
  cancelling = $state(false)

  readonly #normalised = $derived(normaliseAddress(this.address))
  readonly insecure = $derived(this.#normalised.ok && this.#normalised.value.insecure)

  constructor(bridge: SitewardBridge, address = '', ontaken: () => void = () => undefined) {
    this.#bridge = bridge
    this.#ontaken = ontaken
    this.address = address
    this.key = new KeyEntry((apiKey, keep, same) =>
      this.#normalised.ok
        ? bridge.connect({
            address: this.#normalised.value.address,
            apiKey,
            keep,
            ...(same !== undefined && { same }),
          })
        : Promise.resolve(fail('bad-address')),
    )
  }

  checkAddress(): boolean {
    const { what, todo } = errorWords({ code: 'bad-address', message: '' })
    if (this.address.trim() === '') this.addressError = 'Type the address of the service.'
    else this.addressError = this.#normalised.ok ? '' : `${what} ${todo}`
    return this.addressError === ''
  }

  /** Answers what has to be corrected first. */
  async submit(keep: Keep): Promise<'address' | 'key' | undefined> {
    const fits = this.checkAddress()
    if (!this.key.check()) return fits ? 'key' : 'address'
    if (!fits) return 'address'
    return this.#taken(this.key.submit(keep))
  }

  /** Whether the key is of the account that changes wait for, as the person says. */
  say(same: boolean): Promise<'key' | undefined> {
    return this.#taken(this.key.say(same))
  }

  async #taken(asked: Promise<boolean>): Promise<'key' | undefined> {
    if (await asked) this.#ontaken()
    // That it came to nothing is what was asked for.
    if (this.cancelling && this.key.error?.code === 'no-connection') this.key.error = null
    this.cancelling = false
    return this.key.keyError === '' ? undefined : 'key'
  }

  async cancel(): Promise<void> {
    this.cancelling = true
    const answer = await this.#bridge.cancelConnect()
    if (!answer.ok) this.cancelling = false
  }

  async trySample(): Promise<void> {
    this.startingSample = true
    this.key.error = null
    const answer = await this.#bridge.trySample()
    this.startingSample = false
    if (answer.ok) this.#ontaken()
    else this.key.error = answer.error
  }
}
