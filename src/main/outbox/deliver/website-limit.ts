import type { WaitReason } from '../../../shared/edit.ts'
import type { Edit } from '../model/edit.ts'
import type { OutboxStore } from '../ports.ts'
import type { EditOutcome } from '../model/edit-outcome.ts'
import type { Holds } from '../schedule/holds.ts'

/**
 * What keeps all creates at the plan's limit (docs/sync.md#website-limit): the one that was refused is parked,
 * and the user is asked once; while deletes wait nobody is asked, as they make room.
 */
export function limitOf(store: OutboxStore, holds: Holds): Extract<WaitReason, 'website-limit' | 'depends'> | null {
  if (store.limited().length > 0) return 'website-limit'
  return holds.isLimited() && store.hasDeletes() ? 'depends' : null
}

/** Refused because of the limit while deletes wait: it waits for them. */
export const waitsForDeletes = (store: OutboxStore, outcome: EditOutcome): boolean =>
  outcome.kind === 'park' && outcome.reason === 'website-limit' && store.hasDeletes()

/** There's room again: what was refused for want of it may go. In the transaction that deletes the website here. */
export function freeLimited(store: OutboxStore): void {
  for (const edit of store.limited()) if (edit.kind === 'create') store.saveEdit(freed(edit))
}

const freed = (edit: Edit): Edit => ({ ...edit, standing: { state: 'queued' } })
