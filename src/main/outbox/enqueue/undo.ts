import type { UndoOutcome } from '../../../shared/edit.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Edit } from '../model/edit.ts'
import type { OutboxStore } from '../ports.ts'
import { undoEdit, type Stamp } from './commands.ts'
import { revertHistoryRecord } from './revert.ts'
import { canUndoSent, undoSent } from './undo-sent.ts'

interface UndoInput {
  /** True if the user has agreed to delete a website that was created, or to create a deleted one again without its statistics. */
  agreed: boolean
  /** The key for a website that is created again. */
  key: string
  stamp: Stamp
}

/** `edit`: the id of the unsent edit that the save was taken out of, or null. */
interface Undone {
  outcome: UndoOutcome
  website: string
  edit: string | null
}

/**
 * Takes back the last save that went into an edit (docs/sync.md#undo). If the edit has already been sent, even if it has left the
 * outbox, its reverse is queued. Errors: `edit-gone` if the edit was undone or discarded before, or has nothing that can be undone;
 * `domain-listed`, `storage`, `invalid-input`.
 */
export function undo(store: OutboxStore, id: string, { agreed, key, stamp }: UndoInput): Result<Undone> {
  const edit = store.edit(id) ?? holderOf(store, id)
  if (edit === null) return undoHistoryRecord(store, id, { agreed, key, stamp })
  const { website } = edit
  if (!canUndoSent(store, edit)) {
    const undone = undoEdit(store, edit.id, stamp.changedAt)
    return undone.ok ? ok({ outcome: 'undone', website, edit: edit.id }) : undone
  }
  if (edit.kind !== 'update' && !agreed) return ok({ outcome: 'asks', website, edit: null })
  const queued = undoSent(store, edit, key, stamp)
  return queued.ok ? ok({ outcome: 'queued', website: queued.value, edit: null }) : queued
}

function undoHistoryRecord(store: OutboxStore, id: string, { agreed, key, stamp }: UndoInput): Result<Undone> {
  const historyRecord = store.historyRecord(id)
  if (historyRecord === null) return fail('edit-gone')
  if (historyRecord.kind !== 'update' && historyRecord.became === 'sent' && !agreed)
    return ok({ outcome: 'asks', website: historyRecord.website, edit: null })
  const input = { action: 'undo', password: undefined, sealed: null, key, parks: true } as const
  const queued = revertHistoryRecord(store, id, input, stamp)
  return queued.ok ? ok({ outcome: 'queued', website: queued.value, edit: null }) : queued
}

/** Number of edits that are searched at a time. */
const CHUNK = 500

/** Returns the edit that another one was merged into. */
function holderOf(store: OutboxStore, id: string): Edit | null {
  for (let from = 0; ;) {
    const edits = store.editsFrom(from, CHUNK)
    const holder = edits.find(({ note }) => note?.also?.includes(id))
    if (holder !== undefined || edits.length < CHUNK) return holder ?? null
    from = (edits.at(-1)?.seq ?? from) + 1
  }
}
