import type { Json } from '../../shared/json.ts'

export type { Json }
export type JsonObject = Record<string, Json>

/** Takes secrets out of a text. */
export type Redact = (text: string) => string

/** A body as it came: nothing, JSON, or something that the service wouldn't say. */
export type Content = { kind: 'empty' } | { kind: 'json'; json: Json } | { kind: 'foreign' }

/**
 * Reads a body. Every text in it goes through `redact`: a service may echo what it was sent. A number beyond what a double
 * holds exactly becomes the text as it was written, as it may be an id. A body that is nested too deeply counts as foreign.
 */
export function readContent(text: string, redact: Redact): Content {
  if (text.trim() === '') return { kind: 'empty' }
  const read = (name: string, value: Json, context?: { source?: string }): Json | undefined => {
    if (name === '__proto__') return undefined
    if (typeof value === 'string') return redact(value)
    const isLarge = typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER
    return isLarge ? (context?.source ?? String(value)) : value
  }
  try {
    return { kind: 'json', json: JSON.parse(text, read) as Json }
  } catch {
    return { kind: 'foreign' }
  }
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

const escaped = (text: string): string =>
  [...text].map((character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`).join('')
