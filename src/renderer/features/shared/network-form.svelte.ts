import type { SitewardBridge } from '../../../preload/bridge.ts'
import { m } from '../../../messages/index.ts'
import type { CertificateUse } from '../../../shared/network.ts'
import type { AppError, Result } from '../../../shared/result.ts'
import type { NetworkRoute } from '../../../shared/state.ts'

type Proxy = Extract<NetworkRoute, { kind: 'proxy' }>
/** `savedForRun`: there is no keychain, so the setting is lost when the app ends. */
type Saved = 'saved' | 'savedForRun'

interface Options {
  bridge: SitewardBridge
  /** The id of the connection, or `new` for one that is being added. */
  connection: string
  /** Called to read the settings again after the certificates or the login have changed. */
  onchange: () => void
  notify: (text: string) => void
}

/** Changes the certificates of an account and the login for its proxy. */
export class NetworkForm {
  readonly #options: Options

  busy = $state(false)
  /** The form that is open: for the passphrase of the chosen certificate, or for the login. */
  open = $state<'passphrase' | 'login' | null>(null)
  passphrase = $state('')
  name = $state('')
  password = $state('')
  /** A function, so that the text changes with the language. Null if the user name has no error. */
  nameError: (() => string) | null = $state.raw(null)
  /** The last error, and the setting where it is shown. */
  error: { at: CertificateUse | 'login'; error: AppError } | null = $state.raw(null)

  constructor(options: Options) {
    this.#options = options
  }

  /** Lets the user choose a certificate file and saves it. If the file needs a passphrase, first opens the form for it. */
  async choose(use: CertificateUse): Promise<void> {
    this.cancel()
    const { bridge, connection } = this.#options
    const answer = await this.#during(() => bridge.chooseCertificate({ connection, use }))
    if (!answer.ok) this.error = { at: use, error: answer.error }
    else if (answer.value === 'passphrase') this.open = 'passphrase'
    else if (answer.value !== 'canceled') this.#saved(answer.value)
  }

  /** Saves the chosen file with the typed passphrase. On an error the form stays open. */
  async enterPassphrase(): Promise<void> {
    const { passphrase } = this
    const { bridge, connection } = this.#options
    const answer = await this.#during(() => bridge.enterPassphrase({ connection, passphrase }))
    if (answer.ok) this.#saved(answer.value)
    else this.error = { at: 'client', error: answer.error }
  }

  async remove(use: CertificateUse): Promise<void> {
    this.cancel()
    const { bridge, connection } = this.#options
    const answer = await this.#during(() => bridge.removeCertificate({ connection, use }))
    if (!answer.ok) this.error = { at: use, error: answer.error }
    this.#options.onchange()
  }

  enterLogin(): void {
    this.cancel()
    this.open = 'login'
  }

  /** Returns false if the user name has an error, and true after the login was sent, even if main couldn't save it. */
  async saveLogin({ protocol, host, port }: Proxy): Promise<boolean> {
    const { name, password } = this
    const hasColon = protocol !== 'socks5' && name.includes(':')
    this.nameError = name === '' ? m.network_login_name_missing : hasColon ? m.network_login_name_colon : null
    if (this.nameError !== null) return false
    const answer = await this.#during(() => this.#options.bridge.setProxyLogin({ host, port, name, password }))
    if (answer.ok) this.#saved(answer.value)
    else this.error = { at: 'login', error: answer.error }
    return true
  }

  async removeLogin({ host, port }: Proxy): Promise<void> {
    this.cancel()
    const answer = await this.#during(() => this.#options.bridge.removeProxyLogin({ host, port }))
    if (!answer.ok) this.error = { at: 'login', error: answer.error }
    this.#options.onchange()
  }

  cancel(): void {
    this.open = null
    this.error = null
    this.nameError = null
    this.passphrase = ''
    this.name = ''
    this.password = ''
  }

  #saved(how: Saved): void {
    this.cancel()
    this.#options.notify(how === 'saved' ? m.network_saved() : m.network_saved_run())
    this.#options.onchange()
  }

  /** Runs `ask` with `busy` set. */
  async #during<T>(ask: () => Promise<Result<T>>): Promise<Result<T>> {
    this.busy = true
    const answer = await ask()
    this.busy = false
    return answer
  }
}
