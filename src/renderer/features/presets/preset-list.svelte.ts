import type { Comparison, Preset, PresetChange } from '../../../shared/preset.ts'
import type { AppError, Result } from '../../../shared/result.ts'
import { MOST_AT_ONCE } from '../../../shared/fields.ts'
import { differsFilter } from '../../../shared/search.ts'
import { m } from '../../../messages/index.ts'
import { isolated } from '../../../shared/display/visible.ts'
import { coalesced } from '../../lib/coalesced.ts'
import type { SitewardBridge } from '../../../preload/bridge.ts'
import type { Toasts } from '../../app/toasts.svelte.ts'
import type { Screen } from '../../../shared/destination.ts'
import { PresetForm } from './preset-form.svelte.ts'

interface App {
  readonly bridge: SitewardBridge
  readonly websites: { readonly search: string; load(): Promise<void>; type(search: string): void }
  readonly toasts: Toasts
  readonly bulk: { beginWith(keys: Result<string[]>, change: PresetChange): void }
  screen: Screen
}

/** Websites change by the hundred while they are sent: they are compared once that pauses. Milliseconds. */
const PAUSE = 400

/** How the websites stand to a preset, and which page of those that differ is looked at. */
interface Standing {
  page: number
  comparison: Comparison
}

/** The presets of the connection, and how its websites stand to each. */
export class PresetList {
  readonly #app: App
  #pause: ReturnType<typeof setTimeout> | undefined

  /** Null: they aren't read yet. */
  entries: Preset[] | null = $state.raw(null)
  error: AppError | null = $state.raw(null)
  /** By their ids. */
  standings: Readonly<Record<string, Standing>> = $state.raw({})
  /** The question before this one is deleted. */
  removing: Preset | null = $state.raw(null)
  /** The settings that the user copied from a website. */
  copied: PresetChange | null = $state.raw(null)
  readonly form: PresetForm

  readonly names: readonly string[] = $derived((this.entries ?? []).map(({ name }) => name))

  constructor(app: App) {
    this.#app = app
    this.form = new PresetForm(app.bridge, ({ name }, isNew) => {
      if (isNew) app.toasts.say(m.preset_saved({ name: isolated(name) }))
      void this.load()
    })
  }

  readonly load = coalesced(async () => {
    const before = JSON.stringify(this.entries)
    const answer = await this.#app.bridge.listPresets()
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return
    this.entries = answer.value
    if (JSON.stringify(answer.value) === before) return
    // Websites may be sought by them.
    if (this.#app.websites.search.includes('differs:')) void this.#app.websites.load()
    await this.compare()
  })

  /** How all the websites stand to each of them, as far as anybody looks at that. */
  readonly compare = coalesced(async () => {
    if (this.#app.screen !== 'presets') return
    for (const { id } of this.entries ?? []) await this.#read(id, this.standings[id]?.page ?? 1)
  })

  websitesChanged(): void {
    clearTimeout(this.#pause)
    this.#pause = setTimeout(() => void this.compare(), PAUSE)
  }

  async goTo(id: string, page: number): Promise<void> {
    await this.#read(id, page)
  }

  async #read(id: string, page: number): Promise<void> {
    const answer = await this.#app.bridge.comparePreset({ id, page })
    if (answer.ok) this.standings = { ...this.standings, [id]: { page, comparison: answer.value } }
  }

  /** The list, of the websites that differ alone. */
  show({ name }: Preset): void {
    this.#app.screen = 'websites'
    this.#app.websites.type(`${differsFilter(name)} `)
  }

  /** To those that differ, as a change of many websites: it's looked at before anything is queued. */
  async applyToThose({ name, change }: Preset): Promise<void> {
    const filters = [{ name: 'differs' as const, value: name, not: false }]
    const asked = {
      search: '',
      filters,
      sort_by: 'domain' as const,
      sort: 'asc' as const,
      from: 0,
      count: MOST_AT_ONCE,
    }
    const differing = await this.#app.bridge.listKeys(asked)
    if (differing.ok && differing.value.length === 0) this.#app.toasts.say(m.preset_none_differ())
    else this.#app.bulk.beginWith(differing, change)
  }

  async confirmRemoval(): Promise<void> {
    const { removing } = this
    this.removing = null
    if (removing === null) return
    const answer = await this.#app.bridge.removePreset({ id: removing.id })
    if (answer.ok) this.#app.toasts.say(m.preset_deleted({ name: isolated(removing.name) }))
    else this.error = answer.error
    await this.load()
  }

  reset(): void {
    clearTimeout(this.#pause)
    this.entries = null
    this.standings = {}
    this.error = null
    this.removing = null
    this.form.cancel()
  }
}
