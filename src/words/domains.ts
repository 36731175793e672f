import { toUnicode } from 'punycode/'
import { visible } from './visible.ts'

/** Letters kept at the end of a long domain: what tells it from others is there as often as at its beginning. */
const END = 12
/** Where a label or a word of it begins there, it's cut before that: between so many letters from the end. */
const ENDS = { least: 8, most: 16 } as const
const LONG = 20
/** The blocks of the scripts that run from right to left: there the two halves would change places. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
/** What goes with the letter before it. */
const WITHIN = /[\p{M}\udc00-\udfff]/u

export const lookalikeWords = 'May look like another'
export const lookalikeWarning = 'This domain may look like another one, letter by letter.'

/** A domain in two parts, the first of which may be cut short; the second empty where nothing has to be. */
export function cutInTheMiddle(shown: string): [start: string, end: string] {
  if (shown.length <= LONG || RIGHT_TO_LEFT.test(shown)) return [shown, '']
  const tail = shown.slice(-ENDS.most)
  const word = tail.length - Math.max(0, tail.search(/[.-]/))
  const end = word >= ENDS.least && word < ENDS.most ? word : END
  let at = shown.length - end
  while (WITHIN.test(shown[at] ?? '')) at -= 1
  return [shown.slice(0, at), shown.slice(at)]
}

const SCRIPTS = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Armenian',
  'Hebrew',
  'Arabic',
  'Devanagari',
  'Thai',
  'Georgian',
] as const
const CJK = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u30fc]$/u
const scriptTests = SCRIPTS.map((name) => new RegExp(`^\\p{Script=${name}}$`, 'u'))

/** Small letters of other scripts that are drawn as Latin ones are; a label of these alone may stand for another. */
const LIKE_LATIN = /^[асԁеһіјӏоррԛѕтѵѡхузαινορυχωօսքհո]+$/u

export interface DomainReading {
  /** As people write it; undefined: the same, or it isn't safe to be shown so. */
  unicode?: string
  /** It may be taken for another one. */
  lookalike: boolean
}

/**
 * How an international domain (`xn--…`) reads. It's written out only where each of its labels is of one script and not made
 * of letters alone that look like Latin ones; else it's told that it may be taken for another, however the service has it.
 */
export function readingOf(domain: string): DomainReading {
  if (/[^\x20-\x7e]/.test(domain)) {
    // Characters that hide are written out, and look like nothing else.
    return { lookalike: visible(domain) === domain && !domain.toLowerCase().split('.').every(isSafe) }
  }
  if (!/(^|\.)xn--/i.test(domain)) return { lookalike: false }
  const unicode = unicodeOf(domain)
  if (unicode === null) return { lookalike: false }
  // What doesn't lead back to the same name is another one.
  if (!isSameName(unicode, domain) || visible(unicode) !== unicode) return { lookalike: true }
  return unicode.split('.').every(isSafe) ? { unicode, lookalike: false } : { lookalike: true }
}

/** Decodes the `xn--` labels. Returns null if one of them is malformed. */
function unicodeOf(domain: string): string | null {
  try {
    return toUnicode(domain.toLowerCase())
  } catch {
    return null
  }
}

function isSameName(unicode: string, ascii: string): boolean {
  try {
    return new URL(`http://${unicode}`).hostname === ascii.toLowerCase()
  } catch {
    return false
  }
}

function isSafe(label: string): boolean {
  const letters = [...label].filter((letter) => !/[\d-]/.test(letter))
  if (LIKE_LATIN.test(letters.join(''))) return false
  if (letters.every((letter) => CJK.test(letter))) return true
  return scriptTests.some((isOf) => letters.every((letter) => isOf.test(letter)))
}

/** All that a row tells of its domain. */
export interface DomainWords extends DomainReading {
  /** Nothing in it is hidden. */
  shown: string
  /** {@link cutInTheMiddle} */
  parts: [start: string, end: string]
  /** All of it as one text. */
  label: string
}

/** What a row tells of its domain, put together once for all of its places. */
export function domainWords(domain: string): DomainWords {
  const [shown, reading] = [visible(domain), readingOf(domain)]
  const label = [shown, reading.unicode, reading.lookalike && lookalikeWords].filter(Boolean).join(' ')
  return { ...reading, shown, parts: cutInTheMiddle(shown), label }
}
