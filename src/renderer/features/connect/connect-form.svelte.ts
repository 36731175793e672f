import type { SitewardBridge } from '../../../preload/bridge.ts'
import { normalizeAddress } from '../../../shared/address.ts'
import type { SecretStorage } from '../../../shared/connection.ts'
import { fail, type ErrorCode } from '../../../shared/result.ts'
import { fullErrorText, isKeychainError } from '../../../messages/errors.ts'
import { m } from '../../../messages/index.ts'
import { correctedAddress, typingErrorIn, withoutPath, type TypingError } from '../../lib/typed-address.ts'
import { ApiKeyForm } from '../shared/key-entry.svelte.ts'

/** The texts of errors in the typed address that further typing can't correct, so that they are shown at once. */
const typingErrorTexts: Record<TypingError, () => string> = {
  spaces: m.connect_address_spaces,
  scheme: m.connect_address_scheme,
  login: m.connect_address_login,
}

/** Errors that may be caused by the path in the address. */
const pathErrors: readonly ErrorCode[] = ['not-found', 'not-the-service', 'redirected', 'refused']

/** Errors that may be caused by the address. */
const addressErrors: readonly ErrorCode[] = ['bad-address', 'name-lookup', 'unreachable', 'garbled', ...pathErrors]

const badAddress = (): string => fullErrorText({ code: 'bad-address', message: '' })

/** The form for a new connection. The typed address and key stay until the service has accepted them. */
export class ConnectForm {
  readonly #bridge: SitewardBridge
  readonly #ontaken: () => void
  readonly key: ApiKeyForm

  address = $state('')
  /** A function, so that the text changes with the language. Null if the address has no error. */
  addressError: (() => string) | null = $state.raw(null)
  /** True if a live region announces the error of the address. False if the field gets the focus, which reads it. */
  announces = $state(true)
  startingSample = $state(false)
  canceling = $state(false)

  readonly #normalized = $derived(normalizeAddress(this.address))
  /** True if the key would be sent unencrypted: the address is http and not on this computer. */
  readonly insecure = $derived(this.#normalized.ok && this.#normalized.value.insecure)
  /** The error in the address that the user can't correct by typing more, or null. */
  readonly wrong = $derived(typingErrorIn(this.address))
  /** The address that will be used, if it differs from the typed text; otherwise null. */
  readonly reading = $derived(correctedAddress(this.address))
  /** The address to open in a browser. Null if it isn't an https address. */
  readonly pages = $derived(
    this.#normalized.ok && this.#normalized.value.address.startsWith('https:') ? this.#normalized.value.address : null,
  )

  responds = $state(false)
  /** Changes with the text, so that a response about an earlier text is ignored. */
  #version = 0
  /** The address that was checked last; null if the text has changed since. */
  #pinged: string | null = null

  /** `ontaken` is called after the service has accepted the connection. */
  constructor(bridge: SitewardBridge, address = '', ontaken: () => void = () => undefined) {
    this.#bridge = bridge
    this.#ontaken = ontaken
    this.address = address
    this.key = new ApiKeyForm((apiKey, storage, same) =>
      this.#normalized.ok
        ? bridge.connect({
            address: this.#normalized.value.address,
            apiKey,
            keep: storage,
            ...(same !== undefined && { same }),
          })
        : Promise.resolve(fail('bad-address')),
    )
  }

  /** True if the last attempt to connect failed because of the address, so that the field shows the error. */
  get addressFailed(): boolean {
    return this.key.error !== null && addressErrors.includes(this.key.error.code)
  }

  /** The address without its path, if the path may have caused the last error, such as that of a web page. Otherwise null. */
  get elsewhere(): string | null {
    return this.key.error !== null && pathErrors.includes(this.key.error.code) ? withoutPath(this.address) : null
  }

  /** True if the address or the key is filled in, by the user or in advance. */
  get filled(): boolean {
    return this.address !== '' || this.key.apiKey !== ''
  }

  /** True if a key is typed and no attempt to connect is in progress. */
  get isKeyTyped(): boolean {
    return this.key.apiKey !== '' && !this.key.busy && !this.startingSample
  }

  /** Drops what the service said about an earlier text. */
  forget(): void {
    this.#version += 1
    this.responds = false
  }

  /**
   * Asks the service for a response at the address, without the key. Shows an error if there is none. Doesn't ask again while the
   * text stays the same.
   */
  async ping(): Promise<void> {
    const address = this.#normalized.ok ? this.#normalized.value.address : null
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

  /** Opens the service in the browser. Main opens the address that was checked last, so this checks it first. */
  async openService(): Promise<void> {
    if (this.pages === null) return
    const checked = await this.#bridge.checkAddress({ address: this.pages })
    // The browser is opened even after a failed check, because the page may show the cause.
    const opened = checked.ok || checked.error.code !== 'rate-limited' ? await this.#bridge.openService() : checked
    if (!opened.ok) this.key.error = opened.error
  }

  /** Checks the address during typing. Shows only errors that more text can't correct, and hides corrected ones. */
  checkWhileTyping(): void {
    this.forget()
    this.#pinged = null
    // A keychain error doesn't depend on the address.
    if (this.key.error && !isKeychainError(this.key.error)) this.key.error = null
    this.#announceNext()
    if (this.addressError || this.wrong) this.checkAddress()
  }

  leaveAddress(): void {
    this.#announceNext()
    this.checkAddress()
    void this.ping()
  }

  /** Makes a live region announce the next error of the address. An error that is already shown isn't announced again. */
  #announceNext(): void {
    if (this.addressError === null && !this.addressFailed) this.announces = true
  }

  /** Sets `addressError`. Returns true if the address is valid. */
  checkAddress(): boolean {
    if (this.address.trim() === '') this.addressError = m.connect_address_missing
    else if (this.wrong) this.addressError = typingErrorTexts[this.wrong]
    else this.addressError = this.#normalized.ok ? null : badAddress
    return this.addressError === null
  }

  /**
   * Connects. Returns the first field with an error; undefined if no field has one, even if connecting failed, or if the user has
   * to say whether the key belongs to the same account ({@link answer}).
   */
  async submit(storage: SecretStorage): Promise<'address' | 'key' | undefined> {
    const fits = this.checkAddress()
    this.#version += 1
    if (!this.key.check()) return fits ? 'key' : 'address'
    if (!fits) return 'address'
    return this.#taken(this.key.submit(storage))
  }

  /** Continues {@link submit} after the user has said whether the key belongs to the same account. */
  answer(same: boolean): Promise<'address' | 'key' | undefined> {
    return this.#taken(this.key.answer(same))
  }

  /** Calls `ontaken` if the attempt to connect succeeds. Otherwise returns the first field with an error, if there is one. */
  async #taken(submission: Promise<boolean>): Promise<'address' | 'key' | undefined> {
    if (await submission) this.#ontaken()
    // The attempt was canceled or replaced by another account, which isn't an error to show.
    if (this.key.error?.code === 'no-connection') this.key.error = null
    this.canceling = false
    if (this.addressFailed) return 'address'
    return this.key.keyError === null ? undefined : 'key'
  }

  /** Cancels the attempt to connect. The typed text stays. */
  async cancel(): Promise<void> {
    this.canceling = true
    const answer = await this.#bridge.cancelConnect()
    if (!answer.ok) this.canceling = false
  }

  /** Connects to the local sample service, which main starts for this. */
  async trySample(): Promise<void> {
    this.startingSample = true
    this.key.error = null
    const answer = await this.#bridge.trySample()
    this.startingSample = false
    if (answer.ok) this.#ontaken()
    else this.key.error = answer.error
  }
}
