import { z } from 'zod'
import { isApplied } from '../outbox/history.ts'
import type { AccountState } from '../../shared/account-state.ts'
import type { RemoteSummary } from '../../shared/activity.ts'
import type { HistoryEntry } from '../../shared/edit.ts'
import type { AppState, Settings } from '../../shared/state.ts'
import type { PresetDrift } from '../bulk/preset-watch.ts'
import type { RemoteChangesReport } from '../replica/ports.ts'

/** A change of which the user is notified. `since`: from when a click shows the activity, in milliseconds since 1970. */
export type NotificationEvent =
  /** `count` edits were delivered, no more can be sent now, and `waiting` edits remain. `parked`: edits that need attention. */
  | { kind: 'sent'; count: number; waiting: number; parked: number; since: number }
  /** `count`: unread mismatches. */
  | { kind: 'mismatch'; count: number; since: number }
  /** `count`: edits that need attention. */
  | { kind: 'parked'; count: number }
  | { kind: 'key' }
  /** Found by a refresh. `drifts`: watched presets from which websites differ now but did not before. */
  | ({ kind: 'remote'; changes: RemoteSummary; drifts: readonly PresetDrift[] } & Omit<RemoteChangesReport, 'summary'>)

/** `isOnly`: true if there is no other account, so that the notification needs no name. */
export interface NotifiedAccount {
  id: string
  name: string
  isOnly: boolean
}

/** The facts about an account's edits from which its notifications are derived. */
export interface OutboxProgress {
  last: HistoryEntry | null
  /** Number of edits delivered since the start. */
  sent: number
  /** True if the service has accepted the current key since the start or since it last rejected it. */
  keyAccepted: boolean
}

/** The clock, settings, memory and callbacks of {@link createNotificationFeed}. */
export interface NotificationFeedOptions {
  clock: { wall(): number; monotonic(): number; after(ms: number, call: () => void): () => void }
  /** True while the user looks at the window, which shows the active account. */
  isFocused: () => boolean
  settings: () => Settings
  notify: (news: NotificationEvent, account: NotifiedAccount) => void
  /** Ids of accounts whose rejected key was notified. They are stored, so that a restart doesn't notify again. */
  rejectedKeys: { read: () => unknown; write: (ids: string[]) => void }
}

/** Milliseconds from the first change to the notification, so that several changes make one. */
const NOTIFY_DELAY = 2_000
/** Milliseconds from the first change to the notification while edits are being sent one after another. */
const NOTIFY_DELAY_WHILE_SENDING = 60_000

/** `sent`: a number of edits. */
const nothingDue = { sent: 0, parked: false, mismatches: false, key: false }

/** Derives notifications from how the state of each account changes, never one for each edit. */
export function createNotificationFeed(options: NotificationFeedOptions) {
  const feeds = new Map<string, AccountFeed>()
  const rejectionOf = createRejectedKeyMemory(options.rejectedKeys)
  let last: AppState | null = null

  /** Does not notify of an account that the user is looking at. */
  function notifyUnseen(id: string, news: NotificationEvent): void {
    const account = last?.accounts.find((each) => each.id === id)
    const isShown = options.isFocused() && last?.connection?.id === id
    if (account === undefined || isShown) return
    options.notify(news, { id, name: account.name, isOnly: last?.accounts.length === 1 })
  }

  return {
    /** A refresh has found remote changes. Notifies of the kinds that the user has chosen, and of all `drifts`. */
    remoteChanges(id: string, { summary, ...entries }: RemoteChangesReport, drifts: readonly PresetDrift[]): void {
      const { added, changed, published, deleted } = summary
      const { notifyDeleted, notifyPublished, notifyChanged } = options.settings()
      const changes = {
        deleted: notifyDeleted ? deleted : 0,
        published: notifyPublished ? published : 0,
        added: notifyChanged ? added : 0,
        changed: notifyChanged ? changed : 0,
      }
      if (drifts.length > 0 || Object.values(changes).some((count) => count > 0))
        notifyUnseen(id, { kind: 'remote', changes, drifts, ...entries })
    },
    /** `edits`: by account id, of the accounts that run. */
    update(state: AppState, edits: ReadonlyMap<string, OutboxProgress>): void {
      const { accounts, connection, paused } = state
      last = state
      for (const [id, feed] of feeds) {
        if (accounts.some((account) => account.id === id)) continue
        feed.stop()
        feeds.delete(id)
        rejectionOf(id).set(false)
      }
      for (const account of accounts) {
        const { id, name } = account
        const feed = feeds.get(id) ?? createAccountFeed(options, rejectionOf(id))
        feeds.set(id, feed)
        feed.update(notifiableStateOf(account, paused, edits.get(id)), {
          notified: { id, name, isOnly: accounts.length === 1 },
          isActive: connection?.id === id,
        })
      }
    },
    stop(): void {
      for (const feed of feeds.values()) feed.stop()
    },
  }
}

