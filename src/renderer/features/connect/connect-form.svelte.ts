import type { SitewardBridge } from '../../../preload/bridge.ts'
import { normaliseAddress } from '../../../shared/address.ts'
import type { SecretStorage } from '../../../shared/connection.ts'
import { fail, type ErrorCode } from '../../../shared/result.ts'
import { fullErrorText, isKeychainError } from '../../../messages/errors.ts'
import { m } from '../../../messages/index.ts'
import { correctedAddress, typingErrorIn, withoutPath, type TypingError } from '../../lib/typed-address.ts'
import { ApiKeyForm } from '../shared/key-entry.svelte.ts'

/** The texts of errors that further typing cannot correct. */
const problems: Record<TypingError, () => string> = {
  spaces: m.connect_address_spaces,
  scheme: m.connect_address_scheme,
  login: m.connect_address_login,
}

/** The errors that the address without its path may solve. */
const pathErrors: readonly ErrorCode[] = ['not-found', 'not-the-service', 'redirected', 'refused']

/** The errors that another address may solve. */
const addressErrors: readonly ErrorCode[] = ['bad-address', 'name-lookup', 'unreachable', 'garbled', ...pathErrors]

const badAddress = (): string => fullErrorText({ code: 'bad-address', message: '' })

/** The form for a new connection. The typed address and key stay until the service has accepted them. */
export class ConnectForm {
  readonly #bridge: SitewardBridge
  readonly #ontaken: () => void
  readonly key: ApiKeyForm

  address = $state('')
  /** Returns what is wrong with the address, in the current language. Null if nothing is wrong. */
  addressError: (() => string) | null = $state.raw(null)
  /** True if an error of the address is announced when it appears. False if its field gets the focus, and is read with it. */
  announces = $state(true)
  startingSample = $state(false)
  cancelling = $state(false)

