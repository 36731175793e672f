import type { Secret } from '../secrets/secret.ts'
import type { LostCode, UnsentCode } from './request-errors.ts'
import type { ServiceRequest } from './requests.ts'

export type Body = { whole: true; text: string } | { whole: false; code: LostCode }

/** Names are in lower case; several headers of one name are joined by commas (RFC 9110, 5.3). */
export type AnswerHeaders = Pick<Headers, 'get'>

export interface Answer {
  status: number
  headers: AnswerHeaders
  body: Body
}

/** How one request went on the wire. `unsent`: no byte of it left this machine; `lost`: it was sent, and no answer came. */
export type Exchange =
  | { state: 'answered'; answer: Answer }
  | { state: 'unsent'; code: UnsentCode; status?: number }
  | { state: 'lost'; code: LostCode }

/** Sends one request, once. Never rejects. `key` null: the request carries none. */
export type SendRequest = (request: ServiceRequest, key: Secret | null) => Promise<Exchange>
