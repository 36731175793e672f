import type { AppError, Result } from '../../../shared/result.ts'
import { settingNames, type SettingName, type WebsiteRecord } from '../../../shared/website.ts'
import { isSameIgnoringOrder } from '../model/compare.ts'
import type { UpdatedAtTracker } from './acknowledged-times.ts'
import { commitOutcome } from './commit-outcome.ts'
import type { Edit } from '../model/edit.ts'
import { isPossiblySent, isSetBack, possiblySentOf } from '../model/possibly-sent.ts'
import type { OutboxPorts } from '../ports.ts'
import type { PreflightReads } from '../remote/preflight-reads.ts'
import type { Holds } from '../schedule/holds.ts'
import { isKeyError } from '../never-sent.ts'
import { park, retryLater, type EditOutcome } from '../model/edit-outcome.ts'

export interface AttemptPorts extends OutboxPorts {
  holds: Holds
  preflight: PreflightReads
  /** Outcomes that could not be stored because of a disk error, by edit id. */
  unwritten: Map<string, { edit: Edit; outcome: EditOutcome }>
  updatedAtTracker: UpdatedAtTracker
  /** False once replay is stopped: then nothing is sent. */
  isActive: () => boolean
  /** Called with a website's key just before the request, when its edit (as `sending`) and the record read for it are on disk. */
  onSending: (website: string) => void
}

/** Number of lookups (about ten minutes) after which an accepted create that is still not in the list is parked. */
const MAX_LOOKUPS = 10
/** An edit that was sent this often, and proven not applied, is parked (docs/sync.md#repeated-failures). */
const MAX_SENDS = 5

/**
 * Stores the outcome of an edit and delays the next try after a failure. Parks the edit if it was too often not applied, not
 * found or not readable. `remote`: the record that the edit was merged with, if it was sent just now. Errors: `disk-full`,
 * `storage`.
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
    // The edit stays `sending` on disk, so it is in doubt after a restart. Until then, memory keeps an outcome that proves that
    // nothing was applied, and the next attempt stores it.
    if (edit.standing.state === 'sending') {
      if (isDelayOnly(outcome)) unwritten.set(edit.id, { edit, outcome })
      else holds.noteInDoubt(edit.id)
    }
    holds.backOff(edit.id, committed.error)
    return committed
  }
  unwritten.delete(edit.id)
  // An edit in doubt gets no hold here, because its website is read at once. Its count of failures stays, for the delay after a
  // failed read.
  if (outcome.kind === 'inDoubt') holds.noteInDoubt(edit.id)
  // Every other outcome means that the service has responded.
  if (!isDelayOnly(outcome)) holds.endFailedReads(edit.id)
  // Not for an edit in doubt: the later read of its website may show the `updated_at` of another client's change.
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

/** True if the outcome only delays the edit: the service has accepted nothing, or a read has proven nothing. */
const isDelayOnly = ({ kind }: EditOutcome): boolean => kind === 'neverSent' || kind === 'retryLater'

/** Our own request may have changed `updated_at`, so an edit parked as not applied gets the base of the read that proved it. */
const withReadBase = (edit: Edit, judged: EditOutcome, { kind }: EditOutcome): Edit =>
  kind === 'park' && judged.kind === 'notApplied' && judged.base !== null ? { ...edit, base: judged.base } : edit

/** Returns `park` after too many failures, `retryLater` if the last read may be stale, and otherwise `outcome`. */
function parkIfFailedTooOften({ holds }: AttemptPorts, edit: Edit, outcome: EditOutcome): EditOutcome {
  const failures = (edit.sent?.failures ?? 0) + 1
  if (outcome.kind === 'notApplied' && failures >= MAX_SENDS && !showsAllVisibleChanges(edit, outcome.remote)) {
    // This read may be stale, so read again before the edit is reported as failed.
    const left = holds.mayBeStaleFor(edit.id)
    if (left > 0) return retryLater({ ...outcome.error, retryAfter: left / 1000 })
    return park('failing', outcome.error, null, outcome.remote)
  }
  return outcome.kind === 'missing' && failures >= MAX_LOOKUPS ? park('gone', outcome.error) : outcome
}

/** Parks an edit in doubt whose reads have failed for long although the service responds to others: only the user can decide. */
function parkIfUnreadForLong(
  { connectivity, holds }: AttemptPorts,
  { id, standing }: Edit,
  outcome: EditOutcome,
): EditOutcome {
  if (standing.state !== 'inDoubt' || outcome.kind !== 'retryLater' || !connectivity.gate().open) return outcome
  return holds.noteFailedRead(id) ? park('unread', outcome.error) : outcome
}

/**
 * True if the website shows all changes that it can show, and shows at least one. The edit must then not be reported as failed:
 * it is sent again only for values that no read shows, or because an earlier request of it may still arrive.
 */
function showsAllVisibleChanges(edit: Edit, remote: WebsiteRecord | null): boolean {
  const { base, settings } = edit
  const isChange = (name: SettingName) =>
    !isSameIgnoringOrder(base.settings, settings, name) ||
    (isPossiblySent(possiblySentOf(edit), name) && !(name === 'privacy' && edit.sealed !== null))
  const changes = settingNames.filter((name) => !isSetBack(edit, name) && isChange(name))
  const shown = changes.filter((name) => settings[name] !== undefined && remote?.[name] !== undefined)
  return remote !== null && shown.length > 0 && shown.every((name) => isSameIgnoringOrder(remote, settings, name))
}

/**
 * Delays an edit after an error, except while the gate is closed (the edit may be sent as soon as the gate opens) and after a key
 * error (an open gate then means that the key was replaced).
 */
export function delayAfterError({ connectivity, holds }: AttemptPorts, { id }: Edit, error: AppError): void {
  if (connectivity.gate().open && !isKeyError(error.code)) holds.backOff(id, error)
}
