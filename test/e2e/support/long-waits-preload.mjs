// @ts-check
/** Loaded into main before the app (`-r`): records each long timer, so that a test can end it (clock.ts, `endWait`). */

/** The shortest timer that is recorded, in milliseconds. */
const LONG = 10_000

const { setTimeout: start, clearTimeout: stop } = globalThis
/** @type {{ ms: number, timer: NodeJS.Timeout, end: () => void }[]} */
const longWaits = []

/**
 * @param {(...args: unknown[]) => void} call
 * @param {number} [ms]
 * @param {unknown[]} args
 */
const startNoted = (call, ms, ...args) => {
  const timer = start(call, ms, ...args)
  const end = () => {
    stopNoted(timer)
    call(...args)
  }
  if (ms !== undefined && ms >= LONG) longWaits.push({ ms, timer, end })
  return timer
}

/** @type {typeof clearTimeout} */
const stopNoted = (timer) => {
  const n = longWaits.findIndex((wait) => wait.timer === timer)
  if (n >= 0) longWaits.splice(n, 1)
  stop(timer)
}

Object.assign(globalThis, { longWaits, clearTimeout: stopNoted, setTimeout: Object.assign(startNoted, start) })
