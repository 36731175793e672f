import { m } from '../../messages/index.ts'
import { compareNames, formatNumber } from '../../shared/display/format.ts'
import { listNames, MAX_PRESETS, MAX_PRESET_NAME } from '../../shared/fields.ts'
import { settingsPatchSchema, type PresetComparison, type Preset, type SettingsPatch } from '../../shared/preset.ts'
import { fail, ok, type FieldErrors, type Result } from '../../shared/result.ts'
import { checkChanges, isPresetName } from '../../shared/validate.ts'
import { MAX_BULK_WEBSITES } from '../../shared/bulk.ts'
import type { DiffersFrom } from '../replica/filter.ts'
import type { View } from '../replica/view.ts'
import { renameInSavedViews } from '../local/saved-views.ts'
import type { OutboxStore } from '../outbox/ports.ts'
import type { PresetStore, SavedViewStore } from '../storage/list-store.ts'
import type { Bulk } from './bulk.ts'
import { differs, isBeingDeleted } from './changes.ts'

const PAGE_SIZE = 50

/** Named sets of settings, which stay on this computer. Every write can fail with `disk-full`, `storage` or `newer-version`. */
export interface Presets {
  /** Returns the presets, sorted by name. Errors: `storage`. */
  list(): Result<Preset[]>
  /**
   * Saves a preset, or adds one if `id` is null. Saved views that filter by a renamed preset are updated. Only one preset is used
   * for new websites: if `forNew` is true, it becomes false for all other presets. Errors: `invalid-input` with `fields` (`name`,
   * `change`), `preset-gone`.
   */
  save(draft: Omit<Preset, 'id'> & { id: string | null }): Result<Preset>
  remove(id: string): Result<void>
  /** Returns a test for websites: true if a website differs from the preset, undefined if unknown or it is being deleted. */
  differsFrom: DiffersFrom
}

interface Ports {
  store: PresetStore & Pick<SavedViewStore, 'savedViews' | 'saveView'> & Pick<OutboxStore, 'write'>
  newId: () => string
}

export function createPresets({ store, newId }: Ports): Presets {
  const list = (): Result<Preset[]> => {
    const read = store.presets()
    return read.ok ? ok(read.value.toSorted((a, b) => compareNames(a.name, b.name))) : read
  }

  return {
    list,
    save({ id, name: typed, change: typedChange, forNew = false, watched = false }) {
      const read = list()
      if (!read.ok) return read
      if (id !== null && !read.value.some((one) => one.id === id)) return fail('preset-gone')
      const otherPresets = read.value.filter((one) => one.id !== id)
      const name = typed.trim().normalize()
      // The schema drops all fields that a preset cannot have, such as a password.
      const change = settingsPatchSchema.parse(typedChange)
      const errors = checkPreset(name, change, otherPresets)
      if (Object.keys(errors).length > 0) return fail('invalid-input', { fields: errors })
      const former = otherPresets.filter((one) => forNew && one.forNew).map((one) => ({ ...one, forNew: undefined }))
      const preset = { id: id ?? newId(), name, change, ...(forNew && { forNew }), ...(watched && { watched }) }
      const was = read.value.find((one) => one.id === id)?.name ?? name
      const saved = store.write(() => {
        const stored = store.savePresets(...former, preset)
        return stored.ok && was !== name ? renameInSavedViews(store, 'differs', was, name) : stored
      })
      return saved.ok ? ok(preset) : saved
    },
    remove: (id) => store.removePreset(id),
    differsFrom(name) {
      const read = store.presets()
      const preset = read.ok ? read.value.find((one) => isCalled(one, name)) : undefined
      return (website) => (preset && !isBeingDeleted(website) ? differs(website, preset.change) : undefined)
    },
  }
}

const isCalled = (preset: Preset, name: string): boolean => preset.name.toLowerCase() === name.toLowerCase()

function checkPreset(name: string, change: SettingsPatch, otherPresets: readonly Preset[]): FieldErrors {
  const errors: FieldErrors = {}
  if (name === '') errors['name'] = [m.input_preset_name_missing()]
  else if (!isPresetName(name)) errors['name'] = [m.input_preset_name_invalid({ limit: formatNumber(MAX_PRESET_NAME) })]
  else if (otherPresets.some((one) => isCalled(one, name))) errors['name'] = [m.input_preset_name_taken()]
  else if (otherPresets.length >= MAX_PRESETS)
    errors['name'] = [m.input_presets_too_many({ limit: formatNumber(MAX_PRESETS) })]
  return { ...errors, ...checkPresetChange(change) }
}

/** Returns the errors in the settings of a preset, by field. If there are no settings, the field is `change`. */
export function checkPresetChange(change: SettingsPatch): FieldErrors {
  const errors: FieldErrors = {}
  if (Object.keys(change).length === 0) errors['change'] = [m.input_preset_empty()]
  for (const list of listNames) {
    const patch = change[list]
    const lines = patch?.how === 'set' ? patch.lines : [...(patch?.add ?? []), ...(patch?.remove ?? [])]
    Object.assign(errors, checkChanges({ [list]: lines }, {}))
  }
  return errors
}

export interface ComparisonPorts {
  presets: Pick<Presets, 'list'>
  view: Pick<View, 'judge'>
  bulk: Pick<Bulk, 'compare'>
}

/**
 * Returns a page of the websites that differ from a preset, with their differences and the number of all that differ. Only the
 * first {@link MAX_BULK_WEBSITES} are on pages. `page` counts from 1; beyond the last page, the last one is returned. Errors:
 * `preset-gone`, `storage`.
 */
export async function compareWithPreset(
  { presets, view, bulk }: ComparisonPorts,
  id: string,
  page: number,
): Promise<Result<PresetComparison>> {
  const read = presets.list()
  if (!read.ok) return read
  const preset = read.value.find((one) => one.id === id)
  if (preset === undefined) return fail('preset-gone')
  const judged = await view.judge([{ name: 'differs', value: preset.name, not: false }])
  if (!judged.ok) return judged
  const { keys, unknown, total } = judged.value
  const differing = keys.length
  const pages = Math.max(1, Math.ceil(Math.min(differing, MAX_BULK_WEBSITES) / PAGE_SIZE))
  const from = (Math.min(page, pages) - 1) * PAGE_SIZE
  const { rows } = await bulk.compare(keys.slice(from, from + PAGE_SIZE), preset.change, 1)
  return ok({ total, differing, unknown, rows, pages })
}
