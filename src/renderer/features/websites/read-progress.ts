import { refreshProblemText } from '../../../messages/errors.ts'
import { m } from '../../../messages/index.ts'
import type { AppState } from '../../../shared/state.ts'
import { formatTime, joinSentences, formatNumber } from '../../../shared/display/format.ts'

/** Returns why the refresh has to wait, and until when; undefined if it doesn't. */
export function waitText({ refresh: { waitsUntil, waitsFor, error, read } }: AppState): string | undefined {
  if (waitsUntil === undefined) return undefined
  const next = m.pending_next_try({ time: formatTime(waitsUntil) })
  if (waitsFor === 'budget') return joinSentences([m.pending_hold_budget(), next])
  // `error` may be that of an earlier refresh. After the current one has read something, it waits for another reason.
  const why = error?.retryAfter === undefined || read > 0 ? m.pending_hold_rate() : refreshProblemText(error)
  return joinSentences([why, next])
}

/** Returns how much of the list was read; undefined if it is complete or its total isn't known. */
export function readProgressText({ refresh: { read, total }, websites }: AppState): string | undefined {
  if (total === null || read >= total || websites >= total) return undefined
  return m.list_read_so_far({ read: formatNumber(read), total: formatNumber(total) })
}
