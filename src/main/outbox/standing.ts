import type { EditState, WaitReason } from '../../shared/edit.ts'
import type { AppError } from '../../shared/result.ts'
import type { Edit } from './edit.ts'
import type { OutboxPorts } from './ports.ts'
import type { Waits } from './waits.ts'

/** How an edit stands for the person, with what holds it just now. `until`: by the monotonic clock. */
export interface Standing {
  state: EditState
  reason: WaitReason | null
  error: AppError | null
  until: number | null
}

export type StandingOf = (edit: Edit) => Standing

export function createStandingOf({ store, connectivity }: OutboxPorts, waits: Waits): StandingOf {
  return (edit) => {
    const { standing } = edit
    if (standing.state === 'parked') return { ...standing, until: null }
    const wait = waits.of(edit)
    // Sent already: what is awaited there is the read that settles it.
    if (standing.state === 'sending') return { state: 'sending', reason: null, error: null, until: null }
    if (standing.state === 'inDoubt') {
      return { state: 'inDoubt', reason: null, error: standing.error, until: wait?.until ?? null }
    }
    if (wait?.reason === 'undo') return { state: 'held', ...wait }
    const gate = connectivity.gate()
    if (!gate.open) return { state: 'held', reason: gate.reason, error: gate.error, until: gate.until }
    if (wait !== null) return { state: 'held', ...wait }
    const first = store.editsOf(edit.website)[0]
    if (first?.id !== edit.id || store.dependsOnDelete(edit)) {
      return { state: 'held', reason: 'depends', error: null, until: null }
    }
    return { state: 'queued', reason: null, error: null, until: null }
  }
}
