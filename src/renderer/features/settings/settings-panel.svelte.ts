import type { Settings } from '../../../shared/state.ts'
import type { TextSize } from '../../../shared/text-size.ts'
import type { SitewardBridge } from '../../../preload/bridge.ts'
import type { AppError } from '../../../shared/result.ts'
import type { WebsiteList } from '../websites/website-list.svelte.ts'

interface App {
  readonly bridge: SitewardBridge
  error: AppError | null
  readonly websites: WebsiteList
}

/** Some of them, or what is to be made of them as they are by then. */
type Changes = Partial<Settings> | (() => Partial<Settings>)

/** The person's settings, and what they make of them. */
export class SettingsPanel {
  readonly #app: App
  /** Over once all that was read and set of them is answered. */
  #settled: Promise<unknown> = Promise.resolve()

  /** Null: they aren't read yet. */
  now: Settings | null = $state.raw(null)

  constructor(app: App) {
    this.#app = app
  }

  /** What is made of them meanwhile is made of what they're read as; the list is arranged so. Unread they stay null. */
  read(): Promise<void> {
    const read = this.#read()
    this.#settled = read
    return read
  }

  get textSize(): TextSize {
    return this.now?.textSize ?? 100
  }

  /** It leaves at once, ahead of the window's end; what is made of the settings as they are waits until they're known. */
  set(changes: Changes): Promise<void> {
    const changed = this.#change(changes)
    this.#settled = Promise.allSettled([this.#settled, changed])
    return changed
  }

  async #read(): Promise<void> {
    const answer = await this.#app.bridge.getSettings()
    if (answer.ok) this.#app.websites.arrange((this.now = answer.value))
  }

  async #change(changes: Changes): Promise<void> {
    const given = typeof changes === 'function' ? await this.#settled.then(changes) : changes
    const answer = await this.#app.bridge.setSettings(given)
    if (answer.ok) this.now = answer.value
    else this.#app.error = answer.error
  }
}
