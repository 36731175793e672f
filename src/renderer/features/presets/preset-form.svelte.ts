import type { SitewardBridge } from '../../../preload/bridge.ts'
import type { Preset } from '../../../shared/preset.ts'
import type { AppError } from '../../../shared/result.ts'
import type { WebsiteView } from '../../../shared/website.ts'
import { FieldPatch, settingsOf } from '../shared/field-patch.svelte.ts'

/** The form of a preset. The input stays until it is saved or the user closes the form. */
export class PresetForm {
  readonly #bridge: SitewardBridge
  readonly #onSaved: (preset: Preset) => void

  open = $state(false)
  /** The id of the edited preset, or null for a new one. */
  id: string | null = $state(null)
  name = $state('')
  /** True if new websites start with the settings of this preset. */
  forNew = $state(false)
  /** True if the user is notified when more websites differ from the preset. */
  watched = $state(false)
  readonly patch = new FieldPatch()
  /** The input when the form was opened, as JSON. */
  #initialText = $state('')
  readonly filled = $derived(this.#now() !== this.#initialText)
  busy = $state(false)
  error: AppError | null = $state.raw(null)

  constructor(bridge: SitewardBridge, onSaved: (preset: Preset) => void) {
    this.#bridge = bridge
    this.#onSaved = onSaved
  }

  /** Opens the form for a preset, by default for a new one without settings. */
  begin(from: Omit<Preset, 'id'> & { id: string | null } = { id: null, name: '', change: {} }): void {
    this.id = from.id
    this.name = from.name
    this.forNew = from.forNew ?? false
    this.watched = from.watched ?? false
    this.patch.fill(from.change)
    this.#initialText = this.#now()
    this.error = null
    this.open = true
  }

  /** Opens the form for a new preset with the settings of a website. */
  beginWith(website: WebsiteView): void {
    this.begin({ id: null, name: '', change: settingsOf(website) })
  }

  /** Returns the input as JSON, for comparisons. */
  #now(): string {
    return JSON.stringify([this.name, this.forNew, this.watched, this.patch.change])
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
      forNew: this.forNew,
      watched: this.watched,
    })
    this.busy = false
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return
    this.open = false
    this.#onSaved(answer.value)
  }
}
