import type { AppError } from '../../shared/result.ts'
import type { WebsiteRecord } from '../../shared/website.ts'
import type { ParkReason } from './edit.ts'

/** What is known of a sent edit, after its answer or after a read. */
export type Verdict =
  /** Proven applied; the record is what the service has now. */
  | { verdict: 'applied'; record: WebsiteRecord }
  | { verdict: 'deleted' }
  /** Proven not applied: it may be sent again. */
  | { verdict: 'again'; error: AppError }
  | { verdict: 'park'; reason: ParkReason; error: AppError | null; theirs: WebsiteRecord | null }
  /** It may have been applied. `accepted`: it was, but its record is to be read. */
  | { verdict: 'doubt'; error: AppError | null; accepted: boolean }
  /** Nothing new is known of it; it's tried again when the service, or what keeps it, is back. */
  | { verdict: 'wait'; error: AppError }
  /** It never left; as `wait`, and it doesn't count as sent. */
  | { verdict: 'unmade'; error: AppError }

export const applied = (record: WebsiteRecord): Verdict => ({ verdict: 'applied', record })
export const deleted: Verdict = { verdict: 'deleted' }
export const again = (error: AppError): Verdict => ({ verdict: 'again', error })
export const park = (reason: ParkReason, error: AppError | null, theirs: WebsiteRecord | null = null): Verdict => ({
  verdict: 'park',
  reason,
  error,
  theirs,
})
export const doubt = (error: AppError | null, accepted = false): Verdict => ({ verdict: 'doubt', error, accepted })
export const wait = (error: AppError): Verdict => ({ verdict: 'wait', error })
export const unmade = (error: AppError): Verdict => ({ verdict: 'unmade', error })
