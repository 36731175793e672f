import type { SitewardBridge } from '../../preload/bridge.ts'
import type { AppError } from '../../shared/result.ts'
import type { Settings } from '../../shared/state.ts'

/** The person's settings, and what they make of them. */
export class SettingsPanel {
  readonly #bridge: Pick<SitewardBridge, 'getSettings' | 'setSettings'>
  readonly #onError: (error: AppError) => void
  /** Over once all that was read and set of them is answered. */
  #settled: Promise<unknown> = Promise.resolve()

  /** Null: they aren't read yet. */
  now: Settings | null = $state.raw(null)

  constructor(bridge: Pick<SitewardBridge, 'getSettings' | 'setSettings'>, onError: (error: AppError) => void) {
    this.#bridge = bridge
    this.#onError = onError
  }

  /** What is made of them meanwhile is made of what they're read as. Null: they can't be read. */
  read(): Promise<Settings | null> {
    const read = this.#bridge.getSettings().then((answer) => (answer.ok ? (this.now = answer.value) : null))
    this.#settled = read
    return read
  }

  /** It leaves at once, ahead of the window's end; what is made of the settings as they are waits until they're known. */
  set(changes: Partial<Settings> | ((now: Settings | null) => Partial<Settings>)): Promise<void> {
    const before = this.#settled
    const change = async (given: Partial<Settings>): Promise<void> => {
      const answer = await this.#bridge.setSettings(given)
      if (answer.ok) this.now = answer.value
      else this.#onError(answer.error)
    }
    const changed = typeof changes === 'function' ? before.then(() => change(changes(this.now))) : change(changes)
    this.#settled = Promise.allSettled([before, changed])
    return changed
  }
}
