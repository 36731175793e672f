import type { WaitReason } from '../../../shared/edit.ts'
import type { Edit } from '../model/edit.ts'
import type { OutboxStore } from '../ports.ts'
import type { EditOutcome } from '../model/edit-outcome.ts'
import type { Holds } from '../schedule/holds.ts'

/**
 * Returns why no create can be sent, or null (docs/sync.md#website-limit). `website-limit`: the first create that the limit
 * rejected is parked, and the user is asked once. `depends`: the limit is reached, and creates wait for the pending deletes,
 * which make room; the user is not asked.
 */
export function limitHoldReason(
  store: OutboxStore,
  holds: Holds,
): Extract<WaitReason, 'website-limit' | 'depends'> | null {
  if (store.limited().length > 0) return 'website-limit'
  return holds.isLimited() && store.hasDeletes() ? 'depends' : null
}

/** True if a create was rejected because of the limit while deletes are pending: it waits for them. */
export const waitsForDeletes = (store: OutboxStore, outcome: EditOutcome): boolean =>
  outcome.kind === 'park' && outcome.reason === 'website-limit' && store.hasDeletes()

/** Queues the creates again that were parked for lack of room. Call it in the transaction that removes a deleted website. */
export function requeueLimitedCreates(store: OutboxStore): void {
  for (const edit of store.limited()) if (edit.kind === 'create') store.saveEdit(asQueued(edit))
}

/** Returns the edit as queued. Unlike `requeued`, this keeps its number of failures. */
const asQueued = (edit: Edit): Edit => ({ ...edit, standing: { state: 'queued' } })
