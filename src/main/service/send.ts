import { createFetch } from 'ofetch'
import type { ServiceDispatcher, OutgoingRequest } from './dispatcher.ts'
import type { Body, SendRequest } from './exchange.ts'
import { outcomeWithoutAnswer } from './outcome.ts'
import { AbandonedRequest, lostCode } from './request-errors.ts'
import type { LoadTlsIdentity } from './tls-identity.ts'

/** The limits of one request and its response. */
export interface ExchangeLimits {
  /** Maximum milliseconds for a request and its response. Then it ends with `timeout`, or `unreachable` if it was never sent. */
  request: number
  /** Maximum bytes of a decoded response body. A larger one is given up as `too-large`. */
  body: number
}

export const defaultLimits: ExchangeLimits = { request: 30_000, body: 8 * 1024 * 1024 }

/** Sends HTTP requests to the service until it is closed. */
export interface HttpSender {
  send: SendRequest
  /** Ends unsent requests with `no-connection` and lets none begin. Sent requests continue. */
  close(): void
}

export function createHttpSender(
  address: string,
  dispatcher: ServiceDispatcher,
  limits: ExchangeLimits,
  identity?: LoadTlsIdentity,
): HttpSender {
  const active = new Set<OutgoingRequest>()
  let closed = false

  const send: SendRequest = async ({ method, path, query, form }, key) => {
    const sending = dispatcher.begin(method, new URL(address).origin, identity)
    active.add(sending)
    if (closed) sending.end('no-connection', null)
    const timer = setTimeout(() => sending.end('unreachable', 'timeout'), limits.request)
    const request = createFetch({ fetch: sending.fetch, Headers }).raw
    const search = query === undefined || query.size === 0 ? '' : `?${query.toString()}`
    try {
      const { headers, _data } = await request(`${address}${path}${search}`, {
        method,
        headers: {
          // Without this header, the response to a refused key is a redirect to a login page (docs/service.md#redirects).
          Accept: 'application/json',
          'Accept-Encoding': 'gzip',
          // Some hosts refuse requests without a user agent.
          'User-Agent': 'Siteward',
          ...(key !== null && { Authorization: `Bearer ${key.reveal()}` }),
          ...(form !== undefined && { 'Content-Type': 'application/x-www-form-urlencoded' }),
        },
        ...(form !== undefined && { body: new URLSearchParams(form).toString() }),
        retry: 0,
        redirect: 'manual',
        ignoreResponseError: true,
        responseType: 'stream',
      })
      const body = await bodyOf(_data, headers.get('content-encoding') ?? '', limits.body)
      return { status: sending.status(), headers, body }
    } catch (error) {
      // The error contains the request and its key, so only its tag is returned.
      return outcomeWithoutAnswer(error)
    } finally {
      clearTimeout(timer)
      active.delete(sending)
      sending.done()
    }
  }

  return {
    send,
    close() {
      closed = true
      for (const sending of active) sending.end('no-connection', null)
    },
  }
}

const utf8 = new TextDecoder()

/** Gives up after `limit` bytes, or if the body has more than one content encoding. */
async function bodyOf(stream: ReadableStream<Uint8Array> | undefined, encoding: string, limit: number): Promise<Body> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of stream ?? []) {
      if (encoding.includes(',')) throw new AbandonedRequest('garbled')
      size += chunk.byteLength
      // Leaving the loop cancels the stream, and with it the request.
      if (size > limit) throw new AbandonedRequest('too-large')
      chunks.push(chunk)
    }
    return { whole: true, text: utf8.decode(Buffer.concat(chunks)) }
  } catch (error) {
    return { whole: false, code: lostCode(error) }
  }
}
