import { m } from '../../../messages/index.ts'
import type { BulkChange } from '../../../shared/bulk-change.ts'
import { formatList, formatTime } from '../../../shared/display/format.ts'

/** Returns a text such as "47 sent, 2 pending, 1 needs attention". */
function bulkCountsText({ websites, sent, waiting, parked, notSent }: BulkChange): string {
  if (sent === websites) return m.bulk_result_all({ count: sent })
  const parts = [
    sent > 0 && m.bulk_result_sent({ count: sent }),
    waiting > 0 && m.bulk_result_pending({ count: waiting }),
    parked > 0 && m.bulk_result_attention({ count: parked }),
    notSent > 0 && m.bulk_result_back({ count: notSent }),
  ]
  return formatList(
    parts.filter((part) => part !== false),
    'unit',
  )
}

/** Returns the text of the toast for a bulk change without pending edits. */
export const bulkChangeToast = (bulkChange: BulkChange): string =>
  m.bulk_result({ websites: m.list_count({ count: bulkChange.websites }), outcome: bulkCountsText(bulkChange) })

const bulkChangeLineMessages = {
  create: m.bulk_result_added,
  update: m.bulk_result_changed,
  delete: m.bulk_result_deleted,
}

/** Returns what a bulk change has changed, when, and its result so far. */
export const bulkChangeLine = (bulkChange: BulkChange): string =>
  bulkChangeLineMessages[bulkChange.kind]({
    websites: m.list_count({ count: bulkChange.websites }),
    time: formatTime(bulkChange.at),
    outcome: bulkCountsText(bulkChange),
  })
