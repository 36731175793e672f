import type { z } from 'zod'
import { m } from '../../messages/index.ts'
import { compareNames, formatNumber } from '../../shared/display/format.ts'
import { MAX_PRESET_NAME } from '../../shared/fields.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { SavedView, viewDraftSchema } from '../../shared/saved-view.ts'
import { MAX_SEARCH, renameInSearch } from '../../shared/search.ts'
import { isPresetName } from '../../shared/validate.ts'
import type { SavedViewStore } from '../storage/list-store.ts'

/** Maximum number of saved views of an account. */
export const MAX_VIEWS = 50

/** Views stay on this computer. Every write can fail with `disk-full`, `storage` or `newer-version`. */
export interface SavedViews {
  /** Sorted by name. Errors: `storage`. */
  list(): Result<SavedView[]>
  /** Saves a view, or adds one if `id` is null or unknown. Errors: `invalid-input` with `fields` (`name`). */
  save(draft: z.infer<typeof viewDraftSchema>): Result<SavedView>
  remove(id: string): Result<void>
}

export function createSavedViews({ store, newId }: { store: SavedViewStore; newId: () => string }): SavedViews {
  const list = (): Result<SavedView[]> => {
    const read = store.savedViews()
    return read.ok ? ok(read.value.toSorted((a, b) => compareNames(a.name, b.name))) : read
  }
  return {
    list,
    save(draft) {
      const read = list()
      if (!read.ok) return read
      const otherViews = read.value.filter(({ id }) => id !== draft.id)
      const name = draft.name.trim().normalize()
      const problem = saveProblem(name, otherViews)
      if (problem !== null) return fail('invalid-input', { fields: { name: [problem] } })
      const view = { ...draft, id: draft.id ?? newId(), name }
      const saved = store.saveView(view)
      return saved.ok ? ok(view) : saved
    },
    remove: (id) => store.removeView(id),
  }
}

/** Renames a tag or a preset in the filters of the saved views. Errors: `disk-full`, `storage`, `newer-version`. */
export function renameInSavedViews(
  store: Pick<SavedViewStore, 'savedViews' | 'saveView'>,
  filter: 'tag' | 'differs',
  was: string,
  name: string,
): Result<void> {
  const views = store.savedViews()
  if (!views.ok) return views
  for (const savedView of views.value) {
    const search = renameInSearch(filter, savedView.search, was, name)
    if (search === savedView.search || search.length > MAX_SEARCH) continue
    const saved = store.saveView({ ...savedView, search })
    if (!saved.ok) return saved
  }
  return ok(undefined)
}

/** Returns the text to show at the name if the view cannot be saved, or null. */
function saveProblem(name: string, otherViews: readonly SavedView[]): string | null {
  if (name === '') return m.input_preset_name_missing()
  if (!isPresetName(name)) return m.input_preset_name_invalid({ limit: formatNumber(MAX_PRESET_NAME) })
  if (otherViews.some((one) => one.name.toLowerCase() === name.toLowerCase())) return m.input_view_name_taken()
  return otherViews.length >= MAX_VIEWS ? m.input_views_too_many({ limit: formatNumber(MAX_VIEWS) }) : null
}
