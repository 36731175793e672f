import { offeredRevertsOf } from './enqueue/revert.ts'
import { UNAPPLIED_RESULTS } from './history.ts'
import type { StoredActivityEntry } from './model/activity.ts'
import { isUnsent, type Edit } from './model/edit.ts'
import type { HistoryRecord } from './model/history-record.ts'
import { isPossiblyCreated } from './model/possibly-sent.ts'
import { withSavesUndoableOnceSent, isFromSave, isEntryUndone, savesOf, orderOfLastSave } from './model/saves.ts'
import type { OutboxStore } from './ports.ts'

/** The last save that was not undone, in a pending edit or in an activity entry. `order`: its place among all saves. */
type StoredLastSave = { order: number; edit: Edit } | { order: number; entry: StoredActivityEntry }

const MAX_PER_READ = 100
/** Number of history records that are searched for a save later than those of the pending edits. */
const MAX_SEARCHED_WITH_PENDING = 1000
/** Larger, because a big bulk change and its undo may have left many records that are no saves. */
const MAX_SEARCHED_WITHOUT_PENDING = 20_000

/** Returns the last save of one website or of all. A pending edit may be older than delivered ones (docs/sync.md#undo). */
export function findLastSave(store: OutboxStore, website?: string): StoredLastSave | null {
  let last: StoredLastSave | null = null
  const edits = website === undefined ? [...allEdits(store)] : store.editsOf(website)
  // While a create is being undone, no save of its website counts, because the website will be deleted.
  const undone = new Set(
    edits.filter((edit) => edit.kind === 'delete' && !isFromSave(edit)).map((edit) => edit.website),
  )
  // Deletes that a pending create undoes do not count.
  const restored = new Set(edits.map((edit) => edit.note?.restores))
  for (const edit of edits.filter((one) => !undone.has(one.website) && !restored.has(one.id))) {
    const order = orderOfLastSave({
      kind: edit.kind,
      saves: savesOf(isUnsent(edit) && !isPossiblyCreated(edit) ? edit : withSavesUndoableOnceSent(edit)),
      changedAt: edit.note?.order ?? edit.changedAt,
    })
    if (isFromSave(edit) && (last === null || order >= last.order)) last = { order, edit }
  }
  for (
    let offset = 0;
    offset < (last === null ? MAX_SEARCHED_WITHOUT_PENDING : MAX_SEARCHED_WITH_PENDING);
    offset += MAX_PER_READ
  ) {
    const { records } = store.activity({
      results: true,
      limit: MAX_PER_READ,
      offset,
      ...(website !== undefined && { website }),
    })
    for (const entry of records) {
      const { result } = entry
      if (result === undefined) continue
      const { kind, became, changedAt } = result
      if (kind === 'delete' && became === 'sent' && changedAt === undefined) undone.add(result.website)
      if (undone.has(result.website) || !isKeptSave(store, result)) continue
      const order = orderOfLastSave({ changedAt: result.at, ...result })
      if (last === null || order > last.order) last = { order, entry }
    }
    if (records.length < MAX_PER_READ) break
  }
  return last
}

function* allEdits(store: OutboxStore): Generator<Edit> {
  for (let from = 0; ;) {
    const edits = store.editsFrom(from, MAX_PER_READ)
    yield* edits
    if (edits.length < MAX_PER_READ) return
    from = (edits.at(-1)?.seq ?? from) + 1
  }
}

/** True for a save that was not undone or discarded. Adopting a website is no save, but the change queued with it is. */
const isKeptSave = (store: OutboxStore, result: HistoryRecord): boolean =>
  result.changedAt !== undefined &&
  result.became !== 'adopted' &&
  result.isUndo !== true &&
  !isEntryUndone(result) &&
  (!UNAPPLIED_RESULTS.includes(result.became) || offeredRevertsOf(store, result).undo)
