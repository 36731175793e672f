import { joinSentences } from '../../../shared/display/format.ts'
import { fullErrorText } from '../../../messages/errors.ts'
import { m } from '../../../messages/index.ts'
import type { CommandValue, EventPayload, SitewardBridge } from '../../../preload/bridge.ts'
import type { ImportResult, ImportEffect } from '../../../shared/edit.ts'
import type { AppError } from '../../../shared/result.ts'
import type { Toasts } from '../../app/toasts.svelte.ts'

function exportedText({ edits, secrets }: CommandValue<'exportEdits'>): string {
  const exported = m.transfer_exported({ count: edits })
  return joinSentences([exported, secrets > 0 && m.transfer_exported_secrets({ count: secrets })])
}

/** Exports the pending edits to a file, and imports edits from a file. */
export class EditTransfer {
  readonly #bridge: SitewardBridge
  readonly #toasts: Toasts

  busy = $state(false)
  /** The effect that the import of the chosen file would have. Null after the user has confirmed or canceled it. */
  summary: ImportEffect | null = $state.raw(null)
  /** The result of the last import, until the user dismisses it. */
  imported: ImportResult | null = $state.raw(null)
  error: AppError | null = $state.raw(null)
  /** Incremented whenever another account is shown, to recognize a response that is about the former account. */
  #resets = 0

  constructor(bridge: SitewardBridge, toasts: Toasts) {
    this.#bridge = bridge
    this.#toasts = toasts
  }

  /** Writes the pending changes to a file. A toast shows the result, even if another account is shown by then. */
  async export(): Promise<void> {
    await this.#alone(async () => {
      const resets = this.#resets
      const answer = await this.#bridge.exportEdits()
      if (answer.ok && answer.value.saved) this.#toasts.show(exportedText(answer.value))
      if (!answer.ok && resets !== this.#resets) this.#toasts.show(fullErrorText(answer.error))
      return answer
    })
  }

  /** Lets the user choose a file, and shows what its import would change. {@link confirm} imports it. */
  async import(): Promise<void> {
    const answer = await this.#alone(() => this.#bridge.importEdits())
    this.#toasts.progress = null
    if (answer?.ok) this.summary = answer.value
  }

  /** Imports the file that was chosen in {@link import}. */
  async confirm(): Promise<void> {
    const answer = await this.#alone(() => this.#bridge.finishImport({ confirmed: true }))
    this.#toasts.progress = null
    if (answer?.ok) this.imported = answer.value
  }

  cancel(): void {
    if (this.summary === null) return
    this.summary = null
    void this.#bridge.finishImport({ confirmed: false })
  }

  showProgress({ done, total }: EventPayload<'importing'>): void {
    if (this.busy) this.#toasts.progress = { text: m.transfer_importing(), done, total }
  }

  dismiss(): void {
    this.cancel()
    this.imported = null
    this.error = null
  }

  reset(): void {
    this.#resets += 1
    this.dismiss()
    this.busy = false
  }

  /** Runs `ask` and stores its error. Undefined during another export or import, or if the account has changed at the end. */
  async #alone<T extends { ok: true } | { ok: false; error: AppError }>(ask: () => Promise<T>): Promise<T | undefined> {
    if (this.busy) return undefined
    this.busy = true
    this.summary = null
    this.imported = null
    this.error = null
    const resets = this.#resets
    const answer = await ask()
    if (resets !== this.#resets) return undefined
    this.busy = false
    if (!answer.ok) this.error = answer.error
    return answer
  }
}
