import { m } from '../../../messages/index.ts'
import { formatList } from '../../../shared/display/format.ts'
import { isolateText } from '../../../shared/display/visible.ts'
import type { AppError } from '../../../shared/result.ts'
import type { SettingsImport } from '../../../shared/settings-file.ts'
import type { BaseApp } from '../../app/base-app.ts'

/** Exports settings to a file, and imports them from a file. */
export class SettingsTransfer {
  readonly #app: BaseApp
  /** Called after a confirmed import has ended, even with an error. */
  readonly #onImported: () => void

  busy = $state(false)
  /** The effect that the import of the chosen file would have. Null after the user has confirmed or canceled it. */
  effect: SettingsImport | null = $state.raw(null)
  /** Why no file was exported or opened. */
  error: AppError | null = $state.raw(null)
  /** Why the confirmed file was not imported. */
  importError: AppError | null = $state.raw(null)

  constructor(app: BaseApp, onImported: () => void) {
    this.#app = app
    this.#onImported = onImported
  }

  async export(): Promise<void> {
    const answer = await this.#alone(() => this.#app.bridge.exportSettings())
    if (answer?.ok === false) this.error = answer.error
    if (!answer?.ok || !answer.value.saved) return
    const accounts = answer.value.missing.map(isolateText)
    const text =
      accounts.length > 0 ? m.settings_exported_without({ accounts: formatList(accounts) }) : m.settings_exported()
    this.#app.toasts.show(text)
  }

  /** Lets the user choose a file, and shows what its import would change. Nothing is imported yet. */
  async import(): Promise<void> {
    const answer = await this.#alone(() => this.#app.bridge.importSettings())
    if (answer?.ok) this.effect = answer.value
    else if (answer) this.error = answer.error
  }

  async confirm(): Promise<void> {
    const { effect } = this
    if (effect === null) return
    const answer = await this.#alone(() => this.#app.bridge.finishSettingsImport({ confirmed: true }))
    if (answer === undefined) return
    this.#onImported()
    if (!answer.ok) return void (this.importError = answer.error)
    this.effect = null
    const added = effect.effects.find(({ section }) => section === 'accounts')?.added.length ?? 0
    this.#app.toasts.show(added > 0 ? m.settings_imported_keys({ count: added }) : m.settings_imported())
  }

  cancel(): void {
    if (this.effect === null) return
    this.effect = null
    this.importError = null
    void this.#app.bridge.finishSettingsImport({ confirmed: false })
  }

  /** Clears the error when the user leaves the screen. */
  dismiss(): void {
    this.error = null
  }

  /** Runs `ask`. Returns undefined without running it during another export or import. */
  async #alone<T>(ask: () => Promise<T>): Promise<T | undefined> {
    if (this.busy) return undefined
    this.busy = true
    this.error = null
    this.importError = null
    const answer = await ask()
    this.busy = false
    return answer
  }
}
