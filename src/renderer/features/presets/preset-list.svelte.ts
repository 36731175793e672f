import type { PresetComparison, Preset, PresetPatch } from '../../../shared/preset.ts'
import type { AppError, Result } from '../../../shared/result.ts'
import { MAX_BULK_WEBSITES } from '../../../shared/fields.ts'
import { renameInSearch, serializeSearch } from '../../../shared/search.ts'
import { fullErrorText } from '../../../messages/errors.ts'
import { m } from '../../../messages/index.ts'
import { isolateText } from '../../../shared/display/visible.ts'
import { coalesced } from '../../lib/coalesced.ts'
import { PresetForm } from './preset-form.svelte.ts'
import type { BaseApp } from '../../app/base-app.ts'

interface App extends BaseApp {
  readonly websites: {
    search: string
    readonly selection: { namesChanged(): void; websitesChanged(keys: null): void }
    load(): Promise<void>
    type(search: string): void
  }
  readonly views: { load(): Promise<void> }
  readonly bulk: { beginWith(keys: Result<string[]>, change: PresetPatch): void }
}

/** Delay of the comparison in milliseconds, because websites change by the hundred while edits are sent. */
const COMPARE_DELAY = 400

/** The comparison of the websites with a preset, and the page of differing websites that is shown. */
interface ComparisonPage {
  page: number
  comparison: PresetComparison
}

/** The presets of the connection, with a comparison of its websites with each. */
export class PresetList {
  readonly #app: App
  #pause: ReturnType<typeof setTimeout> | undefined

  /** Null until they are read. */
  entries: Preset[] | null = $state.raw(null)
  error: AppError | null = $state.raw(null)
  /** The comparisons that were read, by the id of the preset. */
  standings: Readonly<Record<string, ComparisonPage>> = $state.raw({})
  /** The preset that the user is asked about before it is deleted. */
  removing: Preset | null = $state.raw(null)
  /** The settings that the user copied from a website. */
  copied: PresetPatch | null = $state.raw(null)
  readonly form: PresetForm
  /** The ids of deleted presets that were restored, and those that they have since. */
  #restored: Readonly<Record<string, string>> = {}

  readonly names: readonly string[] = $derived((this.entries ?? []).map(({ name }) => name))

  /** The preset with which new websites start, if there is one. */
  readonly forNew: Preset | null = $derived(this.entries?.find((preset) => preset.forNew) ?? null)

  constructor(app: App) {
    this.#app = app
    this.form = new PresetForm(app.bridge, (saved) => this.#saved(saved))
  }

  /** Shows the saved preset, and a toast with a button that stores the presets as they were before. */
  #saved(saved: Preset): void {
    const { bridge, toasts } = this.#app
    const former = this.entries?.find(({ id }) => id === saved.id)
    const { forNew } = this
    this.#reload(saved, former)
    const undo = async () => {
      const id = this.#idNow(saved.id)
      const undone = former ? await bridge.savePreset({ ...former, id }) : await bridge.removePreset({ id })
      if (!undone.ok) return toasts.show(fullErrorText(undone.error))
      // The saved preset may still be used for new websites in place of another one.
      const hasTaken = this.forNew?.id === id && forNew?.id !== saved.id
      const replaced = this.entries?.find((one) => hasTaken && forNew && one.id === this.#idNow(forNew.id))
      if (replaced) await bridge.savePreset({ ...replaced, forNew: true })
      const { name } = former ?? saved
      toasts.show(
        former ? m.preset_restored({ name: isolateText(name) }) : m.preset_deleted({ name: isolateText(name) }),
      )
      this.#reload(former ?? saved, saved)
    }
    // The preset that is no longer used for new websites has changed too.
    const objects = [saved.id, ...(saved.forNew && forNew ? [forNew.id] : [])]
    toasts.showUndo(m.preset_saved({ name: isolateText(saved.name) }), m.common_undo(), undo, { objects })
  }

  /** Returns the id that a preset has now: a deleted one that was restored has another. */
  #idNow(id: string): string {
    return this.#restored[id] ?? id
  }

