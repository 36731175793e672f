import type { UndoOutcome } from '../../../shared/edit.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { SettingName } from '../../../shared/website.ts'
import { savesIdOf } from '../history.ts'
import { hasTheirs, PARKED_FOR_PASSWORD, type Edit, type Save } from '../model/edit.ts'
import { namesIn } from '../model/compare.ts'
import { canUndoUnsent, isPossiblyCreated } from '../model/possibly-sent.ts'
import {
  isEntryUndone,
  MAX_SAVES,
  orderOf,
  savesOf,
  savesUndoableOnceSent,
  type SaveOrderRange,
} from '../model/saves.ts'
import type { OutboxStore } from '../ports.ts'
import { undoUnsentCreateOrDelete, undoUnsentEdit, type EditStamp } from './commands.ts'
import { partOf } from './drop-save.ts'
import { revertHistoryRecord, offeredRevertsOf } from './revert.ts'
import { canUndoSent, undoSent } from './undo-sent.ts'

interface UndoInput {
  /** If false, an undo that deletes a website, or creates one without its statistics, changes nothing and returns `asks`. */
  agreed: boolean
  /** The key for a website that is created again. */
  key: string
  stamp: EditStamp
  /** True if an edit is undone with all saves that went into it. Default: `agreed` for a create, otherwise false. */
  whole?: boolean | undefined
}

export interface UndoResult {
  outcome: UndoOutcome
  /** A new key if a deleted website is created again. */
  website: string
  /** The id of the unsent edit from which the save was removed. */
  edit: string | null
}

/**
 * Takes back the last save that went into an edit, or all its saves (docs/sync.md#undo). If the edit has already been sent, even if
 * it has left the outbox, its reverse is queued. Errors: `edit-gone` if the edit was undone or discarded before, or has nothing
 * that can be undone; `domain-listed`, `storage`, `invalid-input`.
 */
export function undo(store: OutboxStore, id: string, input: UndoInput): Result<UndoResult> {
  const undone = undoWithoutParking(store, id, input)
  // The saves of a sent update are undone one by one.
  let last = undone
  for (let n = 1; n < MAX_SAVES && input.whole && last.ok && last.value.outcome === 'queued'; n++)
    last = undoWithoutParking(store, id, input)
  if (undone.ok) parkIfPasswordMissing(store, undone.value.website)
  return undone
}

/**
 * Undoes the last save within `places`, if an unsent create or update of the website has it, except fields that a later save has
 * set. Returns the fields that were undone.
 */
export function undoUnsentSave(
  store: OutboxStore,
  website: string,
  places: SaveOrderRange,
  stamp: EditStamp,
): SettingName[] {
  const edit = store.editsOf(website).at(-1)
  if (edit === undefined || edit.kind === 'delete' || !canUndoUnsent(edit)) return []
  const saves = savesOf(edit)
  const at = saves.findLastIndex((one) => isWithin(places, orderOf(one)))
  const save = saves[at]
  if (save === undefined) return []
  const later = saves.slice(at + 1).flatMap(fieldsOf)
  const undone = partOf(save, (name) => !later.includes(name))
  const rest = partOf(save, (name) => later.includes(name))
  if (undone === null) return []
  // `undo` takes the last save of an edit, so the undone part is moved to the end.
  const ordered = [...saves.toSpliced(at, 1, ...(rest === null ? [] : [rest])), undone]
  store.saveEdit({ ...edit, note: { ...edit.note, saves: ordered } })
  return undo(store, edit.id, { agreed: false, key: '', stamp }).ok ? namesIn(undone.after) : []
}

/** A save without a place is in no range. */
const isWithin = ({ after, until }: SaveOrderRange, order = 0): boolean => after < order && order <= until

/** A password belongs to the field `privacy`. */
const fieldsOf = ({ after, password }: Save): SettingName[] => [
  ...namesIn(after),
  ...(password ? ['privacy' as const] : []),
]

/** Parks an edit whose password an undo has lost, so that the user is asked now instead of when it would be sent. */
export function parkIfPasswordMissing(store: OutboxStore, website: string): void {
  const edit = store.editsOf(website).at(-1)
  if (edit === undefined || edit.kind === 'delete') return
  if (edit.standing.state === 'queued' && edit.sealed?.length === 0)
    store.saveEdit({ ...edit, standing: PARKED_FOR_PASSWORD })
}

