import type { Json } from '../../shared/json.ts'

export type { Json }
export type JsonObject = Record<string, Json>

/** Takes secrets out of a text. */
export type Redact = (text: string) => string

/** A body as it came: nothing, JSON, or something that the service wouldn't say. */
export type Content = { kind: 'empty' } | { kind: 'json'; json: Json } | { kind: 'foreign' }

/**
 * Reads a body. Every text in it goes through `redact`: a service may echo what it was sent. Numbers beyond what a
 * double holds exactly stay as they were written, as text, since an id may be one.
 */
export function readContent(text: string, redact: Redact): Content {
  if (text.trim() === '') return { kind: 'empty' }
  try {
    // As they were written they can only be had one by one, which takes several times as long.
    const json = MAY_BE_LARGE.test(text) ? JSON.parse(text, keepLarge) : JSON.parse(text)
    const asItIs = redact === unchanged && !text.includes('__proto__')
    return { kind: 'json', json: asItIs ? (json as Json) : cleaned(json as Json, redact) }
  } catch {
    // Nested too deeply, too.
    return { kind: 'foreign' }
  }
}

const MAY_BE_LARGE = /\d(?:\d{15}|[eE])/

const keepLarge = (_name: string, value: Json, context?: { source?: string }): Json =>
  typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER ? (context?.source ?? String(value)) : value

/** In its place: it's nobody else's yet. */
function cleaned(json: Json, redact: Redact): Json {
  if (typeof json === 'string') return redact(json)
  if (Array.isArray(json)) for (let n = 0; n < json.length; n++) json[n] = cleaned(json[n] as Json, redact)
  else if (isObject(json)) {
    if (Object.hasOwn(json, '__proto__')) delete json['__proto__']
    for (const name of Object.keys(json)) json[name] = cleaned(json[name] as Json, redact)
  }
  return json
}

export const isObject = (json: Json | undefined): json is JsonObject =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

const REDACTED = '[redacted]'

/** Takes secrets out of what others say. A short one is only seen where it stands alone: it may be part of a word. */
export function redactor(secrets: readonly string[]): Redact {
  const patterns = secrets
    .filter((secret) => secret !== '')
    .flatMap(spellings)
    .map((secret) => {
      const literal = escaped(secret)
      return new RegExp(secret.length < 8 ? `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])` : literal, 'gu')
    })
  return (text) => patterns.reduce((left, pattern) => left.replace(pattern, REDACTED), text)
}

/** As it is, and as it was in the form: a service may show the request itself. The longest goes first. */
const spellings = (secret: string): string[] => {
  const inForm = new URLSearchParams({ secret }).toString().slice('secret='.length)
  return [...new Set([inForm, inForm.replaceAll('+', '%20'), secret])]
}

const unchanged: Redact = (text) => text

/**
 * The same, for what is read out of this JSON alone: mostly not a letter of a secret is in it, and one look tells. Not where
 * it has characters by their numbers.
 */
export function redactorOf(json: string, redact: Redact): Redact {
  const plain = json.replaceAll(/\\["\\/bfnrt]/g, (escape) => ESCAPES[escape] ?? escape)
  return json.includes('\\u') || redact(plain) !== plain ? redact : unchanged
}

/** As JSON has them, but for those by number. */
const ESCAPES: Record<string, string> = Object.fromEntries(
  ['"', '\\', '/', 'b', 'f', 'n', 'r', 't'].map((letter) => [`\\${letter}`, JSON.parse(`"\\${letter}"`) as string]),
)

const escaped = (text: string): string =>
  [...text].map((character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`).join('')
