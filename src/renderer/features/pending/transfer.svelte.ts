import type { EventPayload, SitewardBridge } from '../../../preload/bridge.ts'
import type { Imported } from '../../../shared/edit.ts'
import type { AppError } from '../../../shared/result.ts'
import { exportedWords, importing } from '../../../words/transfer.ts'
import type { Toasts } from '../../app/toasts.svelte.ts'

/** The queue into a file, and out of one; main asks for the file. */
export class Transfer {
  readonly #bridge: SitewardBridge
  readonly #toasts: Toasts

  busy = $state(false)
  /** What the last import took, until it's dismissed. */
  imported: Imported | null = $state.raw(null)
  error: AppError | null = $state.raw(null)

  constructor(bridge: SitewardBridge, toasts: Toasts) {
    this.#bridge = bridge
    this.#toasts = toasts
  }

  async export(): Promise<void> {
    const answer = await this.#alone(() => this.#bridge.exportEdits())
    if (answer?.ok && answer.value.saved) this.#toasts.say(exportedWords(answer.value))
  }

  async import(): Promise<void> {
    const answer = await this.#alone(() => this.#bridge.importEdits())
    this.#toasts.progress = null
    if (answer?.ok && answer.value) this.imported = answer.value
  }

  /** A long import is being read. */
  goes({ done, total }: EventPayload<'importing'>): void {
    if (this.busy) this.#toasts.progress = { text: importing, done, total }
  }

  dismiss(): void {
    this.imported = null
    this.error = null
  }

  reset(): void {
    this.dismiss()
    this.busy = false
  }

  /** One file dialog at a time. */
  async #alone<T extends { ok: true } | { ok: false; error: AppError }>(ask: () => Promise<T>): Promise<T | undefined> {
    if (this.busy) return undefined
    this.busy = true
    this.dismiss()
    const answer = await ask()
    this.busy = false
    if (!answer.ok) this.error = answer.error
    return answer
  }
}