function undoWithoutParking(store: OutboxStore, id: string, input: UndoInput): Result<UndoResult> {
  const { agreed, key, stamp } = input
  const whole = input.whole ?? agreed
  const edit = store.edit(id) ?? findAbsorbingEdit(store, id) ?? (whole ? null : restOfCreate(store, id))
  // `whole` is for edits that are listed as pending. The user does not know that this one has been sent.
  if (edit === null && input.whole === true) return fail('edit-gone')
  if (edit === null) return undoHistoryRecord(store, whole ? id : entryIdToUndo(store, id), input)
  const { website } = edit
  if (!canUndoSent(store, edit, whole)) {
    const undone = undoUnsentEdit(store, edit.id, stamp.changedAt, edit.kind === 'create' ? whole : input.whole)
    return undone.ok ? ok({ outcome: 'undone', website, edit: edit.id }) : undone
  }
  const hasSaves = edit.kind === 'create' && savesUndoableOnceSent(edit).length > 0
  if (edit.kind !== 'update' && (whole || !hasSaves) && !agreed) return ok({ outcome: 'asks', website, edit: null })
  const queued = undoSent(store, edit, { key, whole }, stamp)
  return queued.ok ? ok({ outcome: 'queued', website: queued.value, edit: null }) : queued
}

const MAX_SEARCHED_HISTORY_RECORDS = 100

/**
 * Undoes the latest create or delete of the website, even if it was sent. Errors: `edit-gone` if it was undone before or nothing
 * can undo it, otherwise as for {@link undo}.
 */
export function undoCreateOrDelete(
  store: OutboxStore,
  website: string,
  kind: 'create' | 'delete',
  input: UndoInput,
): Result<UndoResult> {
  const edit = store.editsOf(website).findLast((one) => one.kind === kind)
  // Undoing a create that may have been applied deletes the website, so the user is asked first. A create that is parked because
  // its website was found asks already.
  if (edit !== undefined && isPossiblyCreated(edit) && !hasTheirs(edit.standing) && !input.agreed)
    return ok({ outcome: 'asks', website, edit: null })
  const taken = undoUnsentCreateOrDelete(store, website, kind, input.stamp)
  if (taken.ok) {
    const isDeleted = kind === 'create' && store.editsOf(website).at(-1)?.kind === 'delete'
    return ok({ outcome: isDeleted ? 'queued' : 'undone', website: taken.value.website, edit: taken.value.id })
  }
  if (taken.error.code !== 'edit-gone') return taken
  if (edit !== undefined) return undo(store, edit.id, { ...input, whole: true })
  const record = store.historyRecords(website, MAX_SEARCHED_HISTORY_RECORDS).find((one) => one.kind === kind)
  return record !== undefined && offeredRevertsOf(store, record).undo
    ? undoHistoryRecord(store, record.id, input)
    : taken
}

/** Returns the edit that sends the rest of a create again, if the saves merged into the create moved to it. */
function restOfCreate(store: OutboxStore, id: string): Edit | null {
  const record = store.historyRecord(id)
  if (record?.kind !== 'create') return null
  return (
    store.editsOf(record.website).find((edit) => edit.note?.resent !== undefined && savesOf(edit).length > 0) ?? null
  )
}

/** Returns the id of the record for the saves merged into a create, or of the create if no such save is left to undo. */
function entryIdToUndo(store: OutboxStore, id: string): string {
  const saves = store.historyRecord(savesIdOf(id))
  return saves !== null && !isEntryUndone(saves) ? saves.id : id
}

/** Returns `asks` for a sent create or delete unless the user has agreed. */
function undoHistoryRecord(store: OutboxStore, id: string, { agreed, key, stamp }: UndoInput): Result<UndoResult> {
  const historyRecord = store.historyRecord(id)
  if (historyRecord === null) return fail('edit-gone')
  if (historyRecord.kind !== 'update' && historyRecord.became === 'sent' && !agreed)
    return ok({ outcome: 'asks', website: historyRecord.website, edit: null })
  const input = { action: 'undo', password: undefined, sealed: null, key, parks: true } as const
  const queued = revertHistoryRecord(store, id, input, stamp)
  return queued.ok ? ok({ outcome: 'queued', website: queued.value, edit: null }) : queued
}

const EDITS_PER_SEARCH_PAGE = 500

/** Returns the edit into which the edit with this id was merged. */
function findAbsorbingEdit(store: OutboxStore, id: string): Edit | null {
  for (let from = 0; ;) {
    const edits = store.editsFrom(from, EDITS_PER_SEARCH_PAGE)
    const holder = edits.find(({ note }) => note?.also?.includes(id))
    if (holder !== undefined || edits.length < EDITS_PER_SEARCH_PAGE) return holder ?? null
    from = (edits.at(-1)?.seq ?? from) + 1
  }
}
