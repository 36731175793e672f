import { createFetch } from 'ofetch'
import type { ServiceDispatcher, Sending } from './dispatcher.ts'
import type { Body, SendRequest } from './exchange.ts'
import { withoutAnswer } from './outcome.ts'
import { GivenUp, lostCode } from './request-errors.ts'

export interface ExchangeLimits {
  /** Milliseconds for the whole request, its answer included. */
  request: number
  /** Bytes of an answer's decoded body. */
  body: number
}

export const defaultLimits: ExchangeLimits = { request: 30_000, body: 8 * 1024 * 1024 }

export interface HttpExchange {
  send: SendRequest
  /** Ends the requests that were not sent, and lets none begin (`no-connection`). Those that were sent go on to their answer. */
  close(): void
}

/** Sends requests to the service at an address. */
export function createHttpExchange(
  address: string,
  dispatcher: ServiceDispatcher,
  limits: ExchangeLimits,
): HttpExchange {
  const underWay = new Set<Sending>()
  let closed = false

  const send: SendRequest = async ({ method, path, query, form }, key) => {
    const sending = dispatcher.begin(method, new URL(address).origin)
    underWay.add(sending)
    if (closed) sending.end('no-connection', null)
    const timer = setTimeout(() => sending.end('unreachable', 'timeout'), limits.request)
    const request = createFetch({ fetch: sending.fetch, Headers }).raw
    const search = query === undefined || query.size === 0 ? '' : `?${query.toString()}`
    try {
      const { headers, _data } = await request(`${address}${path}${search}`, {
        method,
        headers: {
          // Without it a refused key is answered by a redirect to a login page (docs/service.md#redirects).
          Accept: 'application/json',
          'Accept-Encoding': 'gzip',
          // Some hosts refuse a request that doesn't say what sent it.
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
      return { state: 'answered', answer: { status: sending.status(), headers, body } }
    } catch (error) {
      // The error holds the request with its key: only its tag goes on.
      return withoutAnswer(error)
    } finally {
      clearTimeout(timer)
      underWay.delete(sending)
      sending.done()
    }
  }

  return {
    send,
    close() {
      closed = true
      for (const sending of underWay) sending.end('no-connection', null)
    },
  }
}

const utf8 = new TextDecoder()

/** Reads a decoded body up to `limit` bytes; beyond that, or with more than one content encoding, it is given up. */
async function bodyOf(stream: ReadableStream<Uint8Array> | undefined, encoding: string, limit: number): Promise<Body> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of stream ?? []) {
      if (encoding.includes(',')) throw new GivenUp('garbled')
      size += chunk.byteLength
      // Leaving the loop cancels the stream, and with it the request.
      if (size > limit) throw new GivenUp('too-large')
      chunks.push(chunk)
    }
    return { whole: true, text: utf8.decode(Buffer.concat(chunks)) }
  } catch (error) {
    return { whole: false, code: lostCode(error) }
  }
}
