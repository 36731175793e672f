import type { BulkChange } from '../../shared/bulk-change.ts'
import type { AppState } from '../../shared/state.ts'
import { m } from '../../messages/index.ts'
import type { BulkResults } from '../features/bulk/bulk-results.svelte.ts'
import { bulkChangeToast } from '../features/shared/bulk-change-text.ts'
import { actionOnScreen } from './on-screen.ts'
import type { BaseApp } from './base-app.ts'

interface App extends BaseApp {
  readonly bulkResults: Pick<BulkResults, 'show' | 'close'>
}

/** True if all edits of the bulk change are sent or parked. */
const isBulkChangeOver = (bulkChange: BulkChange | null | undefined): boolean => bulkChange?.waiting === 0

const countSentAndParked = ({ sent, parked }: BulkChange): number => sent + parked

/**
 * Shows the result of a bulk change once all its edits are sent or parked. The button undoes it if possible, or else shows the
 * result of each website. Changes that ended before the window opened, or whose undo is running, get no toast.
 */
export function toastEndedBulkChange(app: App, was: AppState | null, { bulkChange }: AppState): void {
  if (bulkChange === null) return app.bulkResults.close()
  if (was === null || !isBulkChangeOver(bulkChange)) return
  if (app.toasts.undoing === bulkChange.id) return
  // The undo has just left something, and its own toast says what. Other changes may have been sent or parked at the same time.
  const isLeftOnly = countSentAndParked(bulkChange) === countSentAndParked(was.bulkChange ?? bulkChange)
  if (bulkChange.left !== null && was.bulkChange?.left !== bulkChange.left && isLeftOnly) return
  if (was.bulkChange?.id === bulkChange.id && isBulkChangeOver(was.bulkChange)) return
  // Checked at the click, because the bulk change may have been dismissed or undone since the toast was shown.
  const run = () => Promise.resolve(app.appState?.bulkChange ? app.bulkResults.show() : undefined)
  app.toasts.update(bulkChange.id, bulkChangeToast(bulkChange), (undo) =>
    bulkChange.parked === 0 && bulkChange.canUndo && undo ? undo : { label: m.bulk_result_show(), run },
  )
}

/** Shows a toast if a new change was saved with different values or had to be corrected. Older mismatches are only marked in the list. */
export function toastMismatches(app: App, was: AppState | null, { mismatches }: AppState): void {
  if (was === null || mismatches <= was.mismatches) return
  const show = actionOnScreen(app, 'activity')
  app.toasts.show(m.activity_mismatch({ count: mismatches }), {
    label: m.history_show(),
    run: () => Promise.resolve(show()),
  })
}
