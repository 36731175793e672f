// @ts-check
/** Loaded into the main process before the app (`-r`): notes each long timer, so that a test can end it (clock.ts, `endWait`). */

/** Milliseconds. */
const LONG = 10_000

const start = globalThis.setTimeout
/** @type {{ ms: number, end: () => void }[]} */
const longWaits = []

/**
 * @param {(...args: unknown[]) => void} call
 * @param {number} [ms]
 * @param {unknown[]} args
 */
const startNoted = (call, ms, ...args) => {
  const timer = start(call, ms, ...args)
  const end = () => {
    clearTimeout(timer)
    call(...args)
  }
  if (ms !== undefined && ms >= LONG) longWaits.push({ ms, end })
  return timer
}

Object.assign(globalThis, { longWaits, setTimeout: Object.assign(startNoted, start) })
