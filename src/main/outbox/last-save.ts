import { reversalOf } from './enqueue/revert.ts'
import { UNAPPLIED } from './history.ts'
import type { StoredActivity } from './model/activity.ts'
import type { Edit } from './model/edit.ts'
import type { HistoryRecord } from './model/history-record.ts'
import { isAllUndone, isUndone, savesOf, timeOfLastSave } from './model/saves.ts'
import type { OutboxStore } from './ports.ts'

/** The last save of the user that was not undone, with its time in milliseconds since 1970. */
type LastSave = { at: number; edit: Edit } | { at: number; entry: StoredActivity }

/** Number of edits, or of entries of the history, that are read at a time. */
const CHUNK = 100
/** Maximum number of entries of the history that are searched. */
const SEARCHED = 1000

/**
 * Returns the last save, of one website or of all, or null if there is none (docs/sync.md#undo). An edit that was held for a day is
 * older than one that was saved and delivered since.
 */
export function lastSave(store: OutboxStore, website?: string): LastSave | null {
  let last: LastSave | null = null
  for (const edit of website === undefined ? allEdits(store) : store.editsOf(website)) {
    const at = timeOfLastSave({ ...edit, saves: savesOf(edit) })
    if (isSave(edit) && (last === null || at >= last.at)) last = { at, edit }
  }
  for (const entry of entries(store, website)) {
    const { result } = entry
    // An edit is saved before it is delivered, and earlier entries were delivered before this one.
    if (last !== null && entry.at < last.at) return last
    if (result === undefined || !isSaveStill(store, result)) continue
    const at = timeOfLastSave({ changedAt: result.at, ...result })
    if (last === null || at > last.at) last = { at, entry }
  }
  return last
}

function* allEdits(store: OutboxStore): Generator<Edit> {
  for (let from = 0; ;) {
    const edits = store.editsFrom(from, CHUNK)
    yield* edits
    if (edits.length < CHUNK) return
    from = (edits.at(-1)?.seq ?? from) + 1
  }
}

function* entries(store: OutboxStore, website: string | undefined): Generator<StoredActivity> {
  let after: { at: number; n: number } | null = null
  for (let searched = 0; searched < SEARCHED; searched += CHUNK) {
    const page = store.activity({
      results: true,
      limit: CHUNK,
      ...(website !== undefined && { website }),
      ...(after !== null && { after }),
    })
    yield* page.records
    after = page.next
    if (after === null) return
  }
}

/** True if an edit comes from a save that was not undone, not from an undo or a repair. */
const isSave = (edit: Edit): boolean =>
  edit.note?.isUndo !== true && !isAllUndone(edit) && (edit.note?.repairs !== true || savesOf(edit).length > 0)

/** True if an entry comes from a save that was neither undone nor discarded. */
const isSaveStill = (store: OutboxStore, result: HistoryRecord): boolean =>
  result.isUndo !== true && !isUndone(result) && (!UNAPPLIED.includes(result.became) || reversalOf(store, result).undo)
