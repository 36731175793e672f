import { createFetch, type FetchOptions } from 'ofetch'
import errors from 'undici/lib/core/errors.js'
import fetching from 'undici/lib/web/fetch/index.js'
import headers from 'undici/lib/web/fetch/headers.js'
import type { Secret } from '../secrets/secret.ts'
import { ProxyLogin, type Passage, type ServiceDispatcher } from './dispatcher.ts'
import { encodeForm } from './form.ts'
import { NotConnected, type UnsentCode } from './not-connected.ts'
import type { ServiceRequest } from './requests.ts'

export interface ExchangeLimits {
  /** Milliseconds for the whole request, its answer included. */
  request: number
  /** Bytes of an answer, unpacked. */
  body: number
}

type FetchParts = Required<NonNullable<Parameters<typeof createFetch>[0]>>

export const defaultLimits: ExchangeLimits = { request: 30_000, body: 8 * 1024 * 1024 }

/** Why an answer never came, or not whole. */
type LostCode = 'timeout' | 'interrupted' | 'garbled'

export type Body = { whole: true; text: string } | { whole: false; code: 'too-large' | LostCode }

export interface Answer {
  status: number
  headers: Headers
  body: Body
}

/** How one request went on the wire. Unsent: not a byte of it left this machine. */
export type Exchange =
  | { state: 'answered'; answer: Answer }
  | { state: 'unsent'; code: UnsentCode; status?: number }
  | { state: 'lost'; code: LostCode | 'proxy-login' }

/** `key` null: none goes with it. */
export type SendRequest = (request: ServiceRequest, key: Secret | null) => Promise<Exchange>

/**
 * Sends one request, once: no retry, no redirect followed, nothing thrown. `Accept` goes with each, since without it a
 * refused key is answered by a redirect to a login page (service-behaviour.md, "Errors"). Once it's `closing`, what
 * hasn't begun to leave never does (`no-connection`).
 */
export function createExchange(
  address: string,
  dispatcher: ServiceDispatcher,
  limits: ExchangeLimits,
  closing: AbortSignal,
): SendRequest {
  // The cast: undici's types and those of the DOM describe the same functions, and ofetch knows the latter.
  const { fetch } = fetching as unknown as FetchParts
  const { Headers } = headers as unknown as FetchParts
  const send = createFetch({ fetch, Headers }).raw

  return async ({ method, path, query, form }, key) => {
    const signal = AbortSignal.timeout(limits.request)
    const passage = dispatcher.passage(signal, closing)
    const options: FetchOptions<'stream'> = {
      method,
      headers: {
        Accept: 'application/json',
        ...(key !== null && { Authorization: `Bearer ${key.reveal()}` }),
        ...(form !== undefined && { 'Content-Type': 'application/x-www-form-urlencoded' }),
      },
      ...(form !== undefined && { body: encodeForm(form) }),
      redirect: 'manual',
      retry: false,
      ignoreResponseError: true,
      responseType: 'stream',
      signal,
      dispatcher: passage.dispatcher as unknown as NonNullable<FetchOptions['dispatcher']>,
    }
    const search = query === undefined || query.size === 0 ? '' : `?${query.toString()}`
    try {
      const response = await send(`${address}${path}${search}`, options)
      const body = await readBody(response.body, limits.body, signal)
      return { state: 'answered', answer: { status: response.status, headers: response.headers, body } }
    } catch (error) {
      // The error holds the request with its key: nothing of it goes on but what it means.
      return unanswered(error, signal, passage)
    }
  }
}

async function readBody(body: ReadableStream<Uint8Array> | null, limit: number, signal: AbortSignal): Promise<Body> {
  if (body === null) return { whole: true, text: '' }
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      size += chunk.byteLength
      // Leaving the loop cancels the stream, and with it the connection.
      if (size > limit) return { whole: false, code: 'too-large' }
      chunks.push(chunk)
    }
  } catch (error) {
    return { whole: false, code: lostBy(causes(error), signal) }
  }
  return { whole: true, text: new TextDecoder().decode(Buffer.concat(chunks)) }
}

function lostBy(chain: Error[], signal: AbortSignal): LostCode {
  if (signal.aborted) return 'timeout'
  return chain.some(isGarbage) ? 'garbled' : 'interrupted'
}

const { HTTPParserError, HeadersOverflowError } = errors

/**
 * What came is no HTTP, or isn't packed as it says (the codes of zlib and of its Brotli). Where a connection ends in the
 * middle, undici may tell of a parser too: one that stumbled at the end, over no byte.
 */
function isGarbage(error: Error): boolean {
  if (error instanceof HTTPParserError) return 'data' in error && error.data !== ''
  if (error instanceof HeadersOverflowError) return true
  return 'code' in error && /^(Z_|ERR__ERROR_)/.test(String(error.code))
}

function unanswered(error: unknown, signal: AbortSignal, passage: Passage): Exchange {
  const chain = causes(error)
  if (passage.state() === 'begun') {
    const login = chain.some((each) => each instanceof ProxyLogin)
    return { state: 'lost', code: login ? 'proxy-login' : lostBy(chain, signal) }
  }
  // The key is printable and the address normalised: a port that fetch's standard blocks is all that it refuses itself.
  if (passage.state() === 'none') return { state: 'unsent', code: 'bad-port' }
  const known = chain.find((each) => each instanceof NotConnected)
  if (known === undefined) return { state: 'unsent', code: 'unreachable' }
  return { state: 'unsent', code: known.code, ...(known.status !== undefined && { status: known.status }) }
}

function causes(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causes(error.cause)] : []
}
