import { m } from '../../../messages/index.ts'
import type { AppState } from '../../../shared/state.ts'
import { formatTime, joinSentences, number } from '../../../shared/display/format.ts'

/** Returns that the refresh waits for the rate limit of the service, and until when; undefined if it doesn't. */
export const limitText = ({ refresh: { waitsUntil } }: AppState): string | undefined =>
  waitsUntil === undefined
    ? undefined
    : joinSentences([m.pending_hold_rate(), m.pending_next_try({ time: formatTime(waitsUntil) })])

/** Returns how much of the list has been read, or undefined if the list is complete or its total isn't known. */
export function readProgressText({ refresh: { read, total }, websites }: AppState): string | undefined {
  if (total === null || read >= total || websites >= total) return undefined
  return m.list_read_so_far({ read: number(read), total: number(total) })
}
