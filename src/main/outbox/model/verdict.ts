import type { AppError } from '../../../shared/result.ts'
import type { WebsiteRecord, WebsiteSettings } from '../../../shared/website.ts'
import type { Base, ParkReason } from './edit.ts'
import type { Resent } from '../reconcile/resend.ts'

/** What is known of an edit, after its answer or after a read. */
export type Verdict =
  /**
   * Proven applied; the record is what the service has now. `ignored`: what it has in a field instead of what was sent;
   * `resend`: what is sent a second time; `chosen`: values tell it that somebody else may have chosen, or an earlier
   * request of it have brought, so that the request may still land.
   */
  | {
      verdict: 'applied'
      record: WebsiteRecord
      ignored: Partial<WebsiteSettings>
      resend: Resent | null
      chosen: boolean
    }
  | { verdict: 'deleted' }
  /** The service has it already; nothing is sent. */
  | { verdict: 'nothing'; record: WebsiteRecord }
  /**
   * Proven not applied: it may be sent again. `base`: what is there is no matter for asking the person; `there`: where a read
   * has told so, its record.
   */
  | { verdict: 'again'; error: AppError; base: Base | null; there: WebsiteRecord | null }
  /** Accepted, and not to be found: read again, for a while. */
  | { verdict: 'missing'; error: AppError }
  /** `theirs`: the record as the person is to be shown it; `there`: as a read has told it, shown or not. */
  | {
      verdict: 'park'
      reason: ParkReason
      error: AppError | null
      theirs: WebsiteRecord | null
      there: WebsiteRecord | null
    }
  /** It may have been applied. `accepted`: it was, but its record is to be read. */
  | { verdict: 'doubt'; error: AppError | null; accepted: boolean }
  /** Nothing new is known of it; it's tried again when the service, or what keeps it, is back. */
  | { verdict: 'wait'; error: AppError }
  /** A read left too early to prove anything but success: the edit is read again at `until`, by the monotonic clock. */
  | { verdict: 'tooEarly'; error: AppError; until: number }
  /** It never left; as `wait`, and it doesn't count as sent. */
  | { verdict: 'neverSent'; error: AppError }

export const applied = (
  record: WebsiteRecord,
  ignored: Partial<WebsiteSettings> = {},
  resend: Resent | null = null,
  chosen = false,
): Verdict => ({
  verdict: 'applied',
  record,
  ignored,
  resend,
  chosen,
})
export const deleted: Verdict = { verdict: 'deleted' }
export const nothing = (record: WebsiteRecord): Verdict => ({ verdict: 'nothing', record })
export const again = (error: AppError, base: Base | null = null, there: WebsiteRecord | null = null): Verdict => ({
  verdict: 'again',
  error,
  base,
  there,
})
export const missing = (error: AppError): Verdict => ({ verdict: 'missing', error })
export const park = (
  reason: ParkReason,
  error: AppError | null,
  theirs: WebsiteRecord | null = null,
  there = theirs,
): Verdict => ({ verdict: 'park', reason, error, theirs, there })
export const doubt = (error: AppError | null, accepted = false): Verdict => ({ verdict: 'doubt', error, accepted })
export const tooEarly = (error: AppError, until: number): Verdict => ({ verdict: 'tooEarly', error, until })
export const wait = (error: AppError): Verdict => ({ verdict: 'wait', error })
export const neverSent = (error: AppError): Verdict => ({ verdict: 'neverSent', error })
