import type { Clock } from '../../../src/main/outbox/ports.ts'
import type { VirtualTime } from './clock.ts'

/** One run of the app. After its end its timers do not fire, its requests get no answer, and its writes reach no disk. */
export class AppRun implements Clock {
  alive = true
  diskFull = false
  /** The process ends at the `writes`th write from now, just before or just after it is on disk. */
  crashAtWrite: { writes: number; written: boolean } | null = null
  /** The ids of the edits that were marked as sending. */
  readonly sent = new Set<string>()
  readonly name: string
  #time: VirtualTime
  #born: number
  #slept = 0
  #sleep = { from: 0, until: 0 }
  /** Error of the wall clock, in whole milliseconds. */
  #off = 0

  constructor(time: VirtualTime, n: number) {
    this.#time = time
    this.#born = time.now
    this.name = `client ${n}`
  }

  end(): void {
    this.alive = false
  }

  /** Puts the machine to sleep: nothing runs, and the monotonic clock stops. */
  sleep(ms: number): void {
    if (this.isAsleep()) return
    this.#sleep = { from: this.#time.now, until: this.#time.now + Math.ceil(ms) }
    this.#slept += Math.ceil(ms)
  }

  isAsleep(): boolean {
    return this.#time.now < this.#sleep.until
  }

  wakesAt(): number {
    return this.#sleep.until
  }

  /** Moves the wall clock. The monotonic clock stays. */
  jump(ms: number): void {
    this.#off += Math.round(ms)
  }

  wall(): number {
    return Date.parse('2026-03-01T12:00:00Z') + this.#time.now + this.#off
  }

  monotonic(): number {
    const asleep = this.isAsleep() ? this.#sleep.until - this.#time.now : 0
    return this.#time.now - this.#born - this.#slept + asleep
  }

  after(ms: number, call: () => void): () => void {
    const slept = this.#slept
    const awake = this.isAsleep() ? this.#sleep.until - this.#time.now : 0
    let cancel = this.#time.after(awake + ms, () => {
      if (!this.alive) return
      // The machine has slept in between, which delays the timer.
      if (this.#slept > slept) cancel = this.after(this.#slept - slept, call)
      else call()
    })
    return () => cancel()
  }

  soon(call: () => void): () => void {
    return this.after(0, call)
  }
}
