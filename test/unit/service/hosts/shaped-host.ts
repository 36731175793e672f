import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { withFaults } from '../faults.ts'
import { KEY, type Listen, type Stored, type TestHost } from './test-host.ts'

/** A page of the list, before {@link Shape.list} converts it to the format of the host. */
interface Page {
  websites: Stored[]
  number: number
  last: number
  perPage: number
  total: number
}

/** The status and body of an answer. Undefined: no body. */
type Written = [status: number, body?: unknown]

export interface Shape {
  /** The path before `/api/v1`. */
  prefix: string
  /** Returns the id of the `n`th website. */
  id(n: number): string
  /** Returns how many websites a page has if the client asks for this number. */
  perPage(requested: number): number
  list(page: Page): unknown
  one(website: Stored): Written
  /** Returns the answer to a create, or to an update if `created` is false. */
  written(website: Stored, created: boolean): Written
  deleted(): Written
  account: Written
  /** Returns a 422 with these texts by field. */
  invalid(fields: Record<string, string[]>): Written
  refusal(status: number, message: string): Written
}

const wanted = (form: URLSearchParams): Partial<Omit<Stored, 'id'>> => ({
  ...(form.has('privacy') && { privacy: Number(form.get('privacy')) }),
  ...(form.has('password') && { password: form.get('password') ?? '' }),
  ...(form.has('email') && { email: form.get('email') === '1' }),
  ...(form.has('exclude_bots') && { exclude_bots: form.get('exclude_bots') === '1' }),
  ...(form.has('exclude_ips') && { exclude_ips: form.get('exclude_ips') ?? '' }),
  ...(form.has('exclude_params') && { exclude_params: form.get('exclude_params') ?? '' }),
})

const DEFAULTS = { privacy: 0, email: false, password: '', exclude_bots: false, exclude_ips: '', exclude_params: '' }

/** Starts a service according to docs/interface.md. `shape`: the format of its answers. Shares no code with the client. */
export async function startShapedHost(name: string, shape: Shape, websites: number, listen: Listen): Promise<TestHost> {
  const stored = new Map<string, Stored>()
  let made = 0
  function add(domain: string, fields: Partial<Stored> = {}): Stored {
    const website = { ...DEFAULTS, ...fields, id: shape.id(++made), domain }
    stored.set(website.id, website)
    return website
  }
  for (let n = 0; n < websites; n++) add(`n${String(n)}.example`)

  function list(query: URLSearchParams): Written {
    const text = query.get('search')?.toLowerCase() ?? ''
    const found = [...stored.values()].filter(({ domain }) => domain.includes(text))
    if (query.get('sort_by') === 'domain') found.sort((one, other) => (one.domain < other.domain ? -1 : 1))
    if ((query.get('sort') ?? 'desc') === 'desc') found.reverse()
    const perPage = shape.perPage(Number(query.get('per_page') ?? 10))
    const last = Math.max(1, Math.ceil(found.length / perPage))
    const number = Number(query.get('page') ?? 1)
    const page = found.slice((number - 1) * perPage, number * perPage)
    return [200, shape.list({ websites: page, number, last, perPage, total: found.length })]
  }

  function create(form: URLSearchParams): Written {
    const domain = (form.get('domain') ?? '').toLowerCase().replace(/^(https?:\/\/)?(www\.)?/, '')
    const taken = [...stored.values()].some((website) => website.domain === domain)
    if (taken) return shape.invalid({ domain: ['The domain has already been taken.'] })
    if (stored.size >= websites + 3) return shape.invalid({ domain: ['You added too many websites.'] })
    if (form.get('privacy') === '2' && !form.has('password')) return shape.invalid({ password: ['It is required.'] })
    return shape.written(add(domain, wanted(form)), true)
  }

  function answer(method: string, url: URL, form: URLSearchParams): Written {
    const path = url.pathname.slice(`${shape.prefix}/api/v1`.length)
    if (!url.pathname.startsWith(`${shape.prefix}/api/v1/`)) return shape.refusal(404, 'No such page.')
    if (path === '/account') return shape.account
    if (path === '/websites') return method === 'POST' ? create(form) : list(url.searchParams)
    const id = decodeURIComponent(path.slice('/websites/'.length))
    const website = stored.get(id)
    if (website === undefined || path.slice(1).split('/').length > 2) return shape.refusal(404, 'Resource not found.')
    if (method === 'GET') return shape.one(website)
    if (method === 'DELETE') return stored.delete(id) ? shape.deleted() : shape.refusal(404, 'Resource not found.')
    if (method !== 'PUT') return shape.refusal(405, 'Not that way.')
    return shape.written(Object.assign(website, wanted(form)), false)
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request as AsyncIterable<Buffer>) body += chunk.toString()
    const { method = '', url = '', headers } = request
    const known = headers.authorization === `Bearer ${KEY}` && headers.accept === 'application/json'
    const [status, content] = known
      ? answer(method, new URL(url, 'http://host'), new URLSearchParams(body))
      : shape.refusal(401, 'Unauthenticated.')
    response.writeHead(status, content === undefined ? {} : { 'Content-Type': 'application/json; charset=utf-8' })
    response.end(content === undefined ? undefined : JSON.stringify(content))
  }

  const { listener, next } = withFaults(((request, response) => void serve(request, response)) as RequestListener)
  const address = `http://127.0.0.1:${String(await listen(createServer(listener)))}${shape.prefix}`
  return {
    name,
    address,
    key: KEY,
    next,
    all: () => [...stored.values()],
    add: (domain) => void add(domain),
    remove: (id) => void stored.delete(id),
    refusal: (status, message) => ({ status, body: JSON.stringify(shape.refusal(status, message)[1]) }),
  }
}
