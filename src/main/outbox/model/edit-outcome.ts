import type { AppError } from '../../../shared/result.ts'
import type { WebsiteRecord, WebsiteSettings } from '../../../shared/website.ts'
import type { Base, ParkReason } from './edit.ts'
import type { Resent } from '../reconcile/resend.ts'

/** What is known of an edit, after its answer or after a read. */
export type EditOutcome =
  /**
   * Proven applied; the record is what the service has now. `ignored`: what it has in a field instead of what was sent;
   * `resend`: what is sent a second time; `chosen`: values tell it that somebody else may have chosen, or an earlier
   * request of it have brought, so that the request may still land.
   */
  | {
      kind: 'applied'
      record: WebsiteRecord
      ignored: Partial<WebsiteSettings>
      resend: Resent | null
      chosen: boolean
    }
  | { kind: 'deleted' }
  /** The service has it already; nothing is sent. */
  | { kind: 'noChange'; record: WebsiteRecord }
  /**
   * Proven not applied: it may be sent again. `base`: what is there is no matter for asking the user; `there`: where a read
   * has told so, its record.
   */
  | { kind: 'notApplied'; error: AppError; base: Base | null; there: WebsiteRecord | null }
  /** Accepted, and not to be found: read again, for a while. */
  | { kind: 'missing'; error: AppError }
  /** `theirs`: the record as the user is to be shown it; `there`: as a read has told it, shown or not. */
  | {
      kind: 'park'
      reason: ParkReason
      error: AppError | null
      theirs: WebsiteRecord | null
      there: WebsiteRecord | null
    }
  /** It may have been applied. `accepted`: it was, but its record is to be read. */
  | { kind: 'inDoubt'; error: AppError | null; accepted: boolean }
  /** Nothing new is known of it; it's tried again when the service, or what keeps it, is back. */
  | { kind: 'retryLater'; error: AppError }
  /** A read left too early to prove anything but success: the edit is read again at `until`, by the monotonic clock. */
  | { kind: 'tooEarly'; error: AppError; until: number }
  /** It never left; as `wait`, and it doesn't count as sent. */
  | { kind: 'neverSent'; error: AppError }

export const applied = (
  record: WebsiteRecord,
  ignored: Partial<WebsiteSettings> = {},
  resend: Resent | null = null,
  chosen = false,
): EditOutcome => ({
  kind: 'applied',
  record,
  ignored,
  resend,
  chosen,
})
export const deleted: EditOutcome = { kind: 'deleted' }
export const noChange = (record: WebsiteRecord): EditOutcome => ({ kind: 'noChange', record })
export const notApplied = (
  error: AppError,
  base: Base | null = null,
  there: WebsiteRecord | null = null,
): EditOutcome => ({
  kind: 'notApplied',
  error,
  base,
  there,
})
export const missing = (error: AppError): EditOutcome => ({ kind: 'missing', error })
export const park = (
  reason: ParkReason,
  error: AppError | null,
  theirs: WebsiteRecord | null = null,
  there = theirs,
): EditOutcome => ({ kind: 'park', reason, error, theirs, there })
export const inDoubt = (error: AppError | null, accepted = false): EditOutcome => ({ kind: 'inDoubt', error, accepted })
export const tooEarly = (error: AppError, until: number): EditOutcome => ({ kind: 'tooEarly', error, until })
export const retryLater = (error: AppError): EditOutcome => ({ kind: 'retryLater', error })
export const neverSent = (error: AppError): EditOutcome => ({ kind: 'neverSent', error })
