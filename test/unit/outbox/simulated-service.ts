import type { Outcome } from '../../../src/main/service/outcome.ts'
import type { Service } from '../../../src/main/service/port.ts'
import type { AppError, ErrorCode } from '../../../src/shared/result.ts'
import type { WebsiteRecord } from '../../../src/shared/website.ts'

export type Operation = keyof Service

export type Fault =
  /** The request is applied, and its answer is lost. */
  | { lost: 'answer' }
  /** The request is lost. The app can't know whether it was applied. */
  | { lost: 'request' }
  /** The request is applied, and its answer has an empty body. */
  | { empty: true }
  /** The request fails with this error, and is not applied. `retryAfter` is in seconds. */
  | { refuse: ErrorCode; fields?: Record<string, string[]>; retryAfter?: number }

/** A service in memory that records its requests and can be made to fail. It shares no code with the outbox. */
export class SimulatedService implements Service {
  readonly records = new Map<string, WebsiteRecord>()
  /** All requests that have reached the service, in order, even if they failed. */
  readonly received: { operation: Operation; id?: string; sent?: object }[] = []
  /** The service's clock, in milliseconds since 1970. */
  now: () => number = () => Date.parse('2026-01-01T00:00:00Z')
  /** Fields of a write that the service accepts but does not store. */
  readonly ignores = new Set<string>()
  /** Websites on a page of the list. Some hosts return all at once. */
  pageSize = Infinity
  /** True if every request fails before it is sent. */
  unreachable = false
  /** True if the service rejects the key of every request. */
  keyRefused = false
  /** Called before the service handles a request. The request waits for its promise. */
  before: (operation: Operation) => Promise<void> | void = () => {}
  /** Called after the service has applied a request. The answer waits for its promise. */
  after: (operation: Operation) => Promise<void> | void = () => {}
  #faults: { operation: Operation; fault: Fault }[] = []
  #nextId = 1

  /** Plans a fault for the next request of this operation that has no fault yet. */
  fail(operation: Operation, fault: Fault): void {
    this.#faults.push({ operation, fault })
  }

  /** Adds a website, as another client does. Without `more`, its record has no times. */
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

  /** Replaces {@link before}: requests of this operation are not applied until the returned function is called. */
  hold(operation: Operation): () => void {
    const { held, release } = heldBack()
    this.before = (requested) => (requested === operation ? held : undefined)
    return release
  }

  /** Replaces {@link after}: requests of this operation are applied, but not answered until the returned function is called. */
  holdAnswer(operation: Operation): () => void {
    const { held, release } = heldBack()
    this.after = (requested) => (requested === operation ? held : undefined)
    return release
  }

  operations(): Operation[] {
    return this.received.map(({ operation }) => operation)
  }

  /** Returns the values of each update that the service has received, in order, even if the update failed. */
  updates(): (object | undefined)[] {
    return this.received.filter(({ operation }) => operation === 'update').map(({ sent }) => sent)
  }

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

  /** Changes a record, as another client does. Appends a dot to `updated_at`, if there is one, to make it another time. */
  touch(record: WebsiteRecord, changes: Partial<WebsiteRecord> = {}): void {
    Object.assign(record, changes)
    if (record.updated_at !== undefined) record.updated_at = `${record.updated_at}.`
  }

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

function heldBack(): { held: Promise<void>; release: () => void } {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  return { held, release: () => release() }
}

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
