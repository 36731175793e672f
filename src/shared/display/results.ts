import { m } from '../../messages/index.ts'
import type { HistoryEntry } from '../edit.ts'

/** The names of the results of edits. */
export const resultNames: Record<HistoryEntry['became'], () => string> = {
  sent: m.result_sent,
  adopted: m.result_adopted,
  nothing: m.result_nothing,
  repaired: m.result_repaired,
  discarded: m.result_discarded,
  undone: m.result_undone,
  unknown: m.result_unknown,
}
