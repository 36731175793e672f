import { settingNames, type WebsiteSettings } from '../../../shared/website.ts'
import { isApplied } from '../history.ts'
import { meansSame } from '../model/compare.ts'
import type { Note, Save } from '../model/edit.ts'
import { isUndone, lastSaveOf, savesOf, withoutLastSave } from '../model/saves.ts'
import type { OutboxStore } from '../ports.ts'

/** Number of entries of a website's history among which its last save is looked for. */
const ENTRIES = 10

/**
 * Drops the last save of a website if it set these values, because it is undone together with others. Returns what was dropped.
 * A save of a password stays: the password it replaced is not known.
 */
export function dropLastSave(
  store: OutboxStore,
  website: string,
  values: Partial<WebsiteSettings>,
): NonNullable<Note['takesBack']> {
  const isUndoneSave = ({ after, password }: Save): boolean =>
    !password && settingNames.every((name) => after[name] === undefined || meansSame(after, values, name))
  const edit = store.editsOf(website).findLast((one) => savesOf(one).length > 0)
  if (edit !== undefined) {
    const save = savesOf(edit).at(-1)
    if (save === undefined || !isUndoneSave(save)) return []
    store.saveEdit({ ...edit, note: { ...edit.note, saves: savesOf(edit).slice(0, -1) } })
    return [{ edit: edit.id, save }]
  }
  const entry = store
    .historyRecords(website, ENTRIES)
    .find((one) => one.kind === 'update' && one.isUndo !== true && !isUndone(one) && isApplied(one.became))
  if (entry === undefined || !isUndoneSave(lastSaveOf(entry))) return []
  store.saveHistoryRecord(withoutLastSave(entry))
  return [{ edit: entry.id, save: lastSaveOf(entry) }]
}
