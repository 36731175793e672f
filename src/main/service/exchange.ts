import type { Secret } from '../secrets/secret.ts'
import type { LostCode, UnsentCode } from './request-errors.ts'
import type { ServiceRequest } from './requests.ts'

/** The decoded body of an answer. If it is not `whole`, it broke off or was given up, for the reason `code`. */
export type Body = { whole: true; text: string } | { whole: false; code: LostCode }

/** Headers by lower-case name. Repeated headers are joined by commas (RFC 9110, 5.3). */
export type AnswerHeaders = Pick<Headers, 'get'>

export interface Answer {
  status: number
  headers: AnswerHeaders
  body: Body
}

/** The result of one request. `unsent`: no byte of it left this machine. `lost`: it was sent, but no answer arrived. */
export type Exchange =
  | { state: 'answered'; answer: Answer }
  | { state: 'unsent'; code: UnsentCode; status?: number }
  | { state: 'lost'; code: LostCode }

/** Sends a request once. Never rejects. If `key` is null, the request carries no key. */
export type SendRequest = (request: ServiceRequest, key: Secret | null) => Promise<Exchange>
