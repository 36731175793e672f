import type { ActivityEntry } from '../../shared/activity.ts'
import type { HistoryEntry } from '../../shared/edit.ts'
import { offeredRevertsOf } from './enqueue/revert.ts'
import type { StoredActivityEntry } from './model/activity.ts'
import type { HistoryRecord } from './model/history-record.ts'
import { isEntryUndone } from './model/saves.ts'
import type { OutboxStore } from './ports.ts'

/** Returns stored activity entries as the window shows them, with the actions that are possible. */
export function presentActivity(store: OutboxStore, records: readonly StoredActivityEntry[]): ActivityEntry[] {
  const histories = new Map<string, HistoryRecord[]>()
  // Each entry is compared with the later ones of its website, so these are read only once.
  const reader: OutboxStore = {
    ...store,
    historyRecords(website, limit) {
      const found = histories.get(website) ?? store.historyRecords(website, limit)
      histories.set(website, found)
      return found
    },
  }
  return records.map(({ result, ...record }) => {
    const website = store.website(record.website) === null ? null : record.website
    return { ...record, website, ...(result && { edit: presentResult(reader, result, website) }) }
  })
}

/** `website`: the key of the website; null if the website no longer exists. */
function presentResult(store: OutboxStore, historyRecord: HistoryRecord, website: string | null): HistoryEntry {
  const { id, domain, kind, became, settings, password, before, overwritten, ignored, at } = historyRecord
  const { undo, putBack, lost, kept } = offeredRevertsOf(store, historyRecord)
  const shown = { id, website, domain, kind, became, settings, password, before, overwritten, ignored, at, lost }
  return {
    ...shown,
    ...((historyRecord.isUndo === true || isEntryUndone(historyRecord)) && { isUndo: true }),
    can: { undo, putBack },
    ...(kept.length > 0 && { kept }),
  }
}
