import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { perform, type SampleAnswer, type SampleRequest } from './operations.ts'
import type { SampleStore } from './store.ts'

export interface SampleListenerOptions {
  key: string
  /** Maximum number of requests per minute; 0 means unlimited. Default 60. */
  rate?: number
  /** Maximum number of websites of the account's plan; -1 means unlimited. */
  websiteLimit?: number
  /** Milliseconds of a monotonic clock. */
  now?: () => number
}

/** Maximum bytes of a request body. A larger one gets status 413. */
const LARGEST_BODY = 1024 * 1024

/** Answers requests as docs/interface.md describes, with the websites of `store`. */
export function createSampleListener(store: SampleStore, options: SampleListenerOptions): RequestListener {
  const { key, rate = 60, websiteLimit = -1, now = () => performance.now() } = options
  const throttle = rate > 0 ? createThrottle(rate, now) : undefined

  /** `log in` stands for the login page, to which a browser without the key is redirected. */
  function respond(incoming: IncomingMessage, request: SampleRequest): SampleAnswer | 'log in' {
    if (request.path === '/login') return 'log in'
    if (!keyFits(incoming.headers.authorization, key)) {
      return wantsJson(incoming) ? unauthenticated : redirectTo(`${request.origin}/login`)
    }
    const { limit, remaining, wait } = throttle?.() ?? {}
    const headers = { 'X-RateLimit-Limit': String(limit), 'X-RateLimit-Remaining': String(remaining) }
    if (wait !== undefined) return { ...tooMany, headers: { ...headers, 'Retry-After': String(wait) } }
    const answer = perform(request, store, websiteLimit)
    return throttle === undefined ? answer : { ...answer, headers }
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    // The body of a request without the key is not buffered.
    const isAllowed = keyFits(incoming.headers.authorization, key)
    const body = isAllowed ? await readBody(incoming) : ''
    if (body === undefined) return write(response, tooLarge)
    if (!isAllowed) incoming.resume()
    const request = readRequest(incoming, body)
    const answer = respond(incoming, request)
    const { method, path, query, form } = request
    const status = answer === 'log in' ? 200 : answer.status
    store.log({ method, path, query: query.toString(), form: withoutPassword(form), status })
    if (answer === 'log in') response.writeHead(200, { 'Content-Type': 'text/html' }).end(LOGIN_PAGE)
    else write(response, answer)
  }

  // Ignores requests that their clients abort.
  return (incoming, response) => void serve(incoming, response).catch(() => response.destroy())
}

/** Milliseconds from the first counted request until the counting starts again. */
const WINDOW = 60_000

/** Counts requests: at most `rate` a minute, from the first one. `wait`: seconds until the next minute if they are used up. */
function createThrottle(rate: number, now: () => number) {
  let ends = -Infinity
  let used = 0

  return (): { limit: number; remaining: number; wait: number | undefined } => {
    if (now() >= ends) {
      ends = now() + WINDOW
      used = 0
    }
    const refused = used >= rate
    if (!refused) used += 1
    return { limit: rate, remaining: rate - used, wait: refused ? Math.ceil((ends - now()) / 1000) : undefined }
  }
}

const unauthenticated: SampleAnswer = { status: 401, body: { message: 'Unauthenticated.' } }
const tooMany: SampleAnswer = { status: 429, body: { message: 'Too Many Attempts.' } }
const tooLarge: SampleAnswer = { status: 413, body: { message: 'The request is too large.', status: 413 } }
const redirectTo = (Location: string): SampleAnswer => ({ status: 302, body: {}, headers: { Location } })
const LOGIN_PAGE = '<!doctype html><title>Log in</title><h1>Log in</h1>'

const wantsJson = ({ headers }: IncomingMessage): boolean => /[/+]json/.test(headers.accept ?? '')

/** Compares the key in constant time. */
function keyFits(header: string | undefined, key: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(header ?? ''), digest(`Bearer ${key}`))
}

/** Returns the body of a request as text, or undefined if it is larger than {@link LARGEST_BODY}. */
async function readBody(incoming: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= LARGEST_BODY) chunks.push(chunk)
  }
  return size > LARGEST_BODY ? undefined : Buffer.concat(chunks).toString('utf8')
}

function readRequest(incoming: IncomingMessage, body: string): SampleRequest {
  const origin = `http://${incoming.headers.host ?? 'localhost'}`
  const [path = '', query = ''] = (incoming.url ?? '').split(/\?(.*)/s)
  const isForm = incoming.headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false
  return {
    method: incoming.method ?? 'GET',
    path: path.replace(/\/$/, ''),
    origin,
    query: new URLSearchParams(query),
    form: new URLSearchParams(isForm ? body : ''),
  }
}

function withoutPassword(form: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...form].map(([name, value]) => [name, name === 'password' ? '[redacted]' : value]))
}

function write(response: ServerResponse, { status, body, headers }: SampleAnswer): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache, private', ...headers })
  response.end(JSON.stringify(body))
}
