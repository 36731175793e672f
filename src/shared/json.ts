import { z } from 'zod'

/** What JSON can hold. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

/**
 * Any JSON, as `z.json()` has it. That is a schema within itself, for the sake of which zod keeps account of each object that
 * is checked with it: a page of websites took twice as long.
 */
export const jsonSchema = z.custom<Json>(isJson)

export function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  // With what has a gap in it, which `every` passes over.
  if (Array.isArray(value)) return value.findIndex((each) => !isJson(each)) === -1
  return isPlain(value) && Object.values(value).every(isJson)
}

/** No map, date or the like, which JSON would make something else of. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}