  readonly #normalised = $derived(normaliseAddress(this.address))
  /** True for an http address of another computer, to which the key would be sent unencrypted. */
  readonly insecure = $derived(this.#normalised.ok && this.#normalised.value.insecure)
  /** The error in the typed address that further typing cannot correct, or null. */
  readonly wrong = $derived(typingErrorIn(this.address))
  /** The address that will be used, if it differs from the typed text. */
  readonly reading = $derived(correctedAddress(this.address))
  /** The address of the service's pages, to open in a browser. Null if it isn't an https address. */
  readonly pages = $derived(
    this.#normalised.ok && this.#normalised.value.address.startsWith('https:') ? this.#normalised.value.address : null,
  )

  /** True if the service responded at the address. */
  responds = $state(false)
  /** Changes with the text, so that an answer about an earlier text is dropped. */
  #version = 0
  /** The address that was checked last at the service; null if the text has changed since. */
  #pinged: string | null = null

  /** `ontaken` is called when the service has accepted a connection. */
  constructor(bridge: SitewardBridge, address = '', ontaken: () => void = () => undefined) {
    this.#bridge = bridge
    this.#ontaken = ontaken
    this.address = address
    this.key = new ApiKeyForm((apiKey, storage, same) =>
      this.#normalised.ok
        ? bridge.connect({
            address: this.#normalised.value.address,
            apiKey,
            keep: storage,
            ...(same !== undefined && { same }),
          })
        : Promise.resolve(fail('bad-address')),
    )
  }

  /** True if the error of the last attempt is about the address, so that its field shows it. */
  get addressFailed(): boolean {
    return this.key.error !== null && addressErrors.includes(this.key.error.code)
  }

  /**
   * The address without its path, if that may solve the error of the last attempt: the path may be that of a page. Otherwise
   * null.
   */
  get elsewhere(): string | null {
    return this.key.error !== null && pathErrors.includes(this.key.error.code) ? withoutPath(this.address) : null
  }

  /** True if the address or the key has text, even one that the user has not typed. */
  get filled(): boolean {
    return this.address !== '' || this.key.apiKey !== ''
  }

  /** True if a key is typed and no attempt to connect is in progress. */
  get isKeyTyped(): boolean {
    return this.key.apiKey !== '' && !this.key.busy && !this.startingSample
  }

  /** Drops the service's answers, which don't apply to the text that is typed now. */
  forget(): void {
    this.#version += 1
    this.responds = false
  }

  /**
   * Checks whether the service responds at the address, and shows an error if it does not. The key is not sent. The same address
   * is not checked twice in a row.
   */
  async ping(): Promise<void> {
    const address = this.#normalised.ok ? this.#normalised.value.address : null
    if (address === null || address === this.#pinged || this.key.busy) return
    this.#pinged = address
    const version = this.#version
    const answer = await this.#bridge.checkAddress({ address })
    if (version !== this.#version || this.key.busy) return
    this.responds = answer.ok
    if (answer.ok || this.key.error !== null) return
    this.#announceNext()
    this.key.error = answer.error
  }

  /** Opens the service in the browser, at the address that main has checked. */
  async openService(): Promise<void> {
    if (this.pages === null) return
    const checked = await this.#bridge.checkAddress({ address: this.pages })
    // The browser is opened even if the check failed, because the page that it shows may say why.
    const opened = checked.ok || checked.error.code !== 'rate-limited' ? await this.#bridge.openService() : checked
    if (!opened.ok) this.key.error = opened.error
  }

  /** Checks the address while it's typed, but reports only errors that more text can't fix, and clears fixed ones. */
  checkWhileTyping(): void {
    this.forget()
    this.#pinged = null
    // An error of the keychain doesn't depend on the address.
    if (this.key.error && !isKeychainError(this.key.error)) this.key.error = null
    this.#announceNext()
    if (this.addressError || this.wrong) this.checkAddress()
  }

  /** Checks the address, also at the service, when its field is left. */
  leaveAddress(): void {
    this.#announceNext()
    this.checkAddress()
    void this.ping()
  }

  /**
   * Lets the next error of the address be announced when it appears. Does nothing while an error of the address is shown, because
   * the same error is not announced again.
   */
  #announceNext(): void {
    if (this.addressError === null && !this.addressFailed) this.announces = true
  }

  /** Returns true if the address is valid, and sets `addressError` otherwise. */
  checkAddress(): boolean {
    if (this.address.trim() === '') this.addressError = m.connect_address_missing
    else if (this.wrong) this.addressError = problems[this.wrong]
    else this.addressError = this.#normalised.ok ? null : badAddress
    return this.addressError === null
  }

  /**
   * Connects, and returns the first field with an error. Undefined if no field has one, even if connecting failed or the user is
   * asked whether the key belongs to the same account.
   */
  async submit(storage: SecretStorage): Promise<'address' | 'key' | undefined> {
    const fits = this.checkAddress()
    this.#version += 1
    if (!this.key.check()) return fits ? 'key' : 'address'
    if (!fits) return 'address'
    return this.#taken(this.key.submit(storage))
  }

  /** Continues after the user has said whether the key belongs to the same account. */
  answer(same: boolean): Promise<'address' | 'key' | undefined> {
    return this.#taken(this.key.answer(same))
  }

  /**
   * Waits for an attempt to connect, and calls `ontaken` if it succeeded. Returns the first field with an error, or undefined.
   */
  async #taken(submission: Promise<boolean>): Promise<'address' | 'key' | undefined> {
    if (await submission) this.#ontaken()
    // The user cancelled or opened another account, so this isn't an error.
    if (this.key.error?.code === 'no-connection') this.key.error = null
    this.cancelling = false
    if (this.addressFailed) return 'address'
    return this.key.keyError === null ? undefined : 'key'
  }

  /** Cancels the attempt to connect that is in progress. The typed text stays. */
  async cancel(): Promise<void> {
    this.cancelling = true
    const answer = await this.#bridge.cancelConnect()
    if (!answer.ok) this.cancelling = false
  }

  /** Connects to the sample service, which main starts. */
  async trySample(): Promise<void> {
    this.startingSample = true
    this.key.error = null
    const answer = await this.#bridge.trySample()
    this.startingSample = false
    if (answer.ok) this.#ontaken()
    else this.key.error = answer.error
  }
}
