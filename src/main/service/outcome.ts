import type { AppError, ErrorCode } from '../../shared/result.ts'
import { causes, lostCode, NeverSent } from './request-errors.ts'

/** The values of an answer's headers. */
export interface AnswerMeta {
  /** The service's clock (`Date`), in milliseconds since 1970. */
  date?: number
  /** Milliseconds from the request to its answer, without the wait in the rate budget. The budget adds it. */
  took?: number
  /** Requests a minute (`X-RateLimit-Limit`). */
  limit?: number
  /** Requests that are left (`X-RateLimit-Remaining`). */
  remaining?: number
}

/**
 * The outcome of a request (docs/sync.md#request-outcomes). This file decides it:
 *
 * - `applied`: the answer can be parsed and matches the request;
 * - `notApplied`: 400–422 except 407 and 408 as the service's JSON; 429; a request that was never sent;
 * - `inDoubt`: everything else: timeout, reset, 5xx, a redirect, a 2xx that isn't the service's JSON.
 *
 * Reads have the same outcomes. For them, the last two only differ in what they say about the service.
 */
export type Outcome<T> =
  | { outcome: 'applied'; value: T; meta: AnswerMeta }
  | { outcome: 'notApplied'; error: AppError; meta: AnswerMeta }
  | { outcome: 'inDoubt'; error: AppError; meta: AnswerMeta }

/** The outcome of a request that was not applied or is in doubt, so that it has no value. */
export type Failure = Exclude<Outcome<never>, { outcome: 'applied' }>

/** Returns the outcome of a request that was not applied. */
export const notApplied = (code: ErrorCode, status?: number): Failure => ({
  outcome: 'notApplied',
  error: { code, message: '', ...(status !== undefined && { status }) },
  meta: {},
})

/** Returns the outcome of a request of which it is unknown whether it was applied. */
export const inDoubt = (code: ErrorCode, status?: number, meta: AnswerMeta = {}): Failure => ({
  outcome: 'inDoubt',
  error: { code, message: '', ...(status !== undefined && { status }) },
  meta,
})

/** Returns the outcome of a request that ended without an answer. It counts as sent unless its error is tagged as never sent. */
export function outcomeWithoutAnswer(error: unknown): Failure {
  const tag = causes(error).find((each) => each instanceof NeverSent)
  return tag === undefined ? inDoubt(lostCode(error)) : notApplied(tag.code, tag.status)
}

/** Returns the outcome of a 2xx answer. `value` is undefined if the body does not answer the request. */
export const outcomeOfAnswer = <T>(value: T | undefined, status: number, meta: AnswerMeta): Outcome<T> =>
  value === undefined ? inDoubt('not-the-service', status, meta) : { outcome: 'applied', value, meta }

/** The error codes of refusals by HTTP status. {@link outcomeOfRefusal} says what all other statuses mean. */
const refusals: Record<number, ErrorCode> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not-found',
  422: 'invalid',
}

/**
 * Returns the outcome of an answer outside 2xx. `texts` are the service's texts, undefined if the body isn't an error of the
 * service. `retryAfter` is in seconds.
 */
export function outcomeOfRefusal(
  status: number,
  meta: AnswerMeta,
  texts: Pick<AppError, 'message' | 'fields'> | undefined,
  retryAfter?: number,
): Failure {
  const error = (code: ErrorCode): AppError => ({
    message: '',
    ...texts,
    code,
    status,
    ...(retryAfter !== undefined && { retryAfter }),
  })
  if (status === 407) return inDoubt('proxy-login', status, meta)
  if (status === 429) return { outcome: 'notApplied', error: error('rate-limited'), meta }
  if (status >= 500) return { outcome: 'inDoubt', error: error('unavailable'), meta }
  if (status === 408) return { outcome: 'inDoubt', error: error('timeout'), meta }
  if (status < 400) return { outcome: 'inDoubt', error: error('redirected'), meta }
  if (texts === undefined) return { outcome: 'inDoubt', error: error('not-the-service'), meta }
  return { outcome: status <= 422 ? 'notApplied' : 'inDoubt', error: error(refusals[status] ?? 'refused'), meta }
}
