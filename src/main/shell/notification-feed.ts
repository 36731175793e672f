import { isApplied } from '../outbox/history.ts'
import type { HistoryEntry } from '../../shared/edit.ts'
import type { AppState, Settings } from '../../shared/state.ts'

/**
 * A change that the user is notified of. `sent`: nothing more can be sent now, and `waiting` edits remain. `parked` and
 * `mismatch`: the number of edits that need attention, or of unread mismatches.
 */
export type NotificationEvent =
  { kind: 'sent'; count: number; waiting: number } | { kind: 'parked' | 'mismatch'; count: number } | { kind: 'key' }

export interface NotificationFeed {
  /** Compares the state with the previous one. */
  update(state: AppState, edits: SentEdits): void
  stop(): void
}

/** The edits that have left the outbox. */
export interface SentEdits {
  /** The latest entry of the history. */
  last: HistoryEntry | null
  /** Number of edits delivered since the start. */
  sent: number
}

export interface NotificationFeedParts {
  clock: { monotonic(): number; after(ms: number, call: () => void): () => void }
  /** True while the user looks at the window, which shows the same. */
  isFocused: () => boolean
  settings: () => Settings
  notify: (news: NotificationEvent) => void
}

/** Milliseconds from the first change to the notification, so that several changes make one. */
const NOTIFY_DELAY = 2_000
/** The same while edits are being sent one after the other. */
const NOTIFY_DELAY_WHILE_SENDING = 60_000

const nothing = { sent: 0, parked: false, mismatches: false, key: false }

/** Derives notifications from how the state changes, never one for each edit. */
export function createNotificationFeed({
  clock,
  isFocused,
  settings,
  notify: tell,
}: NotificationFeedParts): NotificationFeed {
  let before: Snapshot | null = null
  let due = { ...nothing }
  let since: number | null = null
  /** Number of edits delivered when sending last ended. */
  let sentBefore = 0
  let cancel = () => {}

  function collect(was: Snapshot, is: Snapshot): void {
    if (is.key === 'refused' && was.key !== 'refused') due.key = true
    if (is.key !== 'refused') due.key = false
    if (is.parked > was.parked) due.parked = true
    if (is.parked === 0) due.parked = false
    if (is.mismatches > was.mismatches) due.mismatches = true
    if (is.mismatches === 0) due.mismatches = false
    if (is.isSending) return
    if (was.isSending && is.lastApplied) due.sent += is.sent - sentBefore
    sentBefore = is.sent
  }

  function schedule(is: Snapshot): void {
    cancel()
    if (!due.key && !due.parked && !due.mismatches && due.sent === 0) return void (since = null)
    since ??= clock.monotonic()
    const delay = is.isOnline ? NOTIFY_DELAY_WHILE_SENDING : NOTIFY_DELAY
    cancel = clock.after(Math.max(0, since + delay - clock.monotonic()), () => publish(is))
  }

  function publish({ parked, mismatches, waiting }: Snapshot): void {
    const events = due
    due = { ...nothing }
    since = null
    if (isFocused()) return
    const enabled = settings()
    if (events.key && enabled.notifyKey) tell({ kind: 'key' })
    // A notification of what needs attention replaces the one of sent edits.
    if (events.parked && enabled.notifyParked) tell({ kind: 'parked', count: parked })
    else if (events.mismatches && enabled.notifyParked) tell({ kind: 'mismatch', count: mismatches })
    else if (events.sent > 0 && enabled.notifySent) tell({ kind: 'sent', count: events.sent, waiting })
  }

  return {
    update(state, edits) {
      const is = snapshotOf(state, edits)
      // The state at the start, or of another connection, is no change.
      if (before?.connection === is.connection) collect(before, is)
      else {
        due = { ...nothing }
        sentBefore = is.sent
      }
      before = is
      schedule(is)
    },
    stop: () => cancel(),
  }
}

interface Snapshot {
  connection: string | null
  key: string | null
  waiting: number
  parked: number
  mismatches: number
  /** True while edits can be sent. */
  isSending: boolean
  isOnline: boolean
  sent: number
  /** True if the last edit of the history was applied, not discarded. */
  lastApplied: boolean
}

function snapshotOf(state: AppState, { last, sent }: SentEdits): Snapshot {
  const { connection, waiting, parked, mismatches, drain, paused, reach } = state
  const key = connection?.key ?? null
  const isOpen = reach.state === 'online' && !paused && key !== 'refused' && key !== 'missing'
  return {
    connection: connection?.id ?? null,
    key,
    waiting,
    parked,
    mismatches,
    isSending: drain !== null,
    isOnline: isOpen && drain !== null,
    sent,
    lastApplied: last !== null && isApplied(last.became),
  }
}
