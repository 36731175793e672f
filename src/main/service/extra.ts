import { isObject, type Json, type JsonObject, type Redact } from './content.ts'

/** Maximum depth of a value, because later readers of the record use recursion. */
const MAX_DEPTH = 32
/** Maximum bytes of JSON for all unknown fields of a record together. */
const MAX_BYTES = 64 * 1024
/** Maximum number of fields that are looked at. Even that many of the shortest fields don't fit into {@link MAX_BYTES}. */
const MAX_FIELDS = 10_000

/** Texts in place of values that are not kept. */
const TOO_DEEP = '[too deep to keep]'
const TOO_LARGE = '[too large to keep]'
const MORE = '[more fields, too many to keep]'

/** Limits unknown fields and removes secrets, so that they may be stored and shown (docs/service.md#field-values). */
export function limitFields(fields: readonly [string, Json][], redact: Redact): JsonObject {
  const entries = fields
    .slice(0, MAX_FIELDS)
    .map(([name, value]): [string, Json] => [redact(name), limitValue(value, redact, MAX_DEPTH)])
  let isComplete = fields.length <= MAX_FIELDS
  const bounded: JsonObject = {}
  let room = MAX_BYTES
  for (const [name, value] of entries) {
    const entry = [value, TOO_LARGE].find((each) => sizeOf(name, each) <= room)
    if (entry === undefined) {
      isComplete = false
      continue
    }
    bounded[name] = entry
    room -= sizeOf(name, entry)
  }
  return isComplete ? bounded : { ...bounded, [MORE]: true }
}

/** `levels`: how deep the value may be nested. */
function limitValue(value: Json, redact: Redact, levels: number): Json {
  if (typeof value === 'string') return redact(value)
  if (typeof value === 'number') return redact(String(value)) === String(value) ? value : redact(String(value))
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return TOO_DEEP
  const below = (inner: Json): Json => limitValue(inner, redact, levels - 1)
  if (!isObject(value)) return value.map(below)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [redact(name), below(inner)]))
}

const sizeOf = (name: string, value: Json): number => Buffer.byteLength(JSON.stringify([name, value]))
