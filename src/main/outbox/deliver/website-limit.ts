import type { WaitReason } from '../../../shared/edit.ts'
import type { Edit } from '../model/edit.ts'
import type { OutboxStore } from '../ports.ts'
import type { EditOutcome } from '../model/edit-outcome.ts'
import type { Holds } from '../schedule/holds.ts'

/**
 * Returns why creates have to wait, or null (docs/sync.md#website-limit). `website-limit`: a create that the limit rejected is
 * parked, and the user is asked. `depends`: creates wait for pending deletes, which make room; the user is not asked.
 */
export function limitHoldReason(
  store: OutboxStore,
  holds: Holds,
): Extract<WaitReason, 'website-limit' | 'depends'> | null {
  if (store.limited().length > 0) return 'website-limit'
  return holds.isLimited() && store.hasDeletes() ? 'depends' : null
}

/** True if a create was rejected because of the limit while deletes are pending, which may make room for it. */
export const waitsForDeletes = (store: OutboxStore, outcome: EditOutcome): boolean =>
  outcome.kind === 'park' && outcome.reason === 'website-limit' && store.hasDeletes()

/** Queues the creates again that were parked because of the limit. Call it in the transaction that removes a deleted website. */
export function requeueLimitedCreates(store: OutboxStore): void {
  for (const edit of store.limited()) if (edit.kind === 'create') store.saveEdit(asQueued(edit))
}

/** Unlike `requeued`, keeps the number of failures. */
const asQueued = (edit: Edit): Edit => ({ ...edit, standing: { state: 'queued' } })
