import { EventEmitter } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import type { Answer, Event, EventName, Incoming, Method, Parameters } from './protocol.ts'

/** One DevTools session: the browser's own, or one attached to a page. */
export class Session {
  readonly id: string | undefined
  readonly #connection: Connection
  readonly #events = new EventEmitter().setMaxListeners(0)

  constructor(connection: Connection, id: string | undefined) {
    this.#connection = connection
    this.id = id
  }

  send<M extends Method>(method: M, params?: Parameters<M>): Promise<Answer<M>> {
    return this.#connection.request(method, params, this.id) as Promise<Answer<M>>
  }

  /** For what may fail because the page is going away: a failure changes nothing then. */
  tell<M extends Method>(method: M, params?: Parameters<M>): void {
    this.send(method, params).catch(() => undefined)
  }

  on<E extends EventName>(event: E, listener: (params: Event<E>) => void): void {
    this.#events.on(event, listener)
  }

  once<E extends EventName>(event: E): Promise<Event<E>> {
    return new Promise((resolve) => this.#events.once(event, resolve))
  }

  deliver(event: string, params: unknown): void {
    this.#events.emit(event, params)
  }
}

interface Waiting {
  method: string
  resolve: (value: unknown) => void
  reject: (reason: Error) => void
}

/** The DevTools protocol as `--remote-debugging-pipe` speaks it: JSON texts, each ended by a NUL byte. */
export class Connection {
  readonly browser: Session = new Session(this, undefined)
  /** Settles when Chromium has closed its end. */
  readonly ended: Promise<void>
  readonly #out: Writable
  readonly #sessions = new Map<string, Session>()
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0
  #parts: Buffer[] = []

  constructor(out: Writable, incoming: Readable) {
    this.#out = out
    // With it goes whatever listened to it: the window, and all that its page was.
    this.browser.on('Target.detachedFromTarget', ({ sessionId }) => this.#sessions.delete(sessionId))
    out.on('error', () => undefined)
    incoming.on('error', () => undefined)
    incoming.on('data', (bytes: Buffer) => this.#read(bytes))
    this.ended = new Promise((resolve) => incoming.once('close', resolve)).then(() => this.#abandon())
  }

  request(method: string, params: unknown, sessionId: string | undefined): Promise<unknown> {
    const id = ++this.#lastId
    this.#out.write(`${JSON.stringify({ id, method, params: params ?? {}, sessionId })}\0`)
    return new Promise((resolve, reject) => this.#waiting.set(id, { method, resolve, reject }))
  }

  async attach(targetId: string): Promise<Session> {
    const { sessionId } = await this.browser.send('Target.attachToTarget', { targetId, flatten: true })
    const session = new Session(this, sessionId)
    this.#sessions.set(sessionId, session)
    return session
  }

  detach(session: Session): void {
    this.browser.tell('Target.detachFromTarget', { sessionId: session.id })
    this.#sessions.delete(session.id ?? '')
  }

  #read(bytes: Buffer): void {
    let start = 0
    for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, start)) {
      const text = Buffer.concat([...this.#parts, bytes.subarray(start, end)]).toString()
      this.#parts = []
      start = end + 1
      this.#take(JSON.parse(text) as Incoming)
    }
    if (start < bytes.length) this.#parts.push(bytes.subarray(start))
  }

  #take(message: Incoming): void {
    if (message.id !== undefined) return this.#answer(message.id, message)
    // What comes before it's known, or after it has gone, has nobody who listens.
    const session = message.sessionId === undefined ? this.browser : this.#sessions.get(message.sessionId)
    session?.deliver(message.method ?? '', message.params)
  }

  #answer(id: number, { error, result }: Incoming): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error) waiting?.reject(new Error(`${waiting.method}: ${error.message}${error.data ? ` ${error.data}` : ''}`))
    else waiting?.resolve(result)
  }

  #abandon(): void {
    for (const { method, reject } of this.#waiting.values()) reject(new Error(`${method}: Chromium is gone`))
    this.#waiting.clear()
  }
}
