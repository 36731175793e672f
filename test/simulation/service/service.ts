import { html, json, type HttpAnswer, type HttpRequest } from './http.ts'
import { listing } from './listing.ts'
import { plainQuirks, type Quirks } from './quirks.ts'
import { Rate } from './rate.ts'
import {
  defaults,
  latest,
  stateAt,
  type FieldName,
  type Fields,
  type RecordState,
  type Website,
  type Writer,
} from './records.ts'
import { account, BEGINNING, shown } from './show.ts'
import { domainErrors, normalized, readForm, type FieldTexts } from './validation.ts'

export interface Reading {
  by: Writer
  request: number
  website: Website
  state: RecordState
}

export interface Handling {
  by: Writer
  request: number
  /** Age of the data in the answer, in milliseconds. */
  lag?: number
  /** Fields of the form that the service accepts but does not store. */
  ignores?: readonly FieldName[]
}

/**
 * A service with the interface of docs/interface.md#requests and the behavior of docs/service.md, in memory and in virtual time.
 * It knows nothing of the client under test, and records everything that was ever written, with its writer.
 */
export class SimulatedService {
  readonly quirks: Quirks
  /** All websites, including deleted ones. */
  readonly websites: Website[] = []
  readonly readings: Reading[] = []
  /** Requests above a rate limit that the headers had shown. */
  readonly violations: string[] = []
  /** Bearer token -> account. */
  readonly keys = new Map<string, string>()
  #rate = new Rate()
  #number = 0
  #now: () => number
  /** Changes of the service's clock, the latest last. */
  readonly #skews: { since: number; skew: number }[]

  constructor(now: () => number, quirks: Quirks = plainQuirks) {
    this.#now = now
    this.quirks = { ...quirks }
    this.#skews = [{ since: 0, skew: quirks.skew }]
  }

  /** Sets the service's clock. Times that are already stored do not change. */
  setClock(by: number): void {
    this.#skews.push({ since: this.#now(), skew: this.#skewAt(this.#now()) + by })
  }

  get clockWasSet(): boolean {
    return this.#skews.length > 1
  }

