import type { CommandValue, SitewardBridge } from '../../../preload/bridge.ts'
import { normaliseAddress } from '../../../shared/address.ts'
import { fail } from '../../../shared/result.ts'
import { isApiKey } from '../../../shared/validate.ts'
import { errorWords, isKeychainError } from '../../../words/errors.ts'
import { addressProblems, noAddress } from '../../../words/connect.ts'
import { readingOf, wrongIn } from '../../lib/typed-address.ts'
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
  /** What goes on once the person agrees to lose what was typed. */
  asking: (() => void) | null = $state.raw(null)

  readonly #normalised = $derived(normaliseAddress(this.address))
  readonly insecure = $derived(this.#normalised.ok && this.#normalised.value.insecure)
  readonly wrong = $derived(wrongIn(this.address))
  /** What was typed comes to another address. */
  readonly reading = $derived(readingOf(this.address))
  /** Where the service has its pages: for a look at them in the browser, which only https may be sent to. */
  readonly pages = $derived(
    this.#normalised.ok && this.#normalised.value.address.startsWith('https:') ? this.#normalised.value.address : null,
  )

  /** Whose the key is, as the service says, before anything is kept; null: it isn't asked. */
  found: CommandValue<'checkKey'> | null = $state.raw(null)
  checking = $state(false)
  /** The service answers at the address; nobody has asked it about a key yet. */
  there = $state(false)
  #asked = 0
  #greeted: string | null = null

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

  get filled(): boolean {
    return this.address !== '' || this.key.apiKey !== ''
  }

  /** What was answered is no answer to what is typed now. */
  forget(): void {
    this.#asked += 1
    this.found = null
    this.checking = false
    this.there = false
  }

  /** Asks whether the service answers at what was typed, once; where there's a key, that is asked about instead. */
  async greet(): Promise<void> {
    const address = this.#normalised.ok ? this.#normalised.value.address : null
    if (address === null || address === this.#greeted || this.key.busy || this.key.apiKey.trim() !== '') return
    this.#greeted = address
    const asked = this.#asked
    const answer = await this.#bridge.checkAddress({ address })
    if (asked !== this.#asked || this.key.busy) return
    this.there = answer.ok
    if (!answer.ok) this.key.error ??= answer.error
  }

  /** Asks the service whose the key is. Over plain http the key goes nowhere before the person has pressed Connect. */
  async look(): Promise<void> {
    const address = this.#normalised.ok && !this.insecure ? this.#normalised.value.address : null
    const apiKey = this.key.apiKey.trim()
    if (address === null || this.key.busy || this.found || this.checking || !isApiKey(apiKey)) return
    this.forget()
    const asked = this.#asked
    this.key.error = null
    this.checking = true
    const answer = await this.#bridge.checkKey({ address, apiKey })
    if (asked !== this.#asked || this.key.busy) return
    this.checking = false
    if (answer.ok) this.found = answer.value
    else this.key.tell(answer.error)
  }

  /** While it's typed: what no further typing mends is said at once, what was wrong only until it's right. */
  typedAddress(): void {
    this.forget()
    this.#greeted = null
    // What the keychain said has nothing to do with the address.
    if (this.key.error && !isKeychainError(this.key.error)) this.key.error = null
    if (this.addressError || this.wrong) this.checkAddress()
  }

  checkAddress(): boolean {
    const { what, todo } = errorWords({ code: 'bad-address', message: '' })
    if (this.address.trim() === '') this.addressError = noAddress
    else if (this.wrong) this.addressError = addressProblems[this.wrong]
    else this.addressError = this.#normalised.ok ? '' : `${what} ${todo}`
    return this.addressError === ''
  }

  /** Answers what has to be corrected first. */
  async submit(keep: Keep): Promise<'address' | 'key' | undefined> {
    const fits = this.checkAddress()
    this.#asked += 1
    this.checking = false
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
