/**
 * What a request may be made of before anything else looks at it: plain data (text, numbers, booleans, null, undefined,
 * lists, objects) within bounds. The largest request of the contract, a website with both of its lists full, keeps well
 * inside; whatever exceeds them was made to keep main busy.
 */
export const bounds = {
  /** Levels of lists and objects. */
  deepest: 8,
  /** Values in all, at every level. */
  most: 40_000,
  /** UTF-16 units of all texts and names together. */
  longest: 24 * 1024 * 1024,
} as const

/** Names that mean something else to the language than to the contract; no field of it is called so. */
const REFUSED = new Set(['__proto__', 'constructor', 'prototype'])

/** Whether a request is plain data within {@link bounds}. Stops at the first thing that isn't, and never throws. */
export function isWithinBounds(request: unknown): boolean {
  let values = 0
  let length = 0
  const text = (units: string): boolean => (length += units.length) <= bounds.longest
  const fits = (value: unknown, depth: number): boolean => {
    if (++values > bounds.most) return false
    if (typeof value === 'string') return text(value)
    if (typeof value !== 'object' || value === null) return isScalar(value)
    if (depth === bounds.deepest || !isPlain(value)) return false
    for (const name of Object.keys(value)) {
      if (REFUSED.has(name) || (!Array.isArray(value) && !text(name))) return false
      if (!fits((value as Record<string, unknown>)[name], depth + 1)) return false
    }
    return true
  }
  return fits(request, 0)
}

const isScalar = (value: unknown): boolean =>
  value === null || ['undefined', 'boolean', 'number'].includes(typeof value)

/** A list or an object as a literal makes it; no Map, Date, buffer, error or view, which the contract has no use for. */
function isPlain(value: object): boolean {
  // A list of holes is as long as it likes, and has no names to go through.
  if (Array.isArray(value)) return value.length <= bounds.most
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
