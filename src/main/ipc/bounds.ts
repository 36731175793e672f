/**
 * Limits of a request before it is validated. Large real requests stay below them, such as a thousand new websites with lists of
 * hundreds of lines, or a hundred thousand domains to compare.
 */
export const requestBounds = {
  /** Maximum nesting of lists and objects. */
  deepest: 8,
  /** Maximum number of values at all levels. */
  max: 1_000_000,
  /** Maximum length of all texts and field names together, in UTF-16 units. */
  longest: 24 * 1024 * 1024,
} as const

/** Field names with a special meaning in JavaScript, which no request uses. */
const REFUSED = new Set(['__proto__', 'constructor', 'prototype'])

/** True if a request is plain data within {@link requestBounds}. Stops at the first violation and never throws. */
export function isWithinBounds(request: unknown): boolean {
  let values = 0
  let length = 0
  const text = (units: string): boolean => (length += units.length) <= requestBounds.longest
  const fits = (value: unknown, depth: number): boolean => {
    if (++values > requestBounds.max) return false
    if (typeof value === 'string') return text(value)
    if (typeof value !== 'object' || value === null) return isNonTextScalar(value)
    if (depth === requestBounds.deepest || !isListOrPlainObject(value)) return false
    for (const name of Object.keys(value)) {
      if (REFUSED.has(name) || (!Array.isArray(value) && !text(name))) return false
      if (!fits((value as Record<string, unknown>)[name], depth + 1)) return false
    }
    return true
  }
  return fits(request, 0)
}

/** Texts are checked separately, for their length. */
const isNonTextScalar = (value: unknown): boolean =>
  value === null || ['undefined', 'boolean', 'number'].includes(typeof value)

/** False for a Map, Date, buffer, typed array or error. */
function isListOrPlainObject(value: object): boolean {
  // A sparse list can be long without having any keys.
  if (Array.isArray(value)) return value.length <= requestBounds.max
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
