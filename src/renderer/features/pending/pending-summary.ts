import { m } from '../../../messages/index.ts'
import { formatDuration } from '../../../shared/display/format.ts'
import type { EditPage } from '../../../shared/edit.ts'
import type { ErrorCode } from '../../../shared/result.ts'
import type { AppState } from '../../../shared/state.ts'
import { deliveryProgress } from '../shared/edit-text.ts'

/** Errors with which the service rejects all requests for a while. */
const rejectionCodes: readonly ErrorCode[] = ['forbidden', 'rate-limited', 'unavailable']

/**
 * Returns a text such as "3 changes: 2 will be sent in about 3 sec, 1 needs attention"; '' without changes. Leaves out
 * the time if it is shown elsewhere, or while the service rejects all requests.
 */
export function pendingSummary({ total, parked, edits }: EditPage, app: AppState): string {
  const flow = total - parked
  if (total === 0) return ''
  if (app.readOnly) return m.pending_count({ count: total })
  if (flow === 0) return m.status_need_attention({ count: parked })
  const isAnswered = app.reach.state === 'offline' && rejectionCodes.includes(app.reach.error.code)
  const isDelayed = edits.some(({ reason }) => reason === 'rate')
  const hasNoTime = deliveryProgress(app) !== undefined || isAnswered || isDelayed
  const seconds = hasNoTime ? null : (app.delivery?.seconds ?? null)
  const when = app.paused ? 'resumed' : app.reach.state === 'offline' ? 'online' : 'now'
  if (parked === 0) {
    if (seconds === null) return m.pending_flow({ count: total })
    return allSentTexts[when]({ count: total, duration: formatDuration(seconds) })
  }
  const sent =
    seconds === null
      ? m.pending_part({ count: flow })
      : partSentTexts[when]({ count: flow, duration: formatDuration(seconds) })
  const attention = m.bulk_result_attention({ count: parked })
  return m.pending_mixed({ changes: m.pending_count({ count: total }), sent, asked: attention })
}

/** The texts if no edit needs attention, by when the edits will be sent. */
const allSentTexts = {
  now: m.pending_flow_in,
  online: m.pending_flow_in_online,
  resumed: m.pending_flow_in_resumed,
}

/** The texts for the edits that will be sent, if other edits need attention. */
const partSentTexts = {
  now: m.pending_part_in,
  online: m.pending_part_in_online,
  resumed: m.pending_part_in_resumed,
}
