import type { AppError } from '../../shared/result.ts'

/** What an answer told beside its body. Times are the service's own (`Date`), in milliseconds since 1970. */
export interface AnswerMeta {
  date?: number
  /** `X-RateLimit-Limit` and `-Remaining`, requests a minute. */
  limit?: number
  remaining?: number
}

/**
 * Every request has one of three outcomes (sync.md):
 *
 * - `applied`: an answer that parses and fits what was asked;
 * - `notApplied`: 400–422 except 408 as the service's JSON, any 429, any failure before the request was written;
 * - `inDoubt`: everything else: time-out, reset, 5xx, a redirect, a 2xx that isn't the service's JSON.
 *
 * For a read, the last two differ only in what they tell of the service.
 */
export type Outcome<T> =
  | { outcome: 'applied'; value: T; meta: AnswerMeta }
  | { outcome: 'notApplied'; error: AppError; meta: AnswerMeta }
  | { outcome: 'inDoubt'; error: AppError; meta: AnswerMeta }
