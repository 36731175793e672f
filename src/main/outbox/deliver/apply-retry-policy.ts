import type { AppError, Result } from '../../../shared/result.ts'
import { settingNames, type SettingName, type WebsiteRecord } from '../../../shared/website.ts'
import { meansSame } from '../model/compare.ts'
import { commitOutcome, type OutcomeToCommit, type SentTo } from './commit-outcome.ts'
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
  /** Outcomes of requests that a disk error has kept from being stored, by the id of the edit. */
  unwritten: Map<string, { edit: Edit; outcome: EditOutcome }>
  isActive: () => boolean
}

/** Complete lookups, some ten minutes in all, in which what the service has accepted should have come into its list. */
const LOOKS = 10
/** Sends after which an edit that is proven not applied is left to the user (docs/sync.md#repeated-failures). */
const SENDS = 5

/**
 * Stores what became of an edit, and holds it back if it failed. `sentTo`: its website's domain, and the record that it was merged
 * with, if it was sent just now. Errors: `disk-full`, `storage`.
 */
export function applyRetryPolicy(
  ports: AttemptPorts,
  edit: Edit,
  judged: EditOutcome,
  sentTo: Partial<SentTo> = {},
): Result<void> {
  const { store, holds, unwritten, clock, random, readCache } = ports
  const outcome = afterReads(ports, edit, afterSends(ports, edit, judged))
  const toCommit: OutcomeToCommit = {
    edit: asRead(edit, judged, outcome),
    outcome,
    at: clock.wall(),
    newId: () => random.id(),
    domain: sentTo.domain,
    there: sentTo.there ?? null,
  }
  const committed = commitOutcome(store, toCommit)
  if (!committed.ok) {
    // After a restart it's in doubt.
    if (edit.standing.state === 'sending') {
      if (isNothingTaken(outcome)) unwritten.set(edit.id, { edit, outcome })
      else holds.noteInDoubt(edit.id)
    }
    holds.backOff(edit.id, committed.error)
    return committed
  }
  unwritten.delete(edit.id)
  // It is read at once; how often it has failed is remembered.
  if (outcome.kind === 'inDoubt') holds.noteInDoubt(edit.id)
  if (outcome.kind === 'applied' && edit.standing.state === 'inDoubt') readCache.proven(outcome.record)
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
      holdBack(ports, edit, outcome.error)
      break
    case 'tooEarly':
      holds.holdUntil(edit.id, 'backoff', outcome.error, outcome.until)
      break
  }
  return committed
}

/** Nothing of it was taken, and nothing is wrong with it. */
const isNothingTaken = ({ kind }: EditOutcome): boolean => kind === 'neverSent' || kind === 'retryLater'

/** Parked in the place of being sent again, it's held against the same read: that the record has moved may be our own doing. */
const asRead = (edit: Edit, judged: EditOutcome, { kind }: EditOutcome): Edit =>
  kind === 'park' && judged.kind === 'notApplied' && judged.base !== null ? { ...edit, base: judged.base } : edit

function afterSends({ holds }: AttemptPorts, edit: Edit, outcome: EditOutcome): EditOutcome {
  const failures = (edit.sent?.failures ?? 0) + 1
  if (outcome.kind === 'notApplied' && failures >= SENDS && !isThere(edit, outcome.there)) {
    // A read so soon after it may be behind: before the user is told that it failed, there's another.
    const left = holds.mayBeStaleFor(edit.id)
    if (left > 0) return retryLater({ ...outcome.error, retryAfter: left / 1000 })
    return park('failing', outcome.error, null, outcome.there)
  }
  return outcome.kind === 'missing' && failures >= LOOKS ? park('gone', outcome.error) : outcome
}

/** A read that tells nothing, though the service is there for others: in the long run nobody but the user can go on. */
function afterReads({ connectivity, holds }: AttemptPorts, { id, standing }: Edit, outcome: EditOutcome): EditOutcome {
  if (standing.state !== 'inDoubt' || outcome.kind !== 'retryLater' || !connectivity.gate().open) return outcome
  return holds.noteFailedRead(id) ? park('unread', outcome.error) : outcome
}

/**
 * True if the website has all visible values of an edit, so that nobody can say that the edit failed: it is sent again only for
 * values that cannot be seen, or because an earlier request of it may still arrive.
 */
function isThere(edit: Edit, there: WebsiteRecord | null): boolean {
  const { base, settings } = edit
  const isChange = (name: SettingName) =>
    !meansSame(base.settings, settings, name) ||
    (isPossiblySent(possiblySentOf(edit), name) && !(name === 'privacy' && edit.sealed !== null))
  const changes = settingNames.filter((name) => !isSetBack(edit, name) && isChange(name))
  const shown = changes.filter((name) => settings[name] !== undefined && there?.[name] !== undefined)
  return there !== null && shown.length > 0 && shown.every((name) => meansSame(there, settings, name))
}

/**
 * Where the whole connection is held, the edit goes as soon as that is over. Where it isn't for want of a key, another one is
 * there already: the edit goes with that at once.
 */
export function holdBack({ connectivity, holds }: AttemptPorts, { id }: Edit, error: AppError): void {
  if (connectivity.gate().open && !isKeyError(error.code)) holds.backOff(id, error)
}
