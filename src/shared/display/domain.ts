import { toUnicode } from 'punycode/'
import { m } from '../../messages/index.ts'
import { isolateText, RIGHT_TO_LEFT, revealHidden } from './visible.ts'

/** The number of letters at the end of a shortened domain that stay visible, because long domains may differ only there. */
const KEPT_AT_END = 12
/** If a label or word begins `min` to `max` letters before the end of the domain, the visible end begins there. */
const KEPT_LABEL = { min: 8, max: 16 } as const
/** Only longer domains are split. */
const MAX_UNSPLIT = 20
/** Combining marks and the second halves of surrogate pairs, which must stay with the character before them. */
const CONTINUES_LETTER = /[\p{M}\udc00-\udfff]/u

/** Splits a domain for display. The layout may shorten the first part only. The second is empty if the domain is short. */
export function splitForEllipsis(shown: string): [start: string, end: string] {
  // A domain in a right-to-left script is not split, because the two halves would swap places.
  if (shown.length <= MAX_UNSPLIT || RIGHT_TO_LEFT.test(shown)) return [shown, '']
  const tail = shown.slice(-KEPT_LABEL.max)
  const word = tail.length - Math.max(0, tail.search(/[.-]/))
  const end = word >= KEPT_LABEL.min && word < KEPT_LABEL.max ? word : KEPT_AT_END
  let at = shown.length - end
  while (CONTINUES_LETTER.test(shown[at] ?? '')) at -= 1
  return [shown.slice(0, at), shown.slice(at)]
}

/** The scripts in which a label may be shown, besides those of {@link CJK}. */
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
/** Matches a letter of the Chinese, Japanese and Korean scripts, which one label may mix. */
const CJK = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u30fc]$/u
const scriptTests = SCRIPTS.map((name) => new RegExp(`^\\p{Script=${name}}$`, 'u'))

/** Lower-case letters of other scripts that look like Latin ones. A label made of these alone imitates a Latin label. */
const LIKE_LATIN = /^[асԁеһіјӏоррԛѕтѵѡхузαινορυχωօսքհո]+$/u

/** The Unicode form of a domain if it may be shown, and whether the domain imitates another one. */
export interface DomainReading {
  unicode?: string
  lookalike: boolean
}

/**
 * Returns how an international domain (`xn--…`) reads. The Unicode form is given only if each label is of one script and
 * is not made of letters that look like Latin ones. Otherwise the domain is reported as a lookalike. A domain with a malformed
 * label gets neither.
 */
export function readingOf(domain: string): DomainReading {
  if (/[^\x20-\x7e]/.test(domain)) {
    // A domain with hidden characters is no lookalike, because they are shown as codes.
    return { lookalike: revealHidden(domain) === domain && !domain.toLowerCase().split('.').every(isUnambiguousLabel) }
  }
  if (!/(^|\.)xn--/i.test(domain)) return { lookalike: false }
  const unicode = unicodeOf(domain)
  if (unicode === null) return { lookalike: false }
  // A Unicode form that does not lead back to the same name is another domain.
  if (!isSameName(unicode, domain) || revealHidden(unicode) !== unicode) return { lookalike: true }
  return unicode.split('.').every(isUnambiguousLabel) ? { unicode, lookalike: false } : { lookalike: true }
}

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

/** True if all letters of a label are of one script, and the label doesn't look like a Latin one. */
function isUnambiguousLabel(label: string): boolean {
  const letters = [...label].filter((letter) => !/[\d-]/.test(letter))
  if (LIKE_LATIN.test(letters.join(''))) return false
  if (letters.every((letter) => CJK.test(letter))) return true
  return scriptTests.some((isOf) => letters.every((letter) => isOf.test(letter)))
}

/** A domain for display. `parts`: `shown`, split where an ellipsis may cut it. */
export interface DisplayDomain extends DomainReading {
  shown: string
  parts: [start: string, end: string]
  /** The text for screen readers: the domain, its Unicode form, and a warning if it is a lookalike. */
  label: string
}

/** Returns the texts with which a domain is shown. */
export function displayDomain(domain: string): DisplayDomain {
  const [shown, reading] = [revealHidden(domain), readingOf(domain)]
  const label = [shown, reading.unicode, reading.lookalike && m.domain_lookalike()].filter(Boolean).join(' ')
  return { ...reading, shown, parts: splitForEllipsis(shown), label }
}

/** Returns a domain for the middle of a sentence. Long domains lose their middle. */
export const shortDomain = (domain: string): string => isolateText(withoutMiddle(domain))

/** Shortens a domain to at most 48 characters by omitting its middle, because domains differ at both ends. */
export function withoutMiddle(domain: string): string {
  const characters = [...domain]
  if (characters.length <= 48) return domain
  return [...characters.slice(0, 26), '…', ...characters.slice(-20)].join('')
}
