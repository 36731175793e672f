import type { Outcome } from '../../../src/main/service/outcome.ts'
import type { Service } from '../../../src/main/service/port.ts'
import type { AppError, ErrorCode } from '../../../src/shared/result.ts'
import type { WebsiteRecord } from '../../../src/shared/website.ts'

export type Operation = keyof Service

/** A fault that one request meets. */
export type Fault =
  /** The request is applied, and its answer is lost. */
  | { lost: 'answer' }
  /** The request is lost on the way, and its outcome is unknown. */
  | { lost: 'request' }
  /** The request is applied, and answered with an empty body. */
  | { empty: true }
  /** The request fails with this error, and is not applied. `retryAfter` is in seconds. */
  | { refuse: ErrorCode; fields?: Record<string, string[]>; retryAfter?: number }

/** A service in memory that records its requests and can be made to fail. It shares no code with the outbox. */
export class SimulatedService implements Service {
  readonly records = new Map<string, WebsiteRecord>()
  /** The requests in order, including those that then failed, but not those to an unreachable service. */
  readonly received: { operation: Operation; id?: string; sent?: object }[] = []
  /** The service's clock in milliseconds since 1970. */
  now: () => number = () => Date.parse('2026-01-01T00:00:00Z')
  /** Fields that the service accepts in a write, but does not keep. */
  readonly ignores = new Set<string>()
  /** Number of records on a page of the list; some hosts return all at once. */
  pageSize = Infinity
  /** True if every request fails before it is sent. */
  unreachable = false
  /** True if every request is answered with a rejection of its key. */
  keyRefused = false
  /** Called before the service handles a request, so that a test can hold the request. */
  before: (operation: Operation) => Promise<void> | void = () => {}
  /** Called after the service has applied a request, so that a test can hold the answer. */
  after: (operation: Operation) => Promise<void> | void = () => {}
  #faults: { operation: Operation; fault: Fault }[] = []
  #nextId = 1

  /** Plans a fault for the next request of this operation that has none yet. */
  fail(operation: Operation, fault: Fault): void {
    this.#faults.push({ operation, fault })
  }