/** Remembers for each account if the user was notified of its rejected key. */
function createRejectedKeyMemory({ read, write }: NotificationFeedOptions['rejectedKeys']) {
  const ids = new Set(z.array(z.string()).safeParse(read()).data)
  return (id: string) => ({
    isNotified: () => ids.has(id),
    set(notified: boolean): void {
      if (notified === ids.has(id)) return
      if (notified) ids.add(id)
      else ids.delete(id)
      write([...ids])
    },
  })
}

type AccountFeed = ReturnType<typeof createAccountFeed>
/** `isActive`: the window shows the account. */
type NotificationTarget = { notified: NotifiedAccount; isActive: boolean }

function createAccountFeed(
  { clock, isFocused, settings, notify }: NotificationFeedOptions,
  rejection: ReturnType<ReturnType<typeof createRejectedKeyMemory>>,
) {
  let before: NotifiableState | null = null
  let due = { ...nothingDue }
  /** Monotonic time of the first change that is due. Null if none is. */
  let since: number | null = null
  /** The last time when nothing was due and nothing was being sent, in milliseconds since 1970. */
  let calmAt = clock.wall()
  /** Number of edits delivered when sending last ended. */
  let sentBefore = 0
  let cancel = () => {}

  /** Adds the changes between two states to `due`. */
  function collect(was: NotifiableState, is: NotifiableState): void {
    if (is.key === 'refused' && was.key !== 'refused') due.key = !rejection.isNotified()
    if (is.key !== 'refused') due.key = false
    if (is.parked > was.parked) due.parked = true
    if (is.parked === 0) due.parked = false
    if (is.mismatches > was.mismatches) due.mismatches = true
    if (is.mismatches === 0) due.mismatches = false
    if (is.isSending) return
    if (was.isSending && is.lastApplied) due.sent += is.sent - sentBefore
    sentBefore = is.sent
  }

  /** Schedules the notification, or cancels it if nothing is due. */
  function schedule(is: NotifiableState, of: NotificationTarget): void {
    cancel()
    if (!Object.values(due).some(Boolean)) return void (since = null)
    since ??= clock.monotonic()
    const delay = is.isDelivering ? NOTIFY_DELAY_WHILE_SENDING : NOTIFY_DELAY
    cancel = clock.after(Math.max(0, since + delay - clock.monotonic()), () => publish(is, of))
  }

  function publish({ parked, mismatches, waiting }: NotifiableState, { notified, isActive }: NotificationTarget): void {
    const events = due
    due = { ...nothingDue }
    since = null
    const focused = isFocused()
    // The window shows these changes already.
    if (focused && isActive) return
    const enabled = settings()
    if (events.key && enabled.notifyKey) {
      rejection.set(true)
      notify({ kind: 'key' }, notified)
    }
    // A notification about what needs attention replaces the one about sent edits.
    if (events.parked && enabled.notifyParked) notify({ kind: 'parked', count: parked }, notified)
    else if (events.mismatches && enabled.notifyParked)
      notify({ kind: 'mismatch', count: mismatches, since: calmAt }, notified)
    // Sent edits are not reported while the user works in the window, which then shows another account.
    else if (events.sent > 0 && enabled.notifySent && !focused)
      notify({ kind: 'sent', count: events.sent, waiting, parked, since: calmAt }, notified)
  }

  return {
    update(is: NotifiableState, of: NotificationTarget): void {
      const isReplaced = before?.key === 'refused' && (is.key === 'stored' || is.key === 'run')
      if (is.keyAccepted || isReplaced) rejection.set(false)
      // The state at the start is no change, nor is that of an account that has just begun to run.
      if (before?.running === is.running) collect(before, is)
      else {
        due = { ...nothingDue }
        sentBefore = is.sent
      }
      before = is
      schedule(is, of)
      if (since === null && !is.isSending) calmAt = clock.wall()
    },
    stop: () => cancel(),
  }
}

/** The state of an account whose changes lead to notifications. */
interface NotifiableState {
  running: boolean
  key: string
  waiting: number
  parked: number
  mismatches: number
  /** True while edits are pending that can be sent, now or once the connection allows it. */
  isSending: boolean
  /** True if `isSending`, and the account is online, not paused and has a usable key. */
  isDelivering: boolean
  sent: number
  keyAccepted: boolean
  /** True if the last edit of the history was applied, not discarded. */
  lastApplied: boolean
}

function notifiableStateOf(account: AccountState, paused: boolean, edits: OutboxProgress | undefined): NotifiableState {
  const { running, key, waiting, parked, mismatches, sending, offline } = account
  const isOpen = !offline && !paused && key !== 'refused' && key !== 'missing'
  return {
    running,
    key,
    waiting,
    parked,
    mismatches,
    isSending: sending,
    isDelivering: isOpen && sending,
    sent: edits?.sent ?? 0,
    keyAccepted: edits?.keyAccepted ?? false,
    lastApplied: edits?.last != null && isApplied(edits.last.became),
  }
}
