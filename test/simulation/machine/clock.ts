import { setImmediate } from 'node:timers'

/** Calls `call` once after `ms` milliseconds. The returned function cancels the call. */
export type After = (ms: number, call: () => void) => () => void

interface Timer {
  at: number
  /** Orders timers that are due at the same time. */
  order: number
  call: (() => void) | null
}

/** More timers than any schedule needs. */
const MANY = 1_000_000

/** Time that passes only in {@link run}, without waiting: an hour takes as long as its events. */
export class VirtualTime {
  /** Whole milliseconds since the beginning. */
  now = 0
  #order = 0
  #still = 0
  #steps = 0
  #most: number
  /** A binary heap, the earliest timer first. */
  #timers: Timer[] = []

  /** `most`: the number of timers after which a run counts as endless. */
  constructor(most = MANY) {
    this.#most = most
  }

  readonly after: After = (ms, call) => {
    const timer: Timer = { at: Math.ceil(this.now + Math.max(0, ms)), order: this.#order++, call }
    this.#push(timer)
    return () => void (timer.call = null)
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve))
  }

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

/** Resolves when all promises that don't wait for virtual time have settled. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
