// @ts-check

/** @type {Map<string, number>} milliseconds by what was done */
const spent = new Map()

/**
 * Does a part of the set-up, and notes how long it takes.
 *
 * @template T
 * @param {string} part
 * @param {() => T | Promise<T>} work
 * @returns {Promise<T>}
 */
export const timed = async (part, work) => {
  const begun = performance.now()
  try {
    return await work()
  } finally {
    spent.set(part, (spent.get(part) ?? 0) + performance.now() - begun)
  }
}

/** Returns what the set-up has done and how long it took, or null if there was nothing to do. */
export const timesOfSetup = () => {
  if (spent.size === 0) return null
  const inSeconds = (/** @type {number} */ ms) => `${(ms / 1000).toFixed(1)} s`
  const total = [...spent.values()].reduce((sum, ms) => sum + ms, 0)
  return `${inSeconds(total)} (${[...spent].map(([part, ms]) => `${part} ${inSeconds(ms)}`).join(', ')})`
}
