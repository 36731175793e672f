import type { Settings } from '../../../shared/state.ts'
import type { TextSize } from '../../../shared/text-size.ts'
import type { Result } from '../../../shared/result.ts'
import { fullErrorText } from '../../../messages/errors.ts'
import type { BaseApp } from '../../app/base-app.ts'

interface App extends BaseApp {
  readonly websites: { arrange(settings: Settings): void }
}

/** New settings, or a function that derives them from the settings once those are read. */
type Changes = Partial<Settings> | (() => Partial<Settings>)

/** The user's settings. */
export class SettingsPanel {
  readonly #app: App
  /** Resolves when all reads and writes have ended. */
  #settled: Promise<unknown> = Promise.resolve()

  /** True while the advanced settings are shown. */
  advanced = $state(false)
  /** True if the network settings are to be scrolled into view. */
  toNetwork = $state(false)
  /** Null: not read yet. */
  now: Settings | null = $state.raw(null)

  constructor(app: App) {
    this.#app = app
  }

  /**
   * Reads the settings, and arranges the list by them. Changes given as a function wait for this. On an error, `now` stays as it
   * is.
   */
  read(): Promise<void> {
    const read = this.#read()
    this.#settled = Promise.allSettled([this.#settled, read])
    return read
  }

  get textSize(): TextSize {
    return this.now?.textSize ?? 100
  }

  /** Changes the settings, and shows an error as a toast. */
  async set(changes: Changes): Promise<void> {
    const saved = await this.save(changes)
    if (saved.ok) return
    // A copy lets the fields show the values in use again.
    this.now = this.now && { ...this.now }
    this.#app.toasts.show(fullErrorText(saved.error))
  }

  /**
   * Sends changes at once, so that they arrive even if the window closes. Changes given as a function wait until the settings are
   * read and earlier changes are saved.
   */
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
