import type { FieldErrors } from '../../shared/result.ts'
import { fieldNames } from '../../shared/website.ts'
import type { Answer, AnswerHeaders } from './exchange.ts'
import { isObject, readContent, type Json, type Redact } from './content.ts'
import { refused, type AnswerMeta, type Failure } from './outcome.ts'

/**
 * Reads an answer outside 2xx. `message` and `fields` of the error carry the service's own words, `retryAfter` its
 * `Retry-After` in seconds, an hour at most.
 */
export function refusal({ status, headers, body }: Answer, meta: AnswerMeta, redact: Redact): Failure {
  const content = body.whole ? readContent(body.text, redact) : undefined
  const said = content?.kind === 'json' ? serviceWords(content.json, redact) : undefined
  return refused(status, meta, said, retryAfter(headers))
}

/** The service's clock and rate, as the headers of any answer tell them. */
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

/** Seconds. Whoever answers can't hold the app for longer than this; by then it's worth another question. */
const LONGEST_WAIT = 60 * 60

function retryAfter(headers: AnswerHeaders): number | undefined {
  const asked = askedWait(headers)
  return asked === undefined ? undefined : Math.min(asked, LONGEST_WAIT)
}

/** Seconds. A date is compared with the answer's own `Date`; this machine's clock may be wrong. */
function askedWait(headers: AnswerHeaders): number | undefined {
  const text = headers.get('retry-after')
  if (/^\d+$/.test(text ?? '')) return Number(text)
  // Anything without a letter isn't an HTTP date, though Date.parse would make one of it.
  const until = /[a-z]/i.test(text ?? '') ? Date.parse(text ?? '') : Number.NaN
  if (Number.isNaN(until)) return undefined
  return Math.max(0, Math.ceil((until - (answerMeta(headers).date ?? Date.now())) / 1000))
}

const LONGEST = 1000
const MOST = 50

interface Words {
  message: string
  fields?: FieldErrors
}

/** Undefined: not an error body of the service. `message` may be text, or the fields themselves. */
function serviceWords(json: Json, redact: Redact): Words | undefined {
  if (!isObject(json)) return undefined
  const spoken = json['message'] ?? json['error'] ?? json['errors']
  if (spoken === undefined || spoken === null) return undefined
  const fields = fieldErrors(json['errors'], redact) ?? fieldErrors(spoken, redact)
  return { message: isObject(spoken) ? '' : texts(spoken).join(' '), ...(fields !== undefined && { fields }) }
}

function fieldErrors(json: Json | undefined, redact: Redact): FieldErrors | undefined {
  if (!isObject(json)) return undefined
  const entries = Object.entries(json).map(([name, value]): [string, string[]] => [
    fieldName(name, redact),
    texts(value),
  ])
  const told = entries.filter(([, words]) => words.length > 0).slice(0, MOST)
  return told.length > 0 ? Object.fromEntries(told) : undefined
}

/** The names that we sent stay, even where a password is spelled like one; any other is a text of the service. */
const fieldName = (name: string, redact: Redact): string =>
  fieldNames.some((known) => known === name) ? name : redact(name).slice(0, LONGEST)

function texts(json: Json): string[] {
  const several = Array.isArray(json) ? json.slice(0, MOST) : [json]
  return several.filter((text) => typeof text === 'string').map((text) => text.slice(0, LONGEST))
}
