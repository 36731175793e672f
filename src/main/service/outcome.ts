import type { AppError, ErrorCode } from '../../shared/result.ts'
import type { Exchange } from './exchange.ts'
import { causes, lostCode, NeverSent } from './request-errors.ts'

/** What an answer tells beside its body. Times are the service's own (`Date`), in milliseconds since 1970. */
export interface AnswerMeta {
  date?: number
  /** `X-RateLimit-Limit` and `-Remaining`, requests a minute. */
  limit?: number
  remaining?: number
}

/**
 * Every request has one of three outcomes (docs/sync.md#request-outcomes), which this file decides:
 *
 * - `applied`: an answer that parses and fits what was asked;
 * - `notApplied`: 400–422 except 408 as the service's JSON, any 429, any request that was never sent;
 * - `inDoubt`: everything else: time-out, reset, 5xx, a redirect, a 2xx that isn't the service's JSON.
 *
 * For a read, the last two differ only in what they tell of the service.
 */
export type Outcome<T> =
  | { outcome: 'applied'; value: T; meta: AnswerMeta }
  | { outcome: 'notApplied'; error: AppError; meta: AnswerMeta }
  | { outcome: 'inDoubt'; error: AppError; meta: AnswerMeta }

export type Failure = Exclude<Outcome<never>, { outcome: 'applied' }>

export const notApplied = (code: ErrorCode, status?: number): Failure => ({
  outcome: 'notApplied',
  error: { code, message: '', ...(status !== undefined && { status }) },
  meta: {},
})

export const inDoubt = (code: ErrorCode, status: number, meta: AnswerMeta): Failure => ({
  outcome: 'inDoubt',
  error: { code, message: '', status },
  meta,
})

/** Decides whether a request that failed was sent: it was, unless the error is tagged as never sent. */
export function withoutAnswer(error: unknown): Exchange {
  const tag = causes(error).find((each) => each instanceof NeverSent)
  if (tag === undefined) return { state: 'lost', code: lostCode(error) }
  return { state: 'unsent', code: tag.code, ...(tag.status !== undefined && { status: tag.status }) }
}

/** The outcome of a request that got no answer. */
export function unanswered(exchange: Exclude<Exchange, { state: 'answered' }>): Failure {
  if (exchange.state === 'unsent') return notApplied(exchange.code, exchange.status)
  return { outcome: 'inDoubt', error: { code: exchange.code, message: '' }, meta: {} }
}

/** The outcome of an answer in 2xx. `value`: what was understood of it; undefined: it doesn't fit what was asked. */
export const answered = <T>(value: T | undefined, status: number, meta: AnswerMeta): Outcome<T> =>
  value === undefined ? inDoubt('not-the-service', status, meta) : { outcome: 'applied', value, meta }

const refusals: Record<number, ErrorCode> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not-found',
  422: 'invalid',
}

/** The outcome of an answer outside 2xx. `said`: the service's words; undefined: the body isn't an error of the service. */
export function refused(status: number, meta: AnswerMeta, said: Partial<AppError> | undefined, wait?: number): Failure {
  const error = (code: ErrorCode): AppError => ({
    message: '',
    ...said,
    code,
    status,
    ...(wait !== undefined && { retryAfter: wait }),
  })
  if (status === 407) return inDoubt('proxy-login', status, meta)
  if (status === 429) return { outcome: 'notApplied', error: error('rate-limited'), meta }
  if (status >= 500) return { outcome: 'inDoubt', error: error('unavailable'), meta }
  if (status === 408) return { outcome: 'inDoubt', error: error('timeout'), meta }
  if (status < 400) return { outcome: 'inDoubt', error: error('redirected'), meta }
  if (said === undefined) return { outcome: 'inDoubt', error: error('not-the-service'), meta }
  return { outcome: status <= 422 ? 'notApplied' : 'inDoubt', error: error(refusals[status] ?? 'refused'), meta }
}
