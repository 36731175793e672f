import { createFetch, type FetchOptions } from 'ofetch'
import * as undici from 'undici'
import type { Secret } from '../secrets/secret.ts'
import { NotConnected } from './dispatcher.ts'
import { encodeForm } from './form.ts'
import type { ServiceRequest } from './requests.ts'

export interface ExchangeLimits {
  /** Milliseconds for the whole request, its answer included. */
  request: number
  /** Bytes of an answer, unpacked. */
  body: number
}

export const defaultLimits: ExchangeLimits = { request: 30_000, body: 8 * 1024 * 1024 }

export type Body = { whole: true; text: string } | { whole: false; code: 'too-large' | 'timeout' | 'interrupted' }

export interface Answer {
  status: number
  headers: Headers
  body: Body
}

/** How one request went on the wire. Unsent: not a byte of it left this machine. */
export type Exchange =
  | { state: 'answered'; answer: Answer }
  | { state: 'unsent'; code: 'unreachable' | 'certificate' }
  | { state: 'lost'; code: 'timeout' | 'interrupted' }

export type SendRequest = (request: ServiceRequest, key: Secret) => Promise<Exchange>

/**
 * Sends one request, once: no retry, no redirect followed, nothing thrown. `Accept` goes with each, since without it a
 * refused key is answered by a redirect to a login page (service-behaviour.md, "Errors").
 */
export function createExchange(address: string, dispatcher: undici.Dispatcher, limits: ExchangeLimits): SendRequest {
  // The cast: undici's types and those of the DOM describe the same functions, and ofetch knows the latter.
  const { fetch, Headers } = undici as unknown as Required<NonNullable<Parameters<typeof createFetch>[0]>>
  const send = createFetch({ fetch, Headers }).raw

  return async ({ method, path, query, form }, key) => {
    const signal = AbortSignal.timeout(limits.request)
    const options: FetchOptions<'stream'> = {
      method,
      headers: {
        Accept: 'application/json',
        Authorization: `Bearer ${key.reveal()}`,
        ...(form !== undefined && { 'Content-Type': 'application/x-www-form-urlencoded' }),
      },
      ...(form !== undefined && { body: encodeForm(form) }),
      redirect: 'manual',
      retry: false,
      ignoreResponseError: true,
      responseType: 'stream',
      signal,
      dispatcher: once(dispatcher) as unknown as NonNullable<FetchOptions['dispatcher']>,
    }
    const search = query === undefined || query.size === 0 ? '' : `?${query.toString()}`
    try {
      const response = await send(`${address}${path}${search}`, options)
      const body = await readBody(response.body, limits.body, signal)
      return { state: 'answered', answer: { status: response.status, headers: response.headers, body } }
    } catch (error) {
      // The error holds the request with its key: nothing of it goes on but what it means.
      return unanswered(error, signal)
    }
  }
}

/** Fetch by its standard sends a request again that was answered by 421; ours would rather not know how it went. */
const once = (dispatcher: undici.Dispatcher): undici.Dispatcher =>
  dispatcher.compose((dispatch) => {
    let sent = false
    return (options, handler) => {
      if (sent) throw new Error('A request is sent once.')
      sent = true
      return dispatch(options, handler)
    }
  })

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
  } catch {
    return { whole: false, code: lostBy(signal) }
  }
  return { whole: true, text: new TextDecoder().decode(Buffer.concat(chunks)) }
}

const lostBy = (signal: AbortSignal): 'timeout' | 'interrupted' => (signal.aborted ? 'timeout' : 'interrupted')

function unanswered(error: unknown, signal: AbortSignal): Exchange {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof NotConnected)
      return { state: 'unsent', code: isCertificate(at.cause) ? 'certificate' : 'unreachable' }
  }
  return { state: 'lost', code: lostBy(signal) }
}

/** The codes of a failed certificate check, as Node documents them (tls, "X509 certificate error codes"). */
const CERTIFICATE_CODE =
  /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|HOSTNAME_MISMATCH|CRL_|ERROR_IN_C|ERR_TLS_CERT)/

const isCertificate = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && CERTIFICATE_CODE.test(String(error.code))
