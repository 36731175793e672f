import type { VirtualTime } from '../machine/clock.ts'
import type { Seeded } from '../machine/random.ts'
import type { Fault, Loss, Weather } from './faults.ts'
import { html, json, type HttpAnswer, type HttpRequest } from './http.ts'
import type { Website, Writer } from './records.ts'
import type { SimulatedService } from './service.ts'

/** The outcome of a request for its client. `whole`: the body is complete. */
export type Arrival =
  { state: 'answered'; answer: HttpAnswer; whole: boolean } | { state: 'unsent' } | { state: 'lost'; as: Loss }

export interface Sent extends HttpRequest {
  n: number
  by: Writer
  at: number
  fault: Fault | null
  /** The age of the data in the answer, in milliseconds. */
  lag: number
  /** When the service handled the request. Null if the request never arrived. */
  handledAt: number | null
  /** The status of the service's answer, even if the answer was lost. */
  handledWith: number | null
  /** When the client got an answer or gave up. Null before that. */
  endedAt: number | null
  /** The number of the first request that was sent after this one ended. Times don't tell: events may share a millisecond. */
  endedBefore: number | null
  /** True if the service's own answer reached the client whole, and reports success. */
  received: boolean
  /** True if the service's own refusal reached the client. */
  refused: boolean
}

export const isRequestOf =
  ({ id, number }: Pick<Website, 'id' | 'number'>) =>
  ({ path }: Pick<Sent, 'path'>): boolean =>
    [id, String(number)].includes(path.split('/').at(-1) ?? '')

/**
 * True if a request is known not to be applied: either it never left, or an answer says so. A status of 408, or a page in place
 * of the service's JSON, does not say so.
 */
export const isKnownNot = ({ fault, refused }: Pick<Sent, 'fault' | 'refused'>): boolean =>
  refused ||
  fault?.kind === 'refused' ||
  (fault?.kind === 'turnedAway' && fault.status !== 408 && (!fault.html || fault.status === 429))

export interface NetworkOptions {
  time: VirtualTime
  service: SimulatedService
  random: Seeded
  /** Draws whether, and for how long, reads lag behind a write whose answer was lost. */
  lagging: Seeded
  fault: (request: Sent, isWrite: boolean) => Fault | null
}

/** When a client gives up, in milliseconds. */
const PATIENCE = 30_000

/** The network between clients and the service, in virtual time, with all its faults. */
export class Network {
  weather: Weather = 'fair'
  readonly sent: Sent[] = []
  /** Requests that a client made in spite of a `Retry-After`. */
  readonly violations: string[] = []
  #retryAt = new Map<Writer, number>()
  /** While reads are stale: until `until`, they show the data as of `asOf`, which was before a write whose answer was lost. */
  #staleReads: { asOf: number; until: number } | null = null
  #options: NetworkOptions

  constructor(options: NetworkOptions) {
    this.#options = options
  }

  /** `canReceive`: returns true while the client can receive an answer. */
  send(request: HttpRequest, by: Writer, canReceive: () => boolean = () => true): Promise<Arrival> {
    const { time, fault } = this.#options
    const sent: Sent = {
      ...request,
      n: this.sent.length + 1,
      by,
      at: time.now,
      fault: null,
      lag: 0,
      handledAt: null,
      handledWith: null,
      endedAt: null,
      endedBefore: null,
      received: false,
      refused: false,
    }
    this.sent.push(sent)
    // Allows a millisecond, because sums of fractions may differ a little.
    if (time.now + 1 < (this.#retryAt.get(by) ?? 0)) this.violations.push(`${by}: request ${sent.n} within Retry-After`)
    const isWrite = request.method !== 'GET'
    sent.fault = this.weather === 'fair' ? fault(sent, isWrite) : weatherFault(this.weather)
    return new Promise((resolve) => {
      this.#carry(sent, (arrival) => {
        if (sent.endedAt !== null) return
        sent.endedAt = time.now
        sent.endedBefore = this.sent.length + 1
        if (arrival.state === 'answered' && canReceive()) {
          sent.received = arrival.whole && arrival.answer.status < 300 && sent.fault?.kind !== 'portal'
          sent.refused = arrival.whole && reachesClient(sent.fault) && isRefusal(arrival.answer.status)
          this.#noteRetryAfter(sent, arrival.answer)
        }
        resolve(arrival)
      })
    })
  }

