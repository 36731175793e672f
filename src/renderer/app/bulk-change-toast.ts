import type { BulkChange } from '../../shared/bulk-change.ts'
import type { AppState } from '../../shared/state.ts'
import { bulkChangeToast } from '../features/shared/bulk-change-text.ts'
import { m } from '../../messages/index.ts'
import type { Toasts } from './toasts.svelte.ts'
import type { PendingList } from '../features/pending/pending-list.svelte.ts'
import type { Screen } from '../../shared/destination.ts'

interface App {
  readonly toasts: Toasts
  readonly pending: PendingList
  screen: Screen
}

const isOver = (bulkChange: BulkChange | null | undefined): boolean => bulkChange?.waiting === 0

/**
 * Shows the result of a bulk change once all its edits are sent or parked, with a button that leads to the parked ones. A bulk
 * change that had ended before the window opened is only shown on the Pending screen.
 */
export function tellBulkChange(app: App, was: AppState | null, { bulkChange }: AppState): void {
  if (was === null || bulkChange === null || !isOver(bulkChange)) return
  if (was.bulkChange?.id === bulkChange.id && isOver(was.bulkChange)) return
  const run = (): Promise<void> => {
    app.pending.tab = 'waiting'
    app.pending.showAll()
    app.screen = 'pending'
    return Promise.resolve()
  }
  app.toasts.sayFurther(bulkChange.id, bulkChangeToast(bulkChange), (undo) =>
    bulkChange.parked > 0 ? { label: m.bulk_result_show(), run } : bulkChange.canUndo ? undo : undefined,
  )
}
