import type { IncomingMessage } from 'node:http'
import { createFetch, type FetchResponse } from 'ofetch'
import type { Secret } from '../secrets/secret.ts'
import { BODILESS, readBytes, TooLarge } from './body.ts'
import type { Passage, ServiceDispatcher } from './dispatcher.ts'
import { Ending } from './ending.ts'
import { encodeForm } from './form.ts'
import { NotConnected, type UnsentCode } from './not-connected.ts'
import type { ServiceRequest } from './requests.ts'

export interface ExchangeLimits {
  /** Milliseconds for the whole request, its answer included. */
  request: number
  /** Bytes of an answer, unpacked. */
  body: number
}

export const defaultLimits: ExchangeLimits = { request: 30_000, body: 8 * 1024 * 1024 }

/** Why an answer never came, or not whole. */
type LostCode = 'timeout' | 'interrupted' | 'garbled'

export type Body = { whole: true; text: string } | { whole: false; code: 'too-large' | LostCode }

/** By their names in small letters; several of a name are one, with commas between (RFC 9110, 5.3). */
export type AnswerHeaders = Pick<Headers, 'get'>

export interface Answer {
  status: number
  headers: AnswerHeaders
  body: Body
}

/** How one request went on the wire. Unsent: not a byte of it left this machine. */
export type Exchange =
  | { state: 'answered'; answer: Answer }
  | { state: 'unsent'; code: UnsentCode; status?: number }
  | { state: 'lost'; code: LostCode | 'proxy-login' }

/** `key` null: none goes with it. */
export type SendRequest = (request: ServiceRequest, key: Secret | null) => Promise<Exchange>

/** A proxy wants a name and a password before it passes anything on (407). */
class ProxyLogin extends Error {}

/** An answer that began, and never came whole. */
class CutShort extends Error {
  readonly status: number
  readonly headers: AnswerHeaders
  constructor(status: number, headers: AnswerHeaders, cause: unknown) {
    super('', { cause })
    this.status = status
    this.headers = headers
  }
}

/**
 * Sends one request, once: no retry, no redirect followed, nothing thrown. `Accept` goes with each, since without it a
 * refused key is answered by a redirect to a login page (service-behaviour.md, "Errors"). Once it's `closing`, what
 * hasn't begun to leave never does (`no-connection`).
 */
export function createExchange(
  address: string,
  dispatcher: ServiceDispatcher,
  limits: ExchangeLimits,
  closing: Ending,
): SendRequest {
  return async ({ method, path, query, form }, key) => {
    const limit = new Ending()
    const timer = setTimeout(() => limit.end(), limits.request)
    const passage = dispatcher.passage({ limit, closing })
    const send = createFetch({ fetch: fetchOver(passage, limits.body), Headers }).raw
    const search = query === undefined || query.size === 0 ? '' : `?${query.toString()}`
    try {
      const { status, headers, _data } = await send(`${address}${path}${search}`, {
        method,
        headers: {
          Accept: 'application/json',
          'Accept-Encoding': 'gzip',
          // Some hosts refuse what doesn't say what it is.
          'User-Agent': 'Siteward',
          ...(key !== null && { Authorization: `Bearer ${key.reveal()}` }),
          ...(form !== undefined && { 'Content-Type': 'application/x-www-form-urlencoded' }),
        },
        ...(form !== undefined && { body: encodeForm(form) }),
        retry: false,
        ignoreResponseError: true,
        responseType: 'text',
      })
      return { state: 'answered', answer: { status, headers, body: { whole: true, text: _data ?? '' } } }
    } catch (error) {
      // The error holds the request with its key: nothing of it goes on but what it means.
      return unanswered(causes(error), limit, passage)
    } finally {
      void passage.closed().then(() => clearTimeout(timer))
    }
  }
}

/** As a body is read by `Response.text()`, a mark of its byte order left out. */
const utf8 = new TextDecoder()

/**
 * What ofetch reads of a response, and hands on, where its text is there already: to make one of the platform's own takes longer
 * than all of ofetch.
 */
type Told = Pick<FetchResponse<string>, 'status' | 'body' | '_data'> & { headers: AnswerHeaders }

/** What ofetch asks, sent over a passage: one request, whose answer is read whole before it's handed on. */
function fetchOver(passage: Passage, most: number): typeof globalThis.fetch {
  return async (url, init) => {
    const answer = await passage.send({
      url: new URL(String(url)),
      method: init?.method ?? 'GET',
      headers: Object.fromEntries((init?.headers as Headers | undefined) ?? []),
      ...(typeof init?.body === 'string' && { body: init.body }),
    })
    const status = answer.statusCode ?? 0
    const headers = headersOf(answer)
    try {
      if (status === 407) throw new ProxyLogin()
      const bytes = await readBytes(answer, headers.get('content-encoding') ?? '', most)
      if (status < 200 || status > 599) throw new RangeError('no status of an answer')
      const told: Told = { status, headers, body: null, _data: BODILESS.includes(status) ? '' : utf8.decode(bytes) }
      return told as FetchResponse<string>
    } catch (cause) {
      answer.destroy()
      throw cause instanceof ProxyLogin ? cause : new CutShort(status, headers, cause)
    }
  }
}

function headersOf({ rawHeaders }: IncomingMessage): AnswerHeaders {
  const headers = new Map<string, string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name, value] = [(rawHeaders[at] ?? '').toLowerCase(), rawHeaders[at + 1] ?? '']
    const before = headers.get(name)
    headers.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return { get: (name) => headers.get(name) ?? null }
}

function unanswered(chain: Error[], limit: Ending, passage: Passage): Exchange {
  const cut = chain.find((each) => each instanceof CutShort)
  if (cut !== undefined) {
    const code = chain.some((each) => each instanceof TooLarge) ? 'too-large' : lostBy(chain, limit)
    return { state: 'answered', answer: { status: cut.status, headers: cut.headers, body: { whole: false, code } } }
  }
  if (passage.begun()) {
    const login = chain.some((each) => each instanceof ProxyLogin)
    return { state: 'lost', code: login ? 'proxy-login' : lostBy(chain, limit) }
  }
  const known = chain.find((each) => each instanceof NotConnected)
  if (known === undefined || limit.over) return { state: 'unsent', code: 'unreachable' }
  return { state: 'unsent', code: known.code, ...(known.status !== undefined && { status: known.status }) }
}

function lostBy(chain: Error[], limit: Ending): LostCode {
  if (limit.over) return 'timeout'
  return chain.some(isGarbage) ? 'garbled' : 'interrupted'
}

/** What came is no HTTP, or isn't packed as it says: the codes of Node's parser, of zlib, and of its Brotli. */
const isGarbage = (error: Error): boolean => 'code' in error && /^(HPE_|Z_|ERR__ERROR_)/.test(String(error.code))

function causes(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causes(error.cause)] : []
}
