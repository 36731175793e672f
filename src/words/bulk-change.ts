import type { BulkChange } from '../shared/bulk-change.ts'
import { formatTime, number } from '../shared/display/format.ts'
import { count } from './numbers.ts'

const done: Record<BulkChange['kind'], string> = { create: 'added', update: 'changed', delete: 'deleted' }

/** How it has come out so far: "47 sent, 2 waiting, 1 needs you". */
function outcomeWords({ websites, sent, waiting, parked, back }: BulkChange): string {
  if (sent === websites) return 'all sent'
  const told = [
    sent > 0 && `${number(sent)} sent`,
    waiting > 0 && `${number(waiting)} waiting`,
    parked > 0 && count(parked, 'needs attention', 'need attention'),
    back > 0 && `${number(back)} not sent`,
  ]
  return told.filter(Boolean).join(', ')
}

/** Once nothing of it is on its way any more. */
export const bulkChangeTold = (bulkChange: BulkChange): string =>
  `${count(bulkChange.websites, 'website')}: ${outcomeWords(bulkChange)}.`

/** The same beside what waits, with what was done. */
export const bulkChangeHead = (bulkChange: BulkChange): string =>
  `${count(bulkChange.websites, 'website')} ${done[bulkChange.kind]} ${formatTime(bulkChange.at)}: ${outcomeWords(bulkChange)}.`

export const bulkChangeActs = {
  show: 'Show what needs attention',
  dismiss: 'Dismiss this result',
  undo: 'Undo all of it',
}
