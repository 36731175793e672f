import type { AppError } from '../../../shared/result.ts'
import type { WebsiteRecord, WebsiteSettings } from '../../../shared/website.ts'
import type { Base, ParkReason } from './edit.ts'
import type { ResendContent } from '../reconcile/resend.ts'

/** The outcome of one attempt to deliver an edit. */
export type EditOutcome =
  /** Proven applied. */
  | {
      kind: 'applied'
      /** The record that the service has now. */
      record: WebsiteRecord
      /** The values that the service kept instead of those sent. */
      ignored: Partial<WebsiteSettings>
      resend: ResendContent | null
      /** True if another client or an earlier request may have set the same values, so that this request may still take effect. */
      mayStillApply: boolean
      /** The service's clock in the response to the write. Null if only a read proved it, or the service sends none. */
      date: number | null
    }
  /** The delete was applied, or a read has proven that its website is gone. */
  | { kind: 'deleted' }
  /** The service has all values already, so nothing is sent. */
  | { kind: 'noChange'; record: WebsiteRecord }
  /** Proven not applied. `base`: the edit's new base with what the read has explained, or null to keep the base. */
  | { kind: 'notApplied'; error: AppError; base: Base | null; remote: WebsiteRecord | null }
  /** An accepted create whose website is not in the list yet. The website is looked up again for a while. */
  | { kind: 'missing'; error: AppError }
  /** The user has to decide. `theirs`: the record that the user is shown. `remote`: the record that a read has shown. */
  | {
      kind: 'park'
      reason: ParkReason
      error: AppError | null
      theirs: WebsiteRecord | null
      remote: WebsiteRecord | null
    }
  /** Possibly applied. `accepted`: certainly applied, and only its record is still to be read. */
  | { kind: 'inDoubt'; error: AppError | null; accepted: boolean }
  /** Nothing new is known, for example after a 401, a 429 or a failed read. The edit is tried again later. */
  | { kind: 'retryLater'; error: AppError }
  /** The read began too early to prove anything but success. `until`: when to read again, by the monotonic clock. */
  | { kind: 'tooEarly'; error: AppError; until: number; remote: WebsiteRecord | null }
  /** The request never left this computer. Like `retryLater`, but it does not count as sent. */
  | { kind: 'neverSent'; error: AppError }

export const applied = (
  record: WebsiteRecord,
  ignored: Partial<WebsiteSettings> = {},
  resend: ResendContent | null = null,
  mayStillApply = false,
  date: number | null = null,
): EditOutcome => ({ kind: 'applied', record, ignored, resend, mayStillApply, date })
export const deleted: EditOutcome = { kind: 'deleted' }
export const noChange = (record: WebsiteRecord): EditOutcome => ({ kind: 'noChange', record })
export const notApplied = (
  error: AppError,
  base: Base | null = null,
  remote: WebsiteRecord | null = null,
): EditOutcome => ({ kind: 'notApplied', error, base, remote })
export const missing = (error: AppError): EditOutcome => ({ kind: 'missing', error })
/** If `remote` is left out, it is the same record as `theirs`. */
export const park = (
  reason: ParkReason,
  error: AppError | null,
  theirs: WebsiteRecord | null = null,
  remote = theirs,
): EditOutcome => ({ kind: 'park', reason, error, theirs, remote })
export const inDoubt = (error: AppError | null, accepted = false): EditOutcome => ({ kind: 'inDoubt', error, accepted })
export const tooEarly = (error: AppError, until: number, remote: WebsiteRecord | null): EditOutcome => ({
  kind: 'tooEarly',
  error,
  until,
  remote,
})
export const retryLater = (error: AppError): EditOutcome => ({ kind: 'retryLater', error })
export const neverSent = (error: AppError): EditOutcome => ({ kind: 'neverSent', error })
