import type { SettingName, WebsiteSettings } from '../../../shared/website.ts'
import { isApplied } from '../history.ts'
import { isSameIgnoringOrder, namesIn, pickNamed } from '../model/compare.ts'
import { isUnsent, type EditNote, type Save } from '../model/edit.ts'
import { isEntryUndone, lastSaveOf, noteWithSaves, savesOf } from '../model/saves.ts'
import type { OutboxStore } from '../ports.ts'

const MAX_SEARCHED_HISTORY_RECORDS = 10

/**
 * Removes the save that set these values from its edit or history record, so that "Undo the last change" no longer finds it. The
 * values stay: the caller queues their reverse. Returns what was removed. `reversed`: the fields that are set back; an unsent
 * edit keeps the other fields of the save. A save of a password stays, because the replaced password is not known.
 */
export function dropSave(
  store: OutboxStore,
  website: string,
  values: Partial<WebsiteSettings>,
  reversed: Partial<WebsiteSettings>,
): NonNullable<EditNote['takesBack']> {
  const isUndoneSave = ({ after, password }: Save): boolean =>
    !password &&
    Object.keys(after).length > 0 &&
    namesIn(after).every((name) => isSameIgnoringOrder(after, values, name))
  for (const edit of store.editsOf(website).toReversed()) {
    const save = savesOf(edit).findLast(isUndoneSave)
    if (save === undefined) continue
    const rest = isUnsent(edit) ? partOf(save, (name) => reversed[name] === undefined) : null
    const saves = savesOf(edit).flatMap((one) => (one !== save ? [one] : rest === null ? [] : [rest]))
    store.saveEdit({ ...edit, note: noteWithSaves(edit, saves) })
    return [{ edit: edit.id, save: partOf(save, (name) => rest?.after[name] === undefined) ?? save }]
  }
  for (const entry of store.historyRecords(website, MAX_SEARCHED_HISTORY_RECORDS)) {
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

/** Returns the part of a save that has these fields, or null if there is none. A password belongs to the field `privacy`. */
export function partOf(save: Save, has: (name: SettingName) => boolean): Save | null {
  const names = namesIn(save.after).filter(has)
  const password = save.password && has('privacy')
  return names.length === 0 && !password
    ? null
    : { ...save, before: pickNamed(save.before, names), after: pickNamed(save.after, names), password }
}
