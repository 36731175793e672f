import type { Secret } from '../secrets/secret.ts'
import type { Failure } from './outcome.ts'
import type { LostCode } from './request-errors.ts'
import type { ServiceRequest } from './requests.ts'

/** The decoded body of a response. If it is not `whole`, it broke off or was given up, for the reason `code`. */
export type Body = { whole: true; text: string } | { whole: false; code: LostCode }

/** Header names are in lower case. Repeated headers are joined by commas (RFC 9110, 5.3). */
export type AnswerHeaders = Pick<Headers, 'get'>

/** A complete HTTP response. */
export interface Answer {
  status: number
  headers: AnswerHeaders
  body: Body
}

/** Sends a request once. Without a response, returns a {@link Failure}. Never rejects. If `key` is null, sends no key. */
export type SendRequest = (request: ServiceRequest, key: Secret | null) => Promise<Answer | Failure>
