import { isApplied } from '../outbox/history.ts'
import type { HistoryEntry } from '../../shared/edit.ts'
import type { AppState, Settings } from '../../shared/state.ts'

/**
 * What is worth interrupting a person for. `sent`: all that could go is, and so many wait nevertheless; `parked`: how many need
 * them in all; `mismatches`: how many came out so, and weren't looked at.
 */
export type News =
  { kind: 'sent'; count: number; waiting: number } | { kind: 'parked' | 'mismatch'; count: number } | { kind: 'key' }

export interface NewsFeed {
  /** The state as it is now. */
  heard(state: AppState, edits: LeftEdits): void
  stop(): void
}

/** What has left the outbox. */
export interface LeftEdits {
  /** What became of an edit most lately. */
  last: HistoryEntry | null
  /** How many were delivered since the start. */
  sent: number
}

export interface NewsParts {
  clock: { monotonic(): number; after(ms: number, call: () => void): () => void }
  /** Whoever looks at the window sees it there. */
  isFocused: () => boolean
  settings: () => Settings
  tell: (news: News) => void
}

/** Milliseconds from the first news to telling: what comes meanwhile is told with it. */
const SETTLES = 2_000
/** The same while edits are being delivered one after the other: of many that need the person one word is enough. */
const WHILE_SENDING = 60_000

const nothing = { sent: 0, parked: false, mismatches: false, key: false }

/** Finds out what is news from how the state changes; never one for each edit. */
export function createNewsFeed({ clock, isFocused, settings, tell }: NewsParts): NewsFeed {
  let before: Seen | null = null
  let due = { ...nothing }
  let since: number | null = null
  /** How many were delivered when the last delivery ended. */
  let counted = 0
  let cancel = () => {}

  function note(was: Seen, is: Seen): void {
    if (is.key === 'refused' && was.key !== 'refused') due.key = true
    if (is.key !== 'refused') due.key = false
    if (is.parked > was.parked) due.parked = true
    if (is.parked === 0) due.parked = false
    if (is.mismatches > was.mismatches) due.mismatches = true
    if (is.mismatches === 0) due.mismatches = false
    if (is.isDraining) return
    if (was.isDraining && is.isSent) due.sent += is.sent - counted
    counted = is.sent
  }

  function arm(is: Seen): void {
    cancel()
    if (!due.key && !due.parked && !due.mismatches && due.sent === 0) return void (since = null)
    since ??= clock.monotonic()
    const patience = is.delivering ? WHILE_SENDING : SETTLES
    cancel = clock.after(Math.max(0, since + patience - clock.monotonic()), () => publish(is))
  }

  function publish({ parked, mismatches, waiting }: Seen): void {
    const told = due
    due = { ...nothing }
    since = null
    if (isFocused()) return
    const wants = settings()
    if (told.key && wants.notifyKey) tell({ kind: 'key' })
    // What needs the person says enough, where they want to hear of it.
    if (told.parked && wants.notifyParked) tell({ kind: 'parked', count: parked })
    else if (told.mismatches && wants.notifyParked) tell({ kind: 'mismatch', count: mismatches })
    else if (told.sent > 0 && wants.notifySent) tell({ kind: 'sent', count: told.sent, waiting })
  }

  return {
    heard(state, edits) {
      const is = seen(state, edits)
      // What another connection has isn't new, nor what was there at the start.
      if (before?.connection === is.connection) note(before, is)
      else {
        due = { ...nothing }
        counted = is.sent
      }
      before = is
      arm(is)
    },
    stop: () => cancel(),
  }
}

interface Seen {
  connection: string | null
  key: string | null
  waiting: number
  parked: number
  mismatches: number
  /** Something can go. */
  isDraining: boolean
  delivering: boolean
  sent: number
  /** The edit that left last went to the service; the person hasn't taken it back. */
  isSent: boolean
}

function seen(state: AppState, { last, sent }: LeftEdits): Seen {
  const { connection, waiting, parked, mismatches, drain, paused, reach } = state
  const key = connection?.key ?? null
  const isOpen = reach.state === 'online' && !paused && key !== 'refused' && key !== 'missing'
  return {
    connection: connection?.id ?? null,
    key,
    waiting,
    parked,
    mismatches,
    isDraining: drain !== null,
    delivering: isOpen && drain !== null,
    sent,
    isSent: last !== null && isApplied(last.became),
  }
}
