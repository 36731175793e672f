import type { AppError, ErrorCode } from '../../shared/result.ts'
import { causes, lostCode, NeverSent } from './request-errors.ts'

/** Facts from the headers of a response, and the time that it took. */
export interface AnswerMeta {
  /** The service's clock (`Date`), in milliseconds since 1970. */
  date?: number
  /** Milliseconds from the request to its response. Set by the rate budget, without the wait in it. */
  took?: number
  /** Requests per minute (`X-RateLimit-Limit`). */
  limit?: number
  /** Requests that are left (`X-RateLimit-Remaining`). */
  remaining?: number
}

/** See docs/sync.md#request-outcomes. For a read, `notApplied` and `inDoubt` only differ in what they say about the service. */
export type Outcome<T> =
  | { outcome: 'applied'; value: T; meta: AnswerMeta }
  | { outcome: 'notApplied'; error: AppError; meta: AnswerMeta }
  | { outcome: 'inDoubt'; error: AppError; meta: AnswerMeta }

/** The outcome of a request that is not known to be applied. */
export type Failure = Exclude<Outcome<never>, { outcome: 'applied' }>

/** Returns the outcome of a request that the service certainly did not apply. */
export const notApplied = (code: ErrorCode, status?: number): Failure => ({
  outcome: 'notApplied',
  error: { code, message: '', ...(status !== undefined && { status }) },
  meta: {},
})

/** Returns the outcome of a request that the service may have applied. */
export const inDoubt = (code: ErrorCode, status?: number, meta: AnswerMeta = {}): Failure => ({
  outcome: 'inDoubt',
  error: { code, message: '', ...(status !== undefined && { status }) },
  meta,
})

/** The request counts as sent unless its error is tagged as never sent. */
export function outcomeWithoutAnswer(error: unknown): Failure {
  const tag = causes(error).find((each) => each instanceof NeverSent)
  return tag === undefined ? inDoubt(lostCode(error)) : notApplied(tag.code, tag.status)
}

/** Returns the outcome of a 2xx response. `value`: undefined if the body does not answer the request. */
export const outcomeOfAnswer = <T>(value: T | undefined, status: number, meta: AnswerMeta): Outcome<T> =>
  value === undefined ? inDoubt('not-the-service', status, meta) : { outcome: 'applied', value, meta }

/** Error codes by HTTP status. {@link outcomeOfRefusal} handles all other statuses. */
const refusals: Record<number, ErrorCode> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not-found',
  422: 'invalid',
}

/**
 * Returns the outcome of a response with any other status. `texts`: the service's error texts; undefined if the body isn't an
 * error of the service. `retryAfter`: seconds.
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
