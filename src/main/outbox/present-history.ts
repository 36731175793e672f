import type { HistoryEntry } from '../../shared/edit.ts'
import type { HistoryRecord } from './model/history-record.ts'
import type { OutboxStore } from './ports.ts'
import { isUndone, reversalOf } from './enqueue/revert.ts'

/** Returns a history record as the user is shown it. */
export function presentHistoryRecord(store: OutboxStore, historyRecord: HistoryRecord): HistoryEntry {
  const { id, domain, kind, became, settings, password, before, overwritten, ignored, at } = historyRecord
  const { undo, putBack, lost } = reversalOf(store, historyRecord)
  const website = store.website(historyRecord.website) === null ? null : historyRecord.website
  const shown = { id, website, domain, kind, became, settings, password, before, overwritten, ignored, at, lost }
  return {
    ...shown,
    ...((historyRecord.isUndo === true || isUndone(historyRecord)) && { isUndo: true }),
    can: { undo, putBack },
  }
}
