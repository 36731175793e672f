import { setImmediate } from 'node:timers'

/** Calls once when its time has come; the answer stops it. */
export type After = (ms: number, call: () => void) => () => void

interface Timer {
  at: number
  /** Of two at the same time the one that was set first comes first. */
  order: number
  call: (() => void) | null
}

/** More than any schedule of ours needs. */
const MANY = 1_000_000

/** Time that passes only when it's told to, and then at once: hours take as long as what happens in them. */
export class VirtualTime {
  /** Whole milliseconds since the beginning. */
  now = 0
  #order = 0
  /** Timers that came without time passing. */
  #still = 0
  #steps = 0
  #most: number
  /** A heap: each is earlier than the two behind it. */
  #timers: Timer[] = []

  /** `most`: what has more timers than that is taken for something that never ends. */
  constructor(most = MANY) {
    this.#most = most
  }

  readonly after: After = (ms, call) => {
    const timer: Timer = { at: Math.ceil(this.now + Math.max(0, ms)), order: this.#order++, call }
    this.#push(timer)
    return () => void (timer.call = null)
  }

  /** Resolves when so much time has passed. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve))
  }

  /** Lets time pass up to `limit`, with all that happens on the way; ends early where `enough` says so. */
  async run(limit: number, enough: () => boolean = () => false): Promise<void> {
    const until = Math.ceil(limit)
    await settled()
    for (;;) {
      const next = this.#timers[0]
      if (next === undefined || next.at > until || enough()) break
      this.#pop()
      if (next.call === null) continue
      if (++this.#steps > this.#most) throw new Error(`Too much happens: ${next.call.toString()}`)
      this.#still = next.at > this.now ? 0 : this.#still + 1
      if (this.#still > 10_000) throw new Error(`Time stands still at ${this.now}: ${next.call.toString()}`)
      this.now = next.at
      next.call()
      await settled()
    }
    if (!enough()) this.now = Math.max(this.now, until)
  }

  #push(timer: Timer): void {
    const heap = this.#timers
    let at = heap.push(timer) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (isBefore(heap[parent], timer)) break
      heap[at] = heap[parent] as Timer
      at = parent
    }
    heap[at] = timer
  }

  #pop(): void {
    const heap = this.#timers
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child] as Timer)) child += 1
      if (isBefore(last, heap[child] as Timer)) break
      heap[at] = heap[child] as Timer
      at = child
    }
    heap[at] = last
  }
}

const isBefore = (a: Timer | undefined, b: Timer): boolean =>
  a !== undefined && (a.at < b.at || (a.at === b.at && a.order < b.order))

/** All that can go on without time passing has gone on: whatever runs in virtual time waits for promises alone. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
