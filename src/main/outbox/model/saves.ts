import { listNames } from '../../../shared/fields.ts'
import { PRIVACY, type SettingName, type WebsiteSettings } from '../../../shared/website.ts'
import { isSame, namesIn, pickNamed, pickCommon } from './compare.ts'
import { MISSING_PASSWORD, type Edit, type EditNote, type Save } from './edit.ts'
import type { HistoryRecord } from './history-record.ts'
import { mergeLines } from './merge-lines.ts'

type Settings = Partial<WebsiteSettings>

/** Maximum number of saves that are kept of one edit. The oldest are dropped. */
export const MAX_SAVES = 50

/** The places among all saves with `after` < place ≤ `until`. */
export interface SaveOrderRange {
  after: number
  until: number
}

/** Returns the saves of an edit, the oldest first. */
export const savesOf = ({ note }: Pick<Edit, 'note'>): readonly Save[] => note?.saves ?? []

/** The domain of an existing website can't be changed, so changes of the domain are left out. */
export const savesUndoableOnceSent = (edit: Pick<Edit, 'note'>): Save[] =>
  savesOf(edit).flatMap(({ domain, ...save }) =>
    domain === undefined || save.password || Object.keys(save.after).length > 0 ? [save] : [],
  )

/** A create gets no empty list of saves, which would mean that the create itself was undone. */
export function noteWithSaves({ kind, note }: Pick<Edit, 'kind' | 'note'>, saves: Save[]): EditNote {
  const noted: EditNote = { ...note, saves }
  if (kind === 'create' && saves.length === 0) Reflect.deleteProperty(noted, 'saves')
  return noted
}

/** Returns a create with {@link savesUndoableOnceSent} as its only saves, and any other edit unchanged. */
export const withSavesUndoableOnceSent = (edit: Edit): Edit =>
  edit.kind === 'create' ? { ...edit, note: noteWithSaves(edit, savesUndoableOnceSent(edit)) } : edit

/** True if the user has undone every save of an edit. */
export const isAllUndone = ({ note }: Pick<Edit, 'note'>): boolean => note?.saves?.length === 0

/** True if the user has undone the edit of a history record, or each of its saves. */
export const isEntryUndone = ({ undone, saves }: HistoryRecord): boolean => undone || saves?.length === 0

/** Returns the last save of a history record that was not undone. A record without stored saves counts as one save. */
export function lastSaveOf({ saves = [], before, settings, ignored, isRead }: HistoryRecord): Save {
  const last = saves.at(-1) ?? { before: pickCommon(before, settings), after: settings, password: false }
  if (saves.length > 1 || isRead === true) return last
  // A host may store the lines of a list differently than they were sent, so lists of the response count as ours. In other
  // fields, a value that we have not sent is another client's.
  const lists = pickNamed(pickCommon(ignored, last.after), listNames)
  return { ...last, after: { ...last.after, ...lists } }
}

/** Returns the entry without its last save. An entry without another save counts as undone. */
export const withoutLastSave = (entry: HistoryRecord): HistoryRecord => {
  const { saves = [] } = entry
  return saves.length > 1 ? { ...entry, saves: saves.slice(0, -1) } : { ...entry, undone: true }
}

/** True if a save that was not undone set the field. The saves of an edit that is itself an undo count only with `withUndo`. */
export const stillSets = (
  { settings, saves, isUndo }: Pick<HistoryRecord, 'settings' | 'saves' | 'isUndo'>,
  name: SettingName,
  withUndo = false,
): boolean =>
  (isUndo !== true || withUndo) &&
  (saves === undefined ? settings : Object.assign({}, ...saves.map(({ after }) => after)))[name] !== undefined

/**
 * True if a save of the user is part of the edit. False for an edit that comes only from an undo, a repair, an import or a look
 * for late writes.
 */
export const isFromSave = ({ note = {}, kind }: Pick<Edit, 'note' | 'kind'>): boolean => {
  // The saves and the `isUndo` of a delete are those of the update that it superseded.
  if (kind === 'delete') return note.order !== undefined
  return note.isUndo !== true && ((note.saves ?? []).length > 0 || (kind === 'create' && note.order !== undefined))
}

/** A save of an earlier version of the app has only a time, which gives the same order unless the clock was set back. */
export const orderOf = ({ order, at }: Save): number | undefined => order ?? at

/** Returns the place of the last save that was not undone. `changedAt`: the place of an edit that keeps no saves. */
export function orderOfLastSave({
  kind,
  saves = [],
  changedAt,
}: Pick<Edit, 'kind' | 'changedAt'> & { saves?: readonly Save[] | undefined }): number {
  const last = kind === 'delete' ? undefined : saves.at(-1)
  return (last && orderOf(last)) ?? changedAt
}

/** Returns the save of the fields in which `settings` differ from `shown`, the settings before. Null if nothing is saved. */
export function saveOf(shown: Settings, settings: Settings, password: boolean): Save | null {
  const names = namesIn(settings).filter((name) => !isSame(shown, settings, name))
  const [before, after] = [pickNamed(shown, names), pickNamed(settings, names)]
  return names.length === 0 && !password ? null : { before, after, password }
}

/** Returns the saves of two merged edits, without the oldest ones beyond the maximum. */
export const joinedSaves = (earlier: readonly Save[], later: readonly Save[]): Save[] =>
  [...earlier, ...later].slice(-MAX_SAVES)

/**
 * Returns the value of a field after a save of it is undone (docs/sync.md#undo): the value before the save, or undefined if that
 * is unknown. In a list, only the lines that the save added or removed are set back.
 */
export function valueAfterUndo(save: Save, now: Settings, name: SettingName): WebsiteSettings[SettingName] | undefined {
  const [before, after, theirs] = [save.before[name], save.after[name], now[name]]
  if (!Array.isArray(before) || !Array.isArray(after) || !Array.isArray(theirs)) return before
  return mergeLines({ base: after, theirs, ours: before })
}

/** Returns {@link MISSING_PASSWORD} if the undo brings back a password that was never sent (docs/sync.md#undo), else null. */
export const missingPasswordForUndo = (
  isOfCreate: boolean,
  saves: readonly Save[],
  { privacy }: Partial<WebsiteSettings>,
): Edit['sealed'] =>
  privacy === PRIVACY.password && (isOfCreate || saves.slice(0, -1).some(({ password }) => password))
    ? MISSING_PASSWORD
    : null
