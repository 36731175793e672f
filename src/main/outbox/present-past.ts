import type { HistoryEntry } from '../../shared/edit.ts'
import type { Past } from './model/past.ts'
import type { OutboxStore } from './ports.ts'
import { isUndone, reversalOf } from './enqueue/revert.ts'

/** An entry of the history as the person is shown it. */
export function presentPast(store: OutboxStore, past: Past): HistoryEntry {
  const { id, domain, kind, became, settings, password, before, overwritten, ignored, at } = past
  const { undo, putBack, lost } = reversalOf(store, past)
  const website = store.website(past.website) === null ? null : past.website
  const shown = { id, website, domain, kind, became, settings, password, before, overwritten, ignored, at, lost }
  return { ...shown, ...((past.isUndo === true || isUndone(past)) && { isUndo: true }), can: { undo, putBack } }
}
