import type { EditState, WaitReason } from '../../../shared/edit.ts'
import { fail, ok, type AppError } from '../../../shared/result.ts'
import { isUnconfirmedCreate, isUnreadable, type Edit } from '../model/edit.ts'
import { REQUESTS_PER_STEP, type OutboxPorts } from '../ports.ts'
import type { Holds } from './holds.ts'
import { limitHoldReason } from '../deliver/website-limit.ts'

/** The state of an edit as the user sees it. */
interface EditStatus {
  state: EditState
  reason: WaitReason | null
  error: AppError | null
  /** When the hold ends, by the monotonic clock. Null if there is no hold, or its end is not known. */
  until: number | null
}

/** `edits`: those of the website, if known. */
export type EditStatusOf = (edit: Edit, edits?: readonly Edit[]) => EditStatus

const UNREADABLE: EditStatus = { state: 'parked', reason: 'unreadable', error: fail('storage').error, until: null }

export function createEditStatusOf({ store, connectivity }: OutboxPorts, holds: Holds): EditStatusOf {
  /** Returns why the edit waits for another edit, or for room within the website limit. */
  function heldBy(edit: Edit, edits: readonly Edit[]): Extract<WaitReason, 'depends' | 'website-limit'> | null {
    if (edits[0]?.id !== edit.id || edits.some(isUnreadable)) return 'depends'
    if (edit.kind !== 'create') return null
    if (store.dependsOnDelete(edit)) return 'depends'
    return isUnconfirmedCreate(edit) ? null : limitHoldReason(store, holds)
  }

  return (edit, edits) => {
    const { standing } = edit
    if (standing.state === 'unreadable') return UNREADABLE
    if (standing.state === 'parked') {
      const { state, reason, error } = standing
      return { state, reason, error, until: null }
    }
    const wait = holds.of(edit)
    // A hold of a sent edit delays only the read that settles the edit, so the edit is not shown as held.
    if (standing.state === 'sending') return { state: 'sending', reason: null, error: null, until: null }
    if (standing.state === 'inDoubt') {
      return { state: 'inDoubt', reason: null, error: standing.error, until: wait?.until ?? null }
    }
    if (wait?.reason === 'undo') return { state: 'held', ...wait }
    const gate = connectivity.gate(REQUESTS_PER_STEP)
    if (!gate.open) return { state: 'held', reason: gate.reason, error: gate.error, until: gate.until }
    if (wait !== null) return { state: 'held', ...wait }
    const held = store.read(() => ok(heldBy(edit, edits ?? store.editsOf(edit.website))))
    if (!held.ok) return { state: 'held', reason: null, error: held.error, until: null }
    if (held.value !== null) return { state: 'held', reason: held.value, error: null, until: null }
    return { state: 'queued', reason: null, error: null, until: null }
  }
}
