/** Replaces the timers, `Date` and `Math.random` by virtual ones. Import this file before any library. */

const BEGINNING = Date.parse('2026-03-01T12:00:00Z')

/** The time and the random numbers of the current schedule. Null before the first schedule. */
let current = null

const now = () => (current === null ? BEGINNING : BEGINNING + current.time.now)

class VirtualDate extends Date {
  constructor(...given) {
    if (given.length === 0) super(now())
    else super(...given)
  }

  static now() {
    return now()
  }
}

class Timer {
  constructor(cancel) {
    this.cancel = cancel
  }

  ref = () => this
  unref = () => this
}

/** After `timers` immediate timers in one virtual second, each further one takes `ms` milliseconds. */
const SPIN = { timers: 100, ms: 100 }
/** The virtual second of the last immediate timer. */
let second = -1
/** Number of immediate timers in that second, except the first one. */
let short = 0

/** Returns the delay of a timer in milliseconds: 1 for an immediate timer, or `SPIN.ms` while a library spins. */
function delayOf(ms) {
  if (ms > 1) return Math.min(ms, 2 ** 31 - 1)
  const now = Math.floor((current?.time.now ?? 0) / 1000)
  short = now === second ? short + 1 : 0
  second = now
  return short > SPIN.timers ? SPIN.ms : 1
}

const after = (call, ms = 0, ...given) =>
  new Timer(current === null ? () => undefined : current.time.after(delayOf(ms), () => call(...given)))

const clear = (timer) => {
  if (timer instanceof Timer) timer.cancel()
}

function every(call, ms = 0, ...given) {
  const timer = new Timer(() => undefined)
  const again = () => {
    timer.cancel = after(
      () => {
        again()
        call(...given)
      },
      Math.max(1, ms),
    ).cancel
  }
  again()
  return timer
}

export function installVirtualGlobals() {
  Object.assign(globalThis, {
    Date: VirtualDate,
    setTimeout: after,
    clearTimeout: clear,
    setInterval: every,
    clearInterval: clear,
    // fake-indexeddb, which replaces IndexedDB here, schedules its steps with `setImmediate`.
    setImmediate: (call) => new Timer(current?.time.after(0, call) ?? (() => undefined)),
    clearImmediate: clear,
  })
  Math.random = () => current?.random.fraction() ?? 0.5
}

/** Uses the time and random numbers of this schedule from now on. */
export function enterTime(given) {
  current = given
}
