import type { AppError, Result } from '../../../shared/result.ts'
import { settingNames, type SettingName, type WebsiteRecord } from '../../../shared/website.ts'
import { meansSame } from '../model/compare.ts'
import type { UpdatedAtTracker } from './acknowledged-times.ts'
import { commitOutcome } from './commit-outcome.ts'
import type { Edit } from '../model/edit.ts'
import { isPossiblySent, isSetBack, possiblySentOf } from '../model/possibly-sent.ts'
import type { OutboxPorts } from '../ports.ts'
import type { PreflightReads } from '../remote/preflight-reads.ts'
import type { Holds } from '../schedule/holds.ts'
import { isKeyError } from '../never-sent.ts'
import { park, retryLater, type EditOutcome } from '../model/edit-outcome.ts'

/** The ports and the memory that an attempt to send an edit needs. */
export interface AttemptPorts extends OutboxPorts {
  holds: Holds
  preflight: PreflightReads
  /** Outcomes that a disk error has kept from being stored, by the id of the edit. */
  unwritten: Map<string, { edit: Edit; outcome: EditOutcome }>
  updatedAtTracker: UpdatedAtTracker
  /** Returns false once replay is stopped: then nothing is sent. */
  isActive: () => boolean
  /** Called with the key of a website when its edit, and the record that was read for it, are stored before the request. */
  onSending: (website: string) => void
}

/** Number of lookups, about ten minutes in all, after which an accepted create that is still not in the list is parked. */
const MAX_LOOKUPS = 10
/** Number of sends after which an edit that is proven not applied is parked (docs/sync.md#repeated-failures). */
const MAX_SENDS = 5

/**
 * Stores the outcome of an edit, and delays the next try if it failed. Parks the edit instead if it was proven not applied, not
 * found or not readable too often. `remote` is the record that the edit was merged with, if it was sent just now. Errors:
 * `disk-full`, `storage`.
 */
export function applyRetryPolicy(
  ports: AttemptPorts,
  edit: Edit,
  judged: EditOutcome,
  remote: WebsiteRecord | null = null,
): Result<void> {
  const { store, holds, unwritten, clock, random, readCache } = ports
  const outcome = parkIfUnreadForLong(ports, edit, parkIfFailedTooOften(ports, edit, judged))
  const committed = commitOutcome(store, {
    edit: withReadBase(edit, judged, outcome),
    outcome,
    at: clock.wall(),
    newId: () => random.id(),
    remote,
  })
  if (!committed.ok) {
    // The edit stays `sending` on disk, so that it is in doubt after a restart. Until then, an outcome that proves that nothing
    // was applied is kept in memory, and the next attempt stores it.
    if (edit.standing.state === 'sending') {
      if (isDelayOnly(outcome)) unwritten.set(edit.id, { edit, outcome })
      else holds.noteInDoubt(edit.id)
    }
    holds.backOff(edit.id, committed.error)
    return committed
  }
  unwritten.delete(edit.id)
  // An edit that has just come into doubt gets no hold: its website is read at once. After a failed read, the delay still grows
  // with its earlier failures.
  if (outcome.kind === 'inDoubt') holds.noteInDoubt(edit.id)
  // Any other outcome needs an answer of the service.
  if (!isDelayOnly(outcome)) holds.endFailedReads(edit.id)
  // A later read is no answer: it may show the time of another client's change.
  if (outcome.kind === 'applied' && edit.standing.state === 'sending')
    ports.updatedAtTracker.note(edit.website, edit.base.updated_at, outcome.record.updated_at)
  if (outcome.kind === 'applied' && edit.standing.state === 'inDoubt') readCache.noteProven(outcome.record)
  if (outcome.kind === 'deleted') holds.unlimit()
  if (outcome.kind === 'park' && outcome.reason === 'website-limit') holds.limit()
  switch (outcome.kind) {
    case 'applied':
    case 'deleted':
    case 'noChange':
    case 'park':
      holds.forget(edit.id)
      break
    case 'notApplied':
    case 'missing':
      holds.backOff(edit.id, outcome.error)
      break
    case 'retryLater':
    case 'neverSent':
      delayAfterError(ports, edit, outcome.error)
      break
    case 'tooEarly':
      holds.holdUntil(edit.id, 'backoff', outcome.error, outcome.until)
      break
  }
  return committed
}

/**
 * True if the outcome proves nothing about the edit and only delays it. If a write has just been sent, the service has accepted
 * nothing of it.
 */
const isDelayOnly = ({ kind }: EditOutcome): boolean => kind === 'neverSent' || kind === 'retryLater'

/**
 * If an edit that a read has proven not applied is parked instead of sent again, returns it with the base of that read: our own
 * request may have changed `updated_at`. Otherwise returns the edit unchanged.
 */
const withReadBase = (edit: Edit, judged: EditOutcome, { kind }: EditOutcome): Edit =>
  kind === 'park' && judged.kind === 'notApplied' && judged.base !== null ? { ...edit, base: judged.base } : edit

/**
 * Returns `park` for an edit that was proven not applied, or was not found, too often. Returns `retryLater` if the last read may
 * be stale, and the outcome unchanged otherwise.
 */
function parkIfFailedTooOften({ holds }: AttemptPorts, edit: Edit, outcome: EditOutcome): EditOutcome {
  const failures = (edit.sent?.failures ?? 0) + 1
  if (outcome.kind === 'notApplied' && failures >= MAX_SENDS && !showsAllVisibleChanges(edit, outcome.remote)) {
    // A read this soon may be stale: read again before the edit is reported as failed.
    const left = holds.mayBeStaleFor(edit.id)
    if (left > 0) return retryLater({ ...outcome.error, retryAfter: left / 1000 })
    return park('failing', outcome.error, null, outcome.remote)
  }
  return outcome.kind === 'missing' && failures >= MAX_LOOKUPS ? park('gone', outcome.error) : outcome
}

/** Parks an edit in doubt whose reads have failed for long while the service answers others: only the user can decide. */
function parkIfUnreadForLong(
  { connectivity, holds }: AttemptPorts,
  { id, standing }: Edit,
  outcome: EditOutcome,
): EditOutcome {
  if (standing.state !== 'inDoubt' || outcome.kind !== 'retryLater' || !connectivity.gate().open) return outcome
  return holds.noteFailedRead(id) ? park('unread', outcome.error) : outcome
}

/**
 * True if the website has all values that an edit changes and that the service shows; false if it shows none of them. The edit is
 * then not reported as failed: it is sent again only for values that cannot be seen, or because an earlier request of it may
 * still arrive.
 */
function showsAllVisibleChanges(edit: Edit, remote: WebsiteRecord | null): boolean {
  const { base, settings } = edit
  const isChange = (name: SettingName) =>
    !meansSame(base.settings, settings, name) ||
    (isPossiblySent(possiblySentOf(edit), name) && !(name === 'privacy' && edit.sealed !== null))
  const changes = settingNames.filter((name) => !isSetBack(edit, name) && isChange(name))
  const shown = changes.filter((name) => settings[name] !== undefined && remote?.[name] !== undefined)
  return remote !== null && shown.length > 0 && shown.every((name) => meansSame(remote, settings, name))
}

/**
 * Delays an edit after an error. Does nothing if the gate is closed, because the edit may go as soon as the gate opens, or after
 * a key error, because an open gate then means that the key was replaced.
 */
export function delayAfterError({ connectivity, holds }: AttemptPorts, { id }: Edit, error: AppError): void {
  if (connectivity.gate().open && !isKeyError(error.code)) holds.backOff(id, error)
}
