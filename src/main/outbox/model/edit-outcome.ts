import type { AppError } from '../../../shared/result.ts'
import type { WebsiteRecord, WebsiteSettings } from '../../../shared/website.ts'
import type { Base, ParkReason } from './edit.ts'
import type { ResendContent } from '../reconcile/resend.ts'

/** The outcome of an edit as far as it is known, after an answer or a read. */
export type EditOutcome =
  /**
   * Proven applied. `record` is what the service has now, `ignored` the fields for which it kept other values than were sent,
   * with those values, and `resend` what is sent a second time. `chosen` is true if another client or an earlier request may have
   * set the same values, so that the request may still take effect. `date` is the service's clock in the answer to the write
   * itself, or null if only a read has proven it or the service sends none.
   */
  | {
      kind: 'applied'
      record: WebsiteRecord
      ignored: Partial<WebsiteSettings>
      resend: ResendContent | null
      chosen: boolean
      date: number | null
    }
  /**
   * The website of a delete no longer exists on the service: the delete was applied, or a read has proven that the website is
   * gone.
   */
  | { kind: 'deleted' }
  /** The service already has all values, and nothing is sent. */
  | { kind: 'noChange'; record: WebsiteRecord }
  /**
   * Proven not applied: the edit may be sent again. `base` replaces its base, so that the user is not asked about values that the
   * read has explained; null keeps its base. `remote` is the record if a read has shown it.
   */
  | { kind: 'notApplied'; error: AppError; base: Base | null; remote: WebsiteRecord | null }
  /** A create that was accepted but is not found in the list: its website is looked up again for a while. */
  | { kind: 'missing'; error: AppError }
  /** Needs the user. `theirs` is the record that the user is shown, `remote` the record that a read has shown. */
  | {
      kind: 'park'
      reason: ParkReason
      error: AppError | null
      theirs: WebsiteRecord | null
      remote: WebsiteRecord | null
    }
  /** Possibly applied. `accepted` is true if it was applied for certain and only its record is still to be read. */
  | { kind: 'inDoubt'; error: AppError | null; accepted: boolean }
  /**
   * No new knowledge about the edit, for example after a 401, a 429 or a failed read. An edit in doubt stays in doubt, any other
   * is queued again, and both are tried again later.
   */
  | { kind: 'retryLater'; error: AppError }
  /**
   * The read left too early to prove anything but success; the edit is read again at `until`, by the monotonic clock. `remote` is
   * the record that it showed, if any.
   */
  | { kind: 'tooEarly'; error: AppError; until: number; remote: WebsiteRecord | null }
  /** The request never left this computer. Like `retryLater`, but it does not count as sent. */
  | { kind: 'neverSent'; error: AppError }

/** Returns the outcome of an edit that was applied. `ignored` and the others are as in {@link EditOutcome}. */
export const applied = (
  record: WebsiteRecord,
  ignored: Partial<WebsiteSettings> = {},
  resend: ResendContent | null = null,
  chosen = false,
  date: number | null = null,
): EditOutcome => ({ kind: 'applied', record, ignored, resend, chosen, date })
/** The outcome of a delete whose website is gone. */
export const deleted: EditOutcome = { kind: 'deleted' }
/** Returns the outcome of an edit of which nothing has to be sent. */
export const noChange = (record: WebsiteRecord): EditOutcome => ({ kind: 'noChange', record })
/** Returns the outcome of an edit that was proven not applied. */
export const notApplied = (
  error: AppError,
  base: Base | null = null,
  remote: WebsiteRecord | null = null,
): EditOutcome => ({ kind: 'notApplied', error, base, remote })
/** Returns the outcome of an accepted create whose website is not in the list yet. */
export const missing = (error: AppError): EditOutcome => ({ kind: 'missing', error })
/** Returns the outcome of an edit that needs the user. If `remote` is left out, it is the same record as `theirs`. */
export const park = (
  reason: ParkReason,
  error: AppError | null,
  theirs: WebsiteRecord | null = null,
  remote = theirs,
): EditOutcome => ({ kind: 'park', reason, error, theirs, remote })
/** Returns the outcome of a request that may have been applied. */
export const inDoubt = (error: AppError | null, accepted = false): EditOutcome => ({ kind: 'inDoubt', error, accepted })
/** Returns the outcome of a read that left too early to prove that the edit was not applied. */
export const tooEarly = (error: AppError, until: number, remote: WebsiteRecord | null): EditOutcome => ({
  kind: 'tooEarly',
  error,
  until,
  remote,
})
/** Returns the outcome of a step that says nothing about the edit, which is tried again later. */
export const retryLater = (error: AppError): EditOutcome => ({ kind: 'retryLater', error })
/** Returns the outcome of a request that never left this computer. */
export const neverSent = (error: AppError): EditOutcome => ({ kind: 'neverSent', error })
