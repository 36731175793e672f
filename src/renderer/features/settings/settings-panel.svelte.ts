import type { Settings } from '../../../shared/state.ts'
import type { TextSize } from '../../../shared/text-size.ts'
import type { Result } from '../../../shared/result.ts'
import { fullErrorText } from '../../../messages/errors.ts'
import type { BaseApp } from '../../app/base-app.ts'

interface App extends BaseApp {
  readonly websites: { arrange(settings: Settings): void }
}

/** New settings, or a function that returns them after the current settings are read. */
type Changes = Partial<Settings> | (() => Partial<Settings>)

export class SettingsPanel {
  readonly #app: App
  /** Resolves when all reads and writes have ended. */
  #settled: Promise<unknown> = Promise.resolve()

  advanced = $state(false)
  /** True if the screen should scroll to the network settings. */
  toNetwork = $state(false)
  now: Settings | null = $state.raw(null)

  constructor(app: App) {
    this.#app = app
  }

  /** Reads the settings, and applies those of the list. On an error, `now` stays as it is. */
  read(): Promise<void> {
    const read = this.#read()
    this.#settled = Promise.allSettled([this.#settled, read])
    return read
  }

  get textSize(): TextSize {
    return this.now?.textSize ?? 100
  }

  /** Saves the settings. Shows an error as a toast. */
  async set(changes: Changes): Promise<void> {
    const saved = await this.save(changes)
    if (saved.ok) return
    // A new object, so that the fields show the saved values again.
    this.now = this.now && { ...this.now }
    this.#app.toasts.show(fullErrorText(saved.error))
  }

  /** Sends changes at once, in case the window closes. A function is called after all earlier reads and writes. */
  save(changes: Changes): Promise<Result<Settings>> {
    const saved = this.#save(changes)
    this.#settled = Promise.allSettled([this.#settled, saved])
    return saved
  }

  async #read(): Promise<void> {
    const answer = await this.#app.bridge.getSettings()
    if (answer.ok) this.#app.websites.arrange((this.now = answer.value))
  }

  async #save(changes: Changes): Promise<Result<Settings>> {
    const resolved = typeof changes === 'function' ? await this.#settled.then(changes) : changes
    const answer = await this.#app.bridge.setSettings(resolved)
    if (answer.ok) this.now = answer.value
    return answer
  }
}
