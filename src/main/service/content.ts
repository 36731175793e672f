import type { Json } from '../../shared/json.ts'

export type { Json }
export type JsonObject = Record<string, Json>

/** Removes secrets from a text. */
export type Redact = (text: string) => string

/** `foreign`: not JSON, so not from the service. */
export type Content = { kind: 'empty' } | { kind: 'json'; json: Json } | { kind: 'foreign' }

/**
 * Parses a response body. Redacts its strings, because a service may echo the request. Turns an integer that a double can't hold
 * exactly into a string, because it may be an id. JSON that is nested too deeply is `foreign`.
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

/** Removes these secrets from a text; one of fewer than 8 characters only as a whole word. */
export function redactor(secrets: readonly string[]): Redact {
  const patterns = secrets
    .filter((secret) => secret !== '')
    .flatMap(spellings)
    .map((secret) => {
      const literal = escapeRegExp(secret)
      return new RegExp(secret.length < 8 ? `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])` : literal, 'gu')
    })
  return (text) => patterns.reduce((redacted, pattern) => redacted.replace(pattern, REDACTED), text)
}

/** Includes the spelling in a form, because a service may echo the request. The longest comes first. */
const spellings = (secret: string): string[] => {
  const inForm = new URLSearchParams({ secret }).toString().slice('secret='.length)
  return [...new Set([inForm, inForm.replaceAll('+', '%20'), secret])]
}

/** Returns the source of a regular expression (with the flag `u`) for exactly this text. */
const escapeRegExp = (text: string): string =>
  [...text].map((character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`).join('')