  /** Loads the presets. If `was` had another name, the search and the saved views use the new one, so that they still filter by it. */
  #reload({ name }: Preset, was: Preset | undefined): void {
    const { views, websites } = this.#app
    if (was && was.name !== name) {
      websites.search = renameInSearch('differs', websites.search, was.name, name)
      void views.load()
    }
    void this.load()
  }

  readonly load = coalesced(async () => {
    const before = JSON.stringify(this.entries)
    const answer = await this.#app.bridge.listPresets()
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return
    this.entries = answer.value
    if (JSON.stringify(answer.value) === before) return
    // A search may filter by presets.
    if (this.#app.websites.search.includes('differs:')) {
      const { selection } = this.#app.websites
      // At the first load, the search may also filter by tags that are not loaded yet.
      if (before === 'null') selection.websitesChanged(null)
      else selection.namesChanged()
      void this.#app.websites.load()
    }
    await this.compare()
  })

  /** Compares the websites with each preset, if the screen shows it. */
  readonly compare = coalesced(async () => {
    if (this.#app.screen !== 'presets') return
    for (const { id } of this.entries ?? []) await this.#read(id, this.standings[id]?.page ?? 1)
  })

  /** Repeats the comparisons once no website has changed for {@link COMPARE_DELAY}, if the screen shows them. */
  websitesChanged(): void {
    clearTimeout(this.#pause)
    this.#pause = setTimeout(() => void this.compare(), COMPARE_DELAY)
  }

  async goTo(id: string, page: number): Promise<void> {
    await this.#read(id, page)
  }

  async #read(id: string, page: number): Promise<void> {
    const answer = await this.#app.bridge.comparePreset({ id, page })
    if (!answer.ok) return
    // Main returns the last page if there are fewer pages.
    const shown = { page: Math.min(page, answer.value.pages), comparison: answer.value }
    this.standings = { ...this.standings, [id]: shown }
  }

  /** Shows the list of the websites that differ from a preset. */
  show({ name }: Preset): void {
    this.#app.screen = 'websites'
    this.#app.websites.type(serializeSearch([{ name: 'differs', value: name, not: false }], ''))
  }

  /** Opens the bulk change that applies a preset to the websites that differ from it, or shows a toast if there are none. */
  async applyToDiffering({ name, change }: Preset): Promise<void> {
    const filters = [{ name: 'differs' as const, value: name, not: false }]
    const request = {
      search: '',
      filters,
      sort_by: 'domain' as const,
      sort: 'asc' as const,
      from: 0,
      count: MAX_BULK_WEBSITES,
    }
    const differing = await this.#app.bridge.listKeys(request)
    if (differing.ok && differing.value.length === 0) this.#app.toasts.show(m.preset_none_differ())
    else this.#app.bulk.beginWith(differing, change)
  }

  async confirmRemoval(): Promise<void> {
    const { removing } = this
    this.removing = null
    if (removing === null) return
    const answer = await this.#app.bridge.removePreset({ id: removing.id })
    if (answer.ok) this.#offerUndo(removing)
    else this.error = answer.error
    await this.load()
  }

  /** Shows a toast that a preset was deleted, with a button that adds it again. */
  #offerUndo(preset: Preset): void {
    const { bridge, toasts } = this.#app
    const name = isolateText(preset.name)
    const undo = async () => {
      // Another preset may be used for new websites since.
      const forNew = preset.forNew === true && this.forNew === null
      const restored = await bridge.savePreset({ ...preset, id: null, forNew })
      if (restored.ok) {
        const { id } = restored.value
        const idNow = (now: string) => (now === preset.id ? id : now)
        const earlier = Object.entries(this.#restored).map(([former, now]) => [former, idNow(now)])
        this.#restored = { ...Object.fromEntries(earlier), [preset.id]: id }
      }
      toasts.show(restored.ok ? m.preset_restored({ name }) : fullErrorText(restored.error))
      await this.load()
    }
    toasts.showUndo(m.preset_deleted({ name }), m.common_undo(), undo, { objects: [preset.id] })
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
