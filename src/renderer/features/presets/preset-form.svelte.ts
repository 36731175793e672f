import type { SitewardBridge } from '../../../preload/bridge.ts'
import type { Preset, PresetChange } from '../../../shared/preset.ts'
import type { AppError } from '../../../shared/result.ts'
import type { WebsiteView } from '../../../shared/website.ts'
import { FieldPatch, settingsOf } from '../shared/field-patch.svelte.ts'

/** A preset that is made or changed. What was typed stays until it's kept, or given up. */
export class PresetForm {
  readonly #bridge: SitewardBridge
  readonly #onSaved: (preset: Preset, isNew: boolean) => void

  open = $state(false)
  /** Null: it's a new one. */
  id: string | null = $state(null)
  name = $state('')
  readonly patch = new FieldPatch()
  /** As it was opened. */
  #begun = $state('')
  /** Something was typed or chosen since. */
  readonly filled = $derived(this.#now() !== this.#begun)
  busy = $state(false)
  error: AppError | null = $state.raw(null)

  constructor(bridge: SitewardBridge, onSaved: (preset: Preset, isNew: boolean) => void) {
    this.#bridge = bridge
    this.#onSaved = onSaved
  }

  begin(from: { id: string | null; name: string; change: PresetChange } = { id: null, name: '', change: {} }): void {
    this.id = from.id
    this.name = from.name
    this.patch.fill(from.change)
    this.#begun = this.#now()
    this.error = null
    this.open = true
  }

  /** A new one, that says of each field what this website has. */
  beginWith(website: WebsiteView): void {
    this.begin({ id: null, name: '', change: settingsOf(website) })
  }

  #now(): string {
    return JSON.stringify([this.name, this.patch.change])
  }

  cancel(): void {
    this.open = false
  }

  async save(): Promise<void> {
    if (this.busy) return
    this.busy = true
    const answer = await this.#bridge.savePreset({
      id: this.id,
      name: this.name,
      change: $state.snapshot(this.patch.change),
    })
    this.busy = false
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return
    const isNew = this.id === null
    this.open = false
    this.#onSaved(answer.value, isNew)
  }
}
