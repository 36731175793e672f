import type { FieldErrors } from '../../shared/result.ts'
import { fieldNames } from '../../shared/website.ts'
import type { Answer, AnswerHeaders } from './exchange.ts'
import { isObject, readContent, type Json, type Redact } from './content.ts'
import { inDoubt, outcomeOfRefusal, type AnswerMeta, type Failure } from './outcome.ts'

/** Reads a response outside 2xx. */
export function readRefusal({ status, headers, body }: Answer, meta: AnswerMeta, redact: Redact): Failure {
  const content = body.whole ? readContent(body.text, redact) : undefined
  const texts = content?.kind === 'json' ? errorTexts(content.json, redact) : undefined
  if (status === 400 && content?.kind !== 'json' && body.whole && NGINX_CLIENT_CERTIFICATE.test(body.text)) {
    return inDoubt('client-certificate', status, meta)
  }
  return outcomeOfRefusal(status, meta, texts, retryAfter(headers))
}

/** nginx's page for a missing or untrusted client certificate. nginx completes the TLS handshake before it refuses. */
const NGINX_CLIENT_CERTIFICATE = /400 (No required SSL certificate was sent|The SSL certificate error)/

/** Reads the service's clock and rate limit from the headers of any response. */
export function answerMeta(headers: AnswerHeaders): AnswerMeta {
  const date = Date.parse(headers.get('date') ?? '')
  const limit = wholeNumber(headers.get('x-ratelimit-limit'))
  const remaining = wholeNumber(headers.get('x-ratelimit-remaining'))
  return {
    ...(!Number.isNaN(date) && { date }),
    ...(limit !== undefined && { limit }),
    ...(remaining !== undefined && { remaining }),
  }
}

const wholeNumber = (text: string | null): number | undefined =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined

/** Maximum wait in seconds, so that no host can stop the app for longer. */
const MAX_WAIT = 60 * 60

/** In seconds. Undefined if the response asks for no wait. */
function retryAfter(headers: AnswerHeaders): number | undefined {
  const seconds = requestedWait(headers)
  return seconds === undefined ? undefined : Math.min(seconds, MAX_WAIT)
}

/** In seconds. A date is compared with the response's own `Date`, because this computer's clock may be wrong. */
function requestedWait(headers: AnswerHeaders): number | undefined {
  const text = headers.get('retry-after')
  if (/^\d+$/.test(text ?? '')) return Number(text)
  // An HTTP date has letters. `Date.parse` would also accept digits alone.
  const until = /[a-z]/i.test(text ?? '') ? Date.parse(text ?? '') : Number.NaN
  if (Number.isNaN(until)) return undefined
  return Math.max(0, Math.ceil((until - (answerMeta(headers).date ?? Date.now())) / 1000))
}

/** Maximum characters of each text of an error. A longer text is cut. */
const MAX_LENGTH = 1000
/** Maximum number of fields of an error, and of texts per field. Further ones are dropped. */
const MAX_COUNT = 50

interface ErrorTexts {
  message: string
  fields?: FieldErrors
}

/**
 * Returns the error texts of a response, or undefined if the body is no error of the service. The message may be a text or an
 * object of fields. {@link readContent} has redacted all texts, but not the names of fields.
 */
function errorTexts(json: Json, redact: Redact): ErrorTexts | undefined {
  if (!isObject(json)) return undefined
  const message = json['message'] ?? json['error'] ?? json['errors']
  if (message === undefined || message === null) return undefined
  const fields = fieldErrors(json['errors'], redact) ?? fieldErrors(message, redact)
  return { message: isObject(message) ? '' : texts(message).join(' '), ...(fields !== undefined && { fields }) }
}

/** Returns the error texts by field, or undefined if there are none. */
function fieldErrors(json: Json | undefined, redact: Redact): FieldErrors | undefined {
  if (!isObject(json)) return undefined
  const entries = Object.entries(json).map(([name, value]): [string, string[]] => [
    redactFieldName(name, redact),
    texts(value),
  ])
  const withTexts = entries.filter(([, each]) => each.length > 0).slice(0, MAX_COUNT)
  return withTexts.length > 0 ? Object.fromEntries(withTexts) : undefined
}

/** Known names stay, even if a password is spelled like one. Any other name is redacted. */
const redactFieldName = (name: string, redact: Redact): string =>
  fieldNames.some((field) => field === name) ? name : redact(name).slice(0, MAX_LENGTH)

/** Returns a text, or the texts of a list, within the limits above. Empty for anything else. */
function texts(json: Json): string[] {
  const values = Array.isArray(json) ? json.slice(0, MAX_COUNT) : [json]
  return values.filter((text) => typeof text === 'string').map((text) => text.slice(0, MAX_LENGTH))
}