  #skewAt(at: number): number {
    return this.#skews.findLast(({ since }) => since <= at)?.skew ?? 0
  }

  clock = (at: number): number => BEGINNING + at + this.#skewAt(at)

  handle(request: HttpRequest, handling: Handling): HttpAnswer {
    const { quirks } = this
    const date = { date: new Date(this.clock(this.#now())).toUTCString() }
    const user = this.keys.get((request.headers['authorization'] ?? '').replace(/^Bearer /, ''))
    if (!(request.headers['accept'] ?? '').includes('json')) return html(302, { location: '/login', ...date })
    if (user === undefined) return json(401, { message: 'Unauthenticated.' }, date)

    const { used, alone, frees } = this.#rate.take(user, handling.by, this.#now())
    const rate: Record<string, string> = quirks.showsLimit
      ? { 'x-ratelimit-limit': String(quirks.limit), 'x-ratelimit-remaining': String(Math.max(0, quirks.limit - used)) }
      : {}
    if (used > quirks.limit) {
      if (alone > quirks.limit && quirks.showsLimit)
        this.violations.push(`${handling.by}: request ${alone} of a minute`)
      return json(429, { message: 'Too Many Attempts.' }, { ...date, ...rate, ...this.#retryAfter(frees) })
    }
    const answer = this.#route(request, user, handling)
    return { ...answer, headers: { ...answer.headers, ...date, ...rate } }
  }

  /** Returns the websites of an account that exist now, or existed `lag` milliseconds ago. */
  present(user: string, lag = 0): Website[] {
    const at = this.#now() - lag
    return this.websites.filter((website) => website.account === user && stateAt(website, at) !== null)
  }

  hides(name: FieldName): boolean {
    return name === 'password' || (name === 'exclude_params' && !this.quirks.showsParams)
  }

  byDomain(domain: string): Website | undefined {
    return this.websites.find((website) => website.domain === domain && website.deleted === null)
  }

  #retryAfter(frees: number): Record<string, string> {
    if (this.quirks.retryAfter === 'none') return {}
    const seconds = Math.ceil((frees - this.#now()) / 1000) + 1
    const date = new Date(this.clock(this.#now()) + seconds * 1000)
    return { 'retry-after': this.quirks.retryAfter === 'seconds' ? String(seconds) : date.toUTCString() }
  }

  #route({ method, path, query, body }: HttpRequest, user: string, handling: Handling): HttpAnswer {
    if (path === '/api/v1/account' && method === 'GET') {
      return this.quirks.showsAccount ? json(200, { data: account(user, this.quirks), status: 200 }) : missing
    }
    const match = /^\/api\/v1\/websites(?:\/([^/]+))?$/.exec(path)
    if (match === null) return missing
    const id = match[1] === undefined ? null : decodeURIComponent(match[1])
    if (id === null && method === 'GET') return this.#list(new URLSearchParams(query), user, handling)
    if (id === null && method === 'POST') return this.#create(new URLSearchParams(body), user, handling)
    const website = this.present(user).find((each) => this.#idOf(each) === id)
    if (method === 'GET') return this.#read(website, handling)
    if (method === 'PUT') return this.#update(website, new URLSearchParams(body), handling)
    return method === 'DELETE' ? this.#delete(website, handling) : json(405, { message: 'Not allowed.', status: 405 })
  }

  #idOf = ({ id, number }: Website): string => (this.quirks.ids === 'number' ? String(number) : id)

  #list(query: URLSearchParams, user: string, handling: Handling): HttpAnswer {
    const dataAt = this.#now() - (handling.lag ?? 0)
    const found = this.present(user, handling.lag).flatMap((website) => {
      const state = stateAt(website, dataAt)
      return state === null ? [] : [[website, state] as [Website, typeof state]]
    })
    const { body, websites } = listing(found, query, this)
    // Only the websites on the requested page were read.
    for (const website of websites) {
      const state = stateAt(website, dataAt)
      if (state !== null) this.#note(website, handling, state)
    }
    return json(200, body)
  }

  #read(website: Website | undefined, handling: Handling): HttpAnswer {
    if (website === undefined) return missing
    const dataAt = this.#now() - (handling.lag ?? 0)
    const state = stateAt(website, dataAt) ?? latest(website)
    this.#note(website, handling, state)
    return this.#record(200, website, state.fields === latest(website).fields ? latest(website) : state)
  }

  #note(website: Website, { by, request }: Handling, state: RecordState): void {
    this.readings.push({ by, request, website, state })
  }

  #create(form: URLSearchParams, user: string, handling: Handling): HttpAnswer {
    const domain = normalized(form.get('domain') ?? '')
    const { fields, errors } = readForm(form, null)
    const wrong = domainErrors(domain)
    if (wrong.length === 0 && this.byDomain(domain) !== undefined) wrong.push('The domain has already been taken.')
    const { plan } = this.quirks
    if (wrong.length === 0 && plan >= 0 && this.present(user).length >= plan) wrong.push('You added too many websites.')
    if (wrong.length > 0) errors['domain'] = wrong
    if (Object.keys(errors).length > 0) return this.#invalid(errors)
    const website = this.add(domain, user, this.#taken(fields, handling), handling)
    return this.#written(this.quirks.created, website, handling)
  }

  add(
    domain: string,
    user: string,
    fields: Partial<Fields>,
    { by, request }: Pick<Handling, 'by' | 'request'>,
  ): Website {
    const number = ++this.#number
    const at = this.#now()
    const id = `${number.toString(16).padStart(8, '0')}-0000-4000-8000-${domain.length.toString(16).padStart(12, '0')}`
    const carried = Object.keys(fields) as FieldName[]
    const state = { at, by, request, carried, fields: { ...defaults, ...fields } }
    const website: Website = { id, number, account: user, domain, createdAt: at, deleted: null, states: [state] }
    this.websites.push(website)
    return website
  }

  #update(website: Website | undefined, form: URLSearchParams, handling: Handling): HttpAnswer {
    if (website === undefined)
      return this.quirks.missingUpdate === 404 ? missing : json(500, { message: 'Server Error' })
    const { fields, errors } = readForm(form, latest(website).fields)
    if (Object.keys(errors).length > 0) return this.#invalid(errors)
    this.change(website, this.#taken(fields, handling), handling)
    return this.#written(200, website, handling)
  }

  change(website: Website, fields: Partial<Fields>, { by, request }: Pick<Handling, 'by' | 'request'>): void {
    const carried = Object.keys(fields) as FieldName[]
    const became = { ...latest(website).fields, ...fields }
    website.states.push({ at: this.#now(), by, request, carried, fields: became })
  }

  #delete(website: Website | undefined, handling: Handling): HttpAnswer {
    if (website === undefined) return missing
    this.remove(website, handling)
    const shownId = this.quirks.ids === 'number' ? website.number : website.id
    return this.quirks.emptyAnswers ? empty : json(200, { id: shownId, object: 'website', deleted: true, status: 200 })
  }

  remove(website: Website, { by, request }: Pick<Handling, 'by' | 'request'>): void {
    website.deleted = { at: this.#now(), by, request }
  }

  #taken(fields: Partial<Fields>, { ignores = [] }: Handling): Partial<Fields> {
    const taken = { ...fields }
    for (const name of ignores) Reflect.deleteProperty(taken, name)
    if (this.quirks.ignoresEmail) delete taken.email
    return taken
  }

  #written(status: number, website: Website, handling: Handling): HttpAnswer {
    if (this.quirks.emptyAnswers) return empty
    // The answer to a write shows the record too.
    this.#note(website, handling, latest(website))
    return this.#record(status, website, latest(website))
  }

  #record(status: number, website: Website, state: RecordState): HttpAnswer {
    const record = shown(website, state, this)
    return json(status, this.quirks.wrapsRecords ? { data: record, status } : record)
  }

  #invalid(errors: FieldTexts): HttpAnswer {
    if (this.quirks.errors === 'message') return json(422, { message: errors, status: 422 })
    return json(422, { message: 'The given data was invalid.', errors })
  }
}

const missing = json(404, { message: 'Resource not found.', status: 404 })
const empty: HttpAnswer = { status: 204, headers: {}, body: '' }