  /** Takes a request to the service and the answer back, as far as the fault allows. `end` gets the outcome for the client. */
  #carry(sent: Sent, end: (arrival: Arrival) => void): void {
    const { time, random } = this.#options
    const { fault } = sent
    const outDelay = random.between(10, 200)
    const roundTrip = outDelay + random.between(10, 200)
    const answer =
      (answer: HttpAnswer, whole = true) =>
      () =>
        end({ state: 'answered', answer, whole })
    const lose = (as: Loss) =>
      time.after(as === 'timeout' ? PATIENCE : roundTrip + random.between(0, 5_000), () => end({ state: 'lost', as }))
    switch (fault?.kind) {
      case 'refused':
        time.after(outDelay, () => end({ state: 'unsent' }))
        return
      case 'lostRequest':
        lose(fault.as)
        return
      case 'lostAnswer':
        time.after(outDelay, () => this.#handleWithStaleReads(sent))
        lose(fault.as)
        return
      case 'late':
        lose(fault.as)
        time.after((fault.as === 'timeout' ? PATIENCE : roundTrip + 5_000) + fault.after, () => this.#handle(sent))
        return
      case 'error':
        time.after(outDelay, () => fault.applied && this.#handleWithStaleReads(sent))
        time.after(roundTrip, answer(broken(fault)))
        return
      case 'portal':
        time.after(outDelay, () => fault.applied && this.#handle(sent))
        time.after(roundTrip, answer(fault.redirect ? html(302, { location: 'http://portal.invalid/' }) : html(200)))
        return
      case 'turnedAway':
        time.after(roundTrip, answer(turnedAway(fault.status, fault.html)))
        return
    }
    const slowly = fault?.kind === 'slow' ? fault.ms : 0
    time.after(outDelay, () => {
      const answered = this.#handle(sent, fault?.kind === 'stale' ? fault.lag : this.#lag(sent))
      const whole = fault?.kind !== 'cut' || answered.body === ''
      const body = whole ? answered.body : answered.body.slice(0, answered.body.length >> 1)
      time.after(roundTrip - outDelay + slowly, answer({ ...answered, body }, whole))
    })
  }

  /** Handles a request and, half of the time, lets reads show the data from before it for a while. */
  #handleWithStaleReads(sent: Sent): void {
    const { time, lagging } = this.#options
    const asOf = time.now - 1
    this.#handle(sent)
    if (sent.method !== 'GET' && lagging.chance(0.5)) {
      this.#staleReads = { asOf, until: time.now + lagging.between(0, lagging.pick([1_000, 1_000, 5_000])) }
    }
  }

  #lag({ method }: Sent): number {
    const { now } = this.#options.time
    return method === 'GET' && this.#staleReads !== null && now <= this.#staleReads.until
      ? now - this.#staleReads.asOf
      : 0
  }

  #handle(sent: Sent, lag = 0): HttpAnswer {
    const { service, time } = this.#options
    sent.lag = lag
    const answer = service.handle(sent, { by: sent.by, request: sent.n, lag })
    sent.handledAt = time.now
    sent.handledWith = answer.status
    return answer
  }

  #noteRetryAfter({ by }: Sent, { status, headers }: HttpAnswer): void {
    const seconds = Number(headers['retry-after'])
    if (status === 429 && seconds > 0) this.#retryAt.set(by, this.#options.time.now + seconds * 1000)
  }
}

const broken = ({ status, html: asHtml, retryAfter }: Extract<Fault, { kind: 'error' }>): HttpAnswer => {
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  return asHtml ? html(status, headers) : json(status, { message: 'Server Error' }, headers)
}

const turnedAway = (status: number, asHtml: boolean): HttpAnswer => {
  const headers: Record<string, string> = status === 429 ? { 'retry-after': '7' } : {}
  return asHtml ? html(status, headers) : json(status, { message: 'Refused.', status }, headers)
}

function weatherFault(weather: Weather): Fault | null {
  switch (weather) {
    case 'fair':
      return null
    case 'offline':
      return { kind: 'refused' }
    case 'portal':
      return { kind: 'portal', applied: false, redirect: false }
    case 'maintenance':
      return { kind: 'error', status: 503, applied: false, html: true }
    case 'keyRefused':
      return { kind: 'turnedAway', status: 401, html: false }
    case 'forbidden':
      return { kind: 'turnedAway', status: 403, html: false }
    case 'tooMany':
      return { kind: 'turnedAway', status: 429, html: false }
  }
}

const reachesClient = (fault: Fault | null): boolean =>
  fault === null || fault.kind === 'slow' || fault.kind === 'stale'

/** True for a status by which the service says that it has not applied the request. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 408
