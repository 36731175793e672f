import { isObject, type Json, type JsonObject, type Redact } from './content.ts'

/** Levels below a field; whoever reads the record later goes down by recursion. */
const DEEPEST = 32
/** Bytes of JSON for all unknown fields of a record together. */
const LARGEST = 64 * 1024
/** More of the shortest fields than that many bytes hold: what comes after them isn't looked at, which takes time too. */
const MOST = 10_000

const TOO_DEEP = '[too deep to keep]'
const TOO_LARGE = '[too large to keep]'
const MORE = '[more fields, too many to keep]'

/**
 * Fields that nobody has heard of, as they may be kept and shown: 32 levels and 64 KiB of JSON at most, with a word in
 * place of what is cut, and without secrets in values and names (docs/service.md#field-values).
 */
export function keptFields(fields: readonly [string, Json][], redact: Redact): JsonObject {
  const entries = fields
    .slice(0, MOST)
    .map(([name, value]): [string, Json] => [redact(name), keptValue(value, redact, DEEPEST)])
  let whole = fields.length <= MOST
  const kept: JsonObject = {}
  let room = LARGEST
  for (const [name, value] of entries) {
    const entry = [value, TOO_LARGE].find((each) => sizeOf(name, each) <= room)
    if (entry === undefined) {
      whole = false
      continue
    }
    kept[name] = entry
    room -= sizeOf(name, entry)
  }
  return whole ? kept : { ...kept, [MORE]: true }
}

function keptValue(value: Json, redact: Redact, levels: number): Json {
  if (typeof value === 'string') return redact(value)
  if (typeof value === 'number') return redact(String(value)) === String(value) ? value : redact(String(value))
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return TOO_DEEP
  const below = (inner: Json): Json => keptValue(inner, redact, levels - 1)
  if (!isObject(value)) return value.map(below)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [redact(name), below(inner)]))
}

const sizeOf = (name: string, value: Json): number => Buffer.byteLength(JSON.stringify([name, value]))