  /** Adds a website, as another client does. Its record has no times unless `more` contains them. */
  add(domain: string, more: Partial<WebsiteRecord> = {}): WebsiteRecord {
    const record: WebsiteRecord = {
      id: String(this.#nextId++),
      domain,
      privacy: 1,
      email: false,
      password: false,
      exclude_bots: true,
      exclude_ips: [],
      extra: {},
      ...more,
    }
    this.records.set(record.id, record)
    return record
  }

  /** Replaces {@link before}: requests of this operation are applied only once the returned function is called. */
  hold(operation: Operation): () => void {
    const { held, release } = heldBack()
    this.before = (requested) => (requested === operation ? held : undefined)
    return release
  }

  /** Replaces {@link after}: requests of this operation are applied, but answered only once the returned function is called. */
  holdAnswer(operation: Operation): () => void {
    const { held, release } = heldBack()
    this.after = (requested) => (requested === operation ? held : undefined)
    return release
  }

  operations(): Operation[] {
    return this.received.map(({ operation }) => operation)
  }

  /** Returns the values that each received update sent, in order, including updates that then failed. */
  updates(): (object | undefined)[] {
    return this.received.filter(({ operation }) => operation === 'update').map(({ sent }) => sent)
  }

  /** Returns the operations of all creates, updates and deletes, in order. */
  writes(): string[] {
    return this.received
      .filter(({ operation }) => ['create', 'update', 'delete'].includes(operation))
      .map((a) => a.operation)
  }

  domains(): string[] {
    return [...this.records.values()].map(({ domain }) => domain)
  }

  list: Service['list'] = (query) =>
    this.#answer('list', {}, () => {
      const found = [...this.records.values()].filter(({ domain }) => domain.includes(query.search ?? ''))
      return this.#page(found, 0)
    })

  listNext: Service['listNext'] = (next) =>
    this.#answer('listNext', {}, () => this.#page([...this.records.values()], Number(next)))

  #page(found: WebsiteRecord[], from: number) {
    const size = this.pageSize
    const websites = found.slice(from, from + size).map((record) => ({ ...record }))
    return { websites, next: from + size < found.length ? String(from + size) : null, total: found.length }
  }

  get: Service['get'] = (id) =>
    this.#answer('get', { id }, () => {
      const record = this.records.get(id)
      return record === undefined ? refused('not-found') : { ...record }
    })

  create: Service['create'] = ({ domain, password, exclude_params, ...settings }) =>
    this.#answer('create', { sent: { domain, password, exclude_params, ...settings } }, () => {
      if (this.domains().includes(domain)) return refused('invalid', { domain: ['The domain has already been taken.'] })
      const created_at = new Date(this.now()).toISOString()
      return { ...this.add(domain, { ...this.#kept(settings), password: password !== undefined, created_at }) }
    })

  update: Service['update'] = (id, changes) =>
    this.#answer('update', { id, sent: changes }, () => {
      const record = this.records.get(id)
      if (record === undefined) return refused('not-found')
      const { password, exclude_params, ...settings } = changes
      void exclude_params
      Object.assign(record, this.#kept(settings), password === undefined ? {} : { password: true })
      this.touch(record)
      return { ...record }
    })

  /** Changes a record, as another client if a test calls it. Appends a dot to an `updated_at`, to mark the later time. */
  touch(record: WebsiteRecord, changes: Partial<WebsiteRecord> = {}): void {
    Object.assign(record, changes)
    if (record.updated_at !== undefined) record.updated_at = `${record.updated_at}.`
  }

  /** Returns the sent values without those that the service {@link ignores}. */
  #kept = <T extends object>(sent: T): Partial<T> =>
    Object.fromEntries(Object.entries(sent).filter(([name]) => !this.ignores.has(name))) as Partial<T>

  delete: Service['delete'] = (id) =>
    this.#answer('delete', { id }, () => (this.records.delete(id) ? null : refused('not-found')))

  account: Service['account'] = () => this.#answer('account', {}, () => ({ id: '1', name: 'Ada', extra: {} }))

  async #answer<T>(
    operation: Operation,
    about: { id?: string; sent?: object },
    perform: () => T | Refused,
  ): Promise<Outcome<T>> {
    if (this.unreachable) return notApplied('unreachable')
    this.received.push({ operation, ...about })
    await this.before(operation)
    if (this.keyRefused) return notApplied('unauthenticated')
    const at = this.#faults.findIndex((planned) => planned.operation === operation)
    const fault = at < 0 ? undefined : this.#faults.splice(at, 1)[0]?.fault
    if (fault !== undefined && 'refuse' in fault) return notApplied(fault.refuse, fault)
    if (fault !== undefined && 'lost' in fault && fault.lost === 'request') return inDoubt()
    const value = perform()
    await this.after(operation)
    if (value instanceof Refused) return notApplied(value.code, { fields: value.fields })
    if (fault !== undefined && 'lost' in fault) return inDoubt()
    return { outcome: 'applied', value: fault === undefined ? value : (null as T), meta: { date: this.now() } }
  }
}

/** Returns a promise, and a function that resolves it. */
function heldBack(): { held: Promise<void>; release: () => void } {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  return { held, release: () => release() }
}

/** A refusal that takes the place of the value of a request. */
class Refused {
  readonly code: ErrorCode
  readonly fields: Record<string, string[]> | undefined
  constructor(code: ErrorCode, fields?: Record<string, string[]>) {
    this.code = code
    this.fields = fields
  }
}
const refused = (code: ErrorCode, fields?: Record<string, string[]>) => new Refused(code, fields)

function notApplied(code: ErrorCode, more: { fields?: AppError['fields']; retryAfter?: number } = {}): Outcome<never> {
  const error: AppError = { code, message: '' }
  if (more.fields !== undefined) error.fields = more.fields
  if (more.retryAfter !== undefined) error.retryAfter = more.retryAfter
  return { outcome: 'notApplied', error, meta: {} }
}

const inDoubt = (): Outcome<never> => ({ outcome: 'inDoubt', error: { code: 'timeout', message: '' }, meta: {} })
