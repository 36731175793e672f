import type { Session } from '../chromium/connection.ts'
import type { Event } from '../chromium/protocol.ts'
import type { Addresses } from './addresses.ts'

export type SchemeHandler = (request: Request) => Response | Promise<Response>
type Paused = Event<'Fetch.requestPaused'>

export interface PageRequest {
  /** As the app knows it: `app://…`. */
  url: string
  method: string
  resourceType: string
  frameId: string
}

/** `abort` leaves a page where it is, `block` is a network error. */
export type Verdict = 'continue' | 'abort' | 'block'

/** Everything that any page asks of the network: served from the app's handlers, or judged. */
export class Requests {
  readonly #handlers: ReadonlyMap<string, SchemeHandler>
  readonly #session: Session
  readonly #addresses: Addresses
  readonly #judge: (request: PageRequest) => Promise<Verdict> | Verdict

  constructor(
    session: Session,
    addresses: Addresses,
    judge: (request: PageRequest) => Promise<Verdict> | Verdict,
    handlers: ReadonlyMap<string, SchemeHandler>,
  ) {
    this.#session = session
    this.#addresses = addresses
    this.#judge = judge
    this.#handlers = handlers
  }

  /** One call on the browser's own session covers every window, frame and worker. */
  async intercept(): Promise<void> {
    this.#session.on('Fetch.requestPaused', (paused) => {
      this.#handle(paused).catch(() => this.#refuse(paused.requestId, 'Failed'))
    })
    await this.#session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] })
  }

  #refuse(requestId: string, errorReason: 'Aborted' | 'BlockedByClient' | 'Failed'): void {
    this.#session.tell('Fetch.failRequest', { requestId, errorReason })
  }

  async #handle(paused: Paused): Promise<void> {
    const { requestId, request, resourceType, frameId } = paused
    const url = this.#addresses.toApp(request.url)
    const verdict = await this.#judge({ url, method: request.method, resourceType, frameId })
    if (verdict !== 'continue') return this.#refuse(requestId, verdict === 'abort' ? 'Aborted' : 'BlockedByClient')
    if (url === request.url) return this.#session.tell('Fetch.continueRequest', { requestId })
    const handler = this.#handlers.get(new URL(url).protocol.slice(0, -1))
    if (handler === undefined) return this.#refuse(requestId, 'Failed')
    await this.#serve(requestId, await handler(this.#requestOf(url, paused)))
  }

  #requestOf(url: string, { request }: Paused): Request {
    const headers = new Headers()
    for (const [name, value] of Object.entries(request.headers)) {
      headers.set(name, /^(referer|origin)$/i.test(name) ? this.#addresses.toApp(value) : value)
    }
    const parts = (request.postDataEntries ?? []).map(({ bytes }) => Buffer.from(bytes ?? '', 'base64'))
    const body = request.method === 'GET' || request.method === 'HEAD' ? null : Buffer.concat(parts)
    return new Request(url, { method: request.method, headers, body })
  }

  async #serve(requestId: string, response: Response): Promise<void> {
    const responseHeaders = [...response.headers].map(([name, value]) => ({ name, value: this.#header(name, value) }))
    const body = Buffer.from(await response.arrayBuffer()).toString('base64')
    await this.#session.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: response.status,
      responseHeaders,
      body,
    })
  }

  #header(name: string, value: string): string {
    if (/^content-security-policy/i.test(name)) return this.#addresses.policyToChromium(value)
    if (/^(location|access-control-allow-origin)$/i.test(name)) return this.#addresses.toChromium(value)
    return value
  }
}
