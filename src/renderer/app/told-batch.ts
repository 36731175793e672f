import type { Batch } from '../../shared/batch.ts'
import type { AppState } from '../../shared/state.ts'
import { batchActs, batchTold } from '../../words/batch.ts'
import type { Notices } from './notices.svelte.ts'
import type { PendingList } from '../features/pending/pending-list.svelte.ts'
import type { Screen } from '../../shared/destination.ts'

interface Desk {
  readonly notices: Notices
  readonly pending: PendingList
  screen: Screen
}

const isOver = (batch: Batch | null | undefined): boolean => batch?.waiting === 0

/**
 * Says how what was done to many has come out, once nothing of it is on its way any more, and leads to what needs the person.
 * What was over before the window was there is told beside what waits alone.
 */
export function tellBatch(desk: Desk, was: AppState | null, { batch }: AppState): void {
  if (was === null || batch === null || !isOver(batch)) return
  if (was.batch?.id === batch.id && isOver(was.batch)) return
  const run = (): Promise<void> => {
    desk.pending.tab = 'waiting'
    desk.pending.showAll()
    desk.screen = 'pending'
    return Promise.resolve()
  }
  desk.notices.sayFurther(batch.id, batchTold(batch), (undo) =>
    batch.parked > 0 ? { label: batchActs.show, run } : batch.canUndo ? undo : undefined,
  )
}
