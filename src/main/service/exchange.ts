import type { Secret } from '../secrets/secret.ts'
import type { Failure } from './outcome.ts'
import type { LostCode } from './request-errors.ts'
import type { ServiceRequest } from './requests.ts'

/** The decoded body of an answer. If it is not `whole`, it broke off or was given up, for the reason `code`. */
export type Body = { whole: true; text: string } | { whole: false; code: LostCode }

/** Headers by lower-case name. Repeated headers are joined by commas (RFC 9110, 5.3). */
export type AnswerHeaders = Pick<Headers, 'get'>

/** An HTTP answer of the service. Its body may be incomplete. */
export interface Answer {
  status: number
  headers: AnswerHeaders
  body: Body
}

/** Sends a request once, and returns its answer, or its outcome without one. Never rejects. If `key` is null, it sends no key. */
export type SendRequest = (request: ServiceRequest, key: Secret | null) => Promise<Answer | Failure>
