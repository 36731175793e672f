import type { SettingName, WebsiteSettings } from '../../../shared/website.ts'
import { isApplied } from '../history.ts'
import { meansSame, namesIn, pickNamed } from '../model/compare.ts'
import { isUnsent, type EditNote, type Save } from '../model/edit.ts'
import { isEntryUndone, lastSaveOf, noteWithSaves, savesOf } from '../model/saves.ts'
import type { OutboxStore } from '../ports.ts'

/** Number of latest entries of a website's history in which {@link dropSave} looks for the save. */
const MAX_SEARCHED_ENTRIES = 10

/**
 * Drops the save that set these values from the saves of a website's pending edit or history entry, so that "Undo the last
 * change" no longer finds it. The values stay: the caller queues an edit that sets them back. Returns what was dropped, or an
 * empty list if there is no such save. `reversed` has the fields that are set back: an unsent edit keeps the other fields of the
 * save. A save of a password stays, because the password it replaced is not known.
 */
export function dropSave(
  store: OutboxStore,
  website: string,
  values: Partial<WebsiteSettings>,
  reversed: Partial<WebsiteSettings>,
): NonNullable<EditNote['takesBack']> {
  /** True if a save set only fields of `values`, each to the same value, and no password. */
  const isUndoneSave = ({ after, password }: Save): boolean =>
    !password && Object.keys(after).length > 0 && namesIn(after).every((name) => meansSame(after, values, name))
  for (const edit of store.editsOf(website).toReversed()) {
    const save = savesOf(edit).findLast(isUndoneSave)
    if (save === undefined) continue
    const rest = isUnsent(edit) ? partOf(save, (name) => reversed[name] === undefined) : null
    const saves = savesOf(edit).flatMap((one) => (one !== save ? [one] : rest === null ? [] : [rest]))
    store.saveEdit({ ...edit, note: noteWithSaves(edit, saves) })
    return [{ edit: edit.id, save: partOf(save, (name) => rest?.after[name] === undefined) ?? save }]
  }
  for (const entry of store.historyRecords(website, MAX_SEARCHED_ENTRIES)) {
    if (entry.kind !== 'update' || entry.isUndo === true || isEntryUndone(entry) || !isApplied(entry.became)) continue
    const { saves = [] } = entry
    const save = saves.length > 1 ? saves.findLast(isUndoneSave) : lastSaveOf(entry)
    if (save === undefined || !isUndoneSave(save)) continue
    const left = saves.filter((one) => one !== save)
    store.saveHistoryRecord(saves.length > 1 ? { ...entry, saves: left } : { ...entry, undone: true })
    return [{ edit: entry.id, save }]
  }
  return []
}

/** Returns the part of a save with these fields, or null if it has none of them. A password belongs to the privacy. */
export function partOf(save: Save, has: (name: SettingName) => boolean): Save | null {
  const names = namesIn(save.after).filter(has)
  const password = save.password && has('privacy')
  return names.length === 0 && !password
    ? null
    : { ...save, before: pickNamed(save.before, names), after: pickNamed(save.after, names), password }
}
