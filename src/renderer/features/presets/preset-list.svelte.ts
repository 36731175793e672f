import type { PresetComparison, Preset, SettingsPatch } from '../../../shared/preset.ts'
import type { AppError, Result } from '../../../shared/result.ts'
import { MAX_BULK_WEBSITES } from '../../../shared/fields.ts'
import { renameInSearch, serializeSearch } from '../../../shared/search.ts'
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
  readonly bulk: { beginWith(keys: Result<string[]>, change: SettingsPatch): void }
}

/** Milliseconds after the last change of a website. While edits are sent, hundreds of changes arrive. */
const COMPARE_DELAY = 400

/** The comparison with a preset, and the shown page of the websites that differ. */
interface ComparisonPage {
  page: number
  comparison: PresetComparison
}

/** The presets of the account, and how its websites differ from them. */
export class PresetList {
  readonly #app: App
  #pause: ReturnType<typeof setTimeout> | undefined

  entries: Preset[] | null = $state.raw(null)
  error: AppError | null = $state.raw(null)
  /** The comparison with each preset, by the id of the preset. */
  standings: Readonly<Record<string, ComparisonPage>> = $state.raw({})
  /** The preset in the open question whether to delete it. */
  removing: Preset | null = $state.raw(null)
  /** The settings that the user has copied from a website. */
  copied: SettingsPatch | null = $state.raw(null)
  readonly form: PresetForm
  /** The new ids of presets that were deleted and restored, by their old ids. */
  #restored: Readonly<Record<string, string>> = {}

  readonly names: readonly string[] = $derived((this.entries ?? []).map(({ name }) => name))

  readonly forNew: Preset | null = $derived(this.entries?.find((preset) => preset.forNew) ?? null)

  constructor(app: App) {
    this.#app = app
    this.form = new PresetForm(app.bridge, (saved) => this.#saved(saved))
  }

  /** Applies a saved preset, and shows a toast whose button stores the former presets again. */
  #saved(saved: Preset): void {
    const { bridge, toasts } = this.#app
    const former = this.entries?.find(({ id }) => id === saved.id)
    const { forNew } = this
    this.#reload(saved, former)
    const undo = async () => {
      const id = this.#idNow(saved.id)
      const undone = former ? await bridge.savePreset({ ...former, id }) : await bridge.removePreset({ id })
      if (!undone.ok) return undone.error
      // The saved preset may have replaced another one as the preset for new websites, and may still do so.
      const hasTaken = this.forNew?.id === id && forNew?.id !== saved.id
      const replaced = this.entries?.find((one) => hasTaken && forNew && one.id === this.#idNow(forNew.id))
      if (replaced) await bridge.savePreset({ ...replaced, forNew: true })
      const { name } = former ?? saved
      toasts.show(
        former ? m.preset_restored({ name: isolateText(name) }) : m.preset_deleted({ name: isolateText(name) }),
      )
      this.#reload(former ?? saved, saved)
      return null
    }
    // The preset that was replaced for new websites has changed too.
    const objects = [saved.id, ...(saved.forNew && forNew ? [forNew.id] : [])]
    toasts.showUndo(m.preset_saved({ name: isolateText(saved.name) }), m.common_undo(), undo, { objects })
  }

  /** Returns the current id of a preset. A preset that was deleted and restored has a new one. */
  #idNow(id: string): string {
    return this.#restored[id] ?? id
  }

  /** Reloads the presets. If `was` had another name, updates the search and the saved views that filter by it. */
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
    // The search filters by presets, so its results may change.
    if (this.#app.websites.search.includes('differs:')) {
      const { selection } = this.#app.websites
      // At the first load, a search by tags can look invalid, because the tags aren't loaded yet. It must not clear the selection.
      if (before === 'null') selection.websitesChanged(null)
      else selection.namesChanged()
      void this.#app.websites.load()
    }
    await this.compare()
  })

  /** Compares the websites with each preset, if the Presets screen is shown. */
  readonly compare = coalesced(async () => {
    if (this.#app.screen !== 'presets') return
    for (const { id } of this.entries ?? []) await this.#read(id, this.standings[id]?.page ?? 1)
  })

  /** Repeats the comparisons after {@link COMPARE_DELAY}, if the Presets screen is shown. */
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
    // If there are fewer pages, main returns the last one.
    const shown = { page: Math.min(page, answer.value.pages), comparison: answer.value }
    this.standings = { ...this.standings, [id]: shown }
  }

  show({ name }: Preset): void {
    this.#app.screen = 'websites'
    this.#app.websites.type(serializeSearch([{ name: 'differs', value: name, not: false }], ''))
  }

  /** Opens the bulk change that applies a preset to all websites that differ from it. Shows a toast if there are none. */
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

  /** Shows that a preset was deleted, with a button that adds it again. */
  #offerUndo(preset: Preset): void {
    const { bridge, toasts } = this.#app
    const name = isolateText(preset.name)
    const undo = async () => {
      // Another preset may have been chosen for new websites since.
      const forNew = preset.forNew === true && this.forNew === null
      const restored = await bridge.savePreset({ ...preset, id: null, forNew })
      if (!restored.ok) return restored.error
      const { id } = restored.value
      const idNow = (now: string) => (now === preset.id ? id : now)
      const earlier = Object.entries(this.#restored).map(([former, now]) => [former, idNow(now)])
      this.#restored = { ...Object.fromEntries(earlier), [preset.id]: id }
      toasts.show(m.preset_restored({ name }))
      await this.load()
      return null
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
