import { settingNames, type WebsiteSettings } from '../../../shared/website.ts'
import { isApplied } from '../history.ts'
import { meansSame } from '../model/compare.ts'
import type { Note, Save } from '../model/edit.ts'
import { isUndone, lastSaveOf, savesOf } from '../model/saves.ts'
import type { OutboxStore } from '../ports.ts'

/** Number of entries of a website's history among which the save is looked for. */
const ENTRIES = 10

/**
 * Drops the save of a website that set these values, because it is undone together with others. Returns what was dropped. A save of
 * a password stays: the password it replaced is not known.
 */
export function dropSave(
  store: OutboxStore,
  website: string,
  values: Partial<WebsiteSettings>,
): NonNullable<Note['takesBack']> {
  const isUndoneSave = ({ after, password }: Save): boolean =>
    !password && settingNames.every((name) => after[name] === undefined || meansSame(after, values, name))
  for (const edit of store.editsOf(website).toReversed()) {
    const save = savesOf(edit).findLast(isUndoneSave)
    if (save === undefined) continue
    store.saveEdit({ ...edit, note: { ...edit.note, saves: savesOf(edit).filter((one) => one !== save) } })
    return [{ edit: edit.id, save }]
  }
  for (const entry of store.historyRecords(website, ENTRIES)) {
    if (entry.kind !== 'update' || entry.isUndo === true || isUndone(entry) || !isApplied(entry.became)) continue
    const { saves = [] } = entry
    const save = saves.length > 1 ? saves.findLast(isUndoneSave) : lastSaveOf(entry)
    if (save === undefined || !isUndoneSave(save)) continue
    const left = saves.filter((one) => one !== save)
    store.saveHistoryRecord(saves.length > 1 ? { ...entry, saves: left } : { ...entry, undone: true })
    return [{ edit: entry.id, save }]
  }
  return []
}
