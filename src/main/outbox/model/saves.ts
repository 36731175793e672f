import { listNames } from '../../../shared/fields.ts'
import { PRIVACY, type SettingName, type WebsiteSettings } from '../../../shared/website.ts'
import { isSame, namesIn, pickNamed, pickTouched } from './compare.ts'
import { MISSING_PASSWORD, type Edit, type EditNote, type Save } from './edit.ts'
import type { HistoryRecord } from './history-record.ts'
import { mergeLines } from './merge-lines.ts'

type Settings = Partial<WebsiteSettings>

/** Maximum number of saves of one edit that are kept, so that each can be undone by itself. Beyond it, the oldest are dropped. */
const MAX_SAVES = 50

/** Places among all saves: those after `after`, up to `until`. */
export interface SaveOrderRange {
  after: number
  until: number
}

/** The saves that went into an edit, the oldest first. */
export const savesOf = ({ note }: Pick<Edit, 'note'>): readonly Save[] => note?.saves ?? []

/**
 * The saves that can still be undone after the edit was sent. The domain of an existing website can't be changed, so saves that
 * changed only the domain are left out, and the other saves lose the domain.
 */
export const savesUndoableOnceSent = (edit: Pick<Edit, 'note'>): Save[] =>
  savesOf(edit).flatMap(({ domain, ...save }) =>
    domain === undefined || save.password || Object.keys(save.after).length > 0 ? [save] : [],
  )

/**
 * Returns the note of an edit with these saves. A create keeps no empty list, which would mean that the create itself was undone.
 */
export function noteWithSaves({ kind, note }: Pick<Edit, 'kind' | 'note'>, saves: Save[]): EditNote {
  const noted: EditNote = { ...note, saves }
  if (kind === 'create' && saves.length === 0) Reflect.deleteProperty(noted, 'saves')
  return noted
}

/** Returns the edit with only the saves that can be undone once it was sent. */
export const withSavesUndoableOnceSent = (edit: Edit): Edit =>
  edit.kind === 'create' ? { ...edit, note: noteWithSaves(edit, savesUndoableOnceSent(edit)) } : edit

/** True if the user has undone every save that went into an edit. */
export const isAllUndone = ({ note }: Pick<Edit, 'note'>): boolean => note?.saves?.length === 0

/** True if the user has undone an entry of the history, or every save that went into it. */
export const isEntryUndone = ({ undone, saves }: HistoryRecord): boolean => undone || saves?.length === 0

/** Returns the last save that an entry still keeps after undos. An entry without stored saves counts as one save. */
export function lastSaveOf({ saves = [], before, settings, ignored, isRead }: HistoryRecord): Save {
  const last = saves.at(-1) ?? { before: pickTouched(before, settings), after: settings, password: false }
  if (saves.length > 1 || isRead === true) return last
  // A host may store the lines of a list differently than they were sent, so the answered list counts as ours. In other fields, a
  // value that this app has not sent is another client's.
  const lists = pickNamed(pickTouched(ignored, last.after), listNames)
  return { ...last, after: { ...last.after, ...lists } }
}

/** Returns an entry without its last save. If that was its only save, the entry counts as undone. */
export const withoutLastSave = (entry: HistoryRecord): HistoryRecord => {
  const { saves = [] } = entry
  return saves.length > 1 ? { ...entry, saves: saves.slice(0, -1) } : { ...entry, undone: true }
}

/**
 * True if an edit, or an entry of the history, has a save of this field that the user has not undone. For an edit that is itself
 * an undo, this is true only if `withUndo` is true.
 */
export const stillSets = (
  { settings, saves, isUndo }: Pick<HistoryRecord, 'settings' | 'saves' | 'isUndo'>,
  name: SettingName,
  withUndo = false,
): boolean =>
  (isUndo !== true || withUndo) &&
  (saves === undefined ? settings : Object.assign({}, ...saves.map(({ after }) => after)))[name] !== undefined

/** True if an edit comes from a save that was not undone, not from an undo, a repair, an import or a look for late writes. */
export const isFromSave = ({ note = {}, kind }: Pick<Edit, 'note' | 'kind'>): boolean => {
  // The saves in a delete, and `isUndo`, are those of the update that it superseded.
  if (kind === 'delete') return note.order !== undefined
  return note.isUndo !== true && ((note.saves ?? []).length > 0 || (kind === 'create' && note.order !== undefined))
}

/**
 * Returns the place of a save among all saves. For a save that an earlier version of the app has stored, returns its time, which
 * gives the same order unless the clock was set back; undefined if it has neither.
 */
export const orderOf = ({ order, at }: Save): number | undefined => order ?? at

/**
 * Returns the place among all saves of the last save in an edit, or in an entry of the history, that was not undone. `changedAt`
 * is the place of an edit that keeps no saves.
 */
export function orderOfLastSave({
  kind,
  saves = [],
  changedAt,
}: Pick<Edit, 'kind' | 'changedAt'> & { saves?: readonly Save[] | undefined }): number {
  const last = kind === 'delete' ? undefined : saves.at(-1)
  return (last && orderOf(last)) ?? changedAt
}

/**
 * Returns the save of the fields in which `settings` differ from `shown`, the settings before the save. Null if none differs and
 * no password is saved.
 */
export function saveOf(shown: Settings, settings: Settings, password: boolean): Save | null {
  const names = namesIn(settings).filter((name) => !isSame(shown, settings, name))
  const [before, after] = [pickNamed(shown, names), pickNamed(settings, names)]
  return names.length === 0 && !password ? null : { before, after, password }
}

/** Joins the saves of two edits, and keeps the last {@link MAX_SAVES}. */
export const joinedSaves = (earlier: readonly Save[], later: readonly Save[]): Save[] =>
  [...earlier, ...later].slice(-MAX_SAVES)

/**
 * Returns what a field becomes when a save of it is undone (docs/sync.md#undo): the value before the save. In a list, only the
 * lines that the save added go, and those that it removed come back, whatever else was done to the list since. Undefined if the
 * value before is unknown.
 */
export function valueAfterUndo(save: Save, now: Settings, name: SettingName): WebsiteSettings[SettingName] | undefined {
  const [before, after, theirs] = [save.before[name], save.after[name], now[name]]
  if (!Array.isArray(before) || !Array.isArray(after) || !Array.isArray(theirs)) return before
  return mergeLines({ base: after, theirs, ours: before })
}

/**
 * Returns the password of an edit that undoes the last of these saves. If they went into a create, or an earlier one has a password,
 * and the undo protects the website with a password again, that is {@link MISSING_PASSWORD}: the undone save had dropped the password
 * before it was sent, so the user has to type it (docs/sync.md#undo). Otherwise null.
 */
export const missingPasswordForUndo = (
  isOfCreate: boolean,
  saves: readonly Save[],
  { privacy }: Partial<WebsiteSettings>,
): Edit['sealed'] =>
  privacy === PRIVACY.password && (isOfCreate || saves.slice(0, -1).some(({ password }) => password))
    ? MISSING_PASSWORD
    : null
