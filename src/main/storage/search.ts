import { domainToASCII, domainToUnicode } from 'node:url'
import type { Db } from './sqlite.ts'

/** Parameters of {@link MATCHES}. */
export interface SearchPatterns {
  /** The LIKE pattern of the first word. */
  search: string | null
  /** The patterns of further words, as JSON. */
  more: string | null
}

/** SQL condition: compares a domain with a LIKE pattern, which ignores case, in its stored, its Unicode and its ASCII form. */
const CONTAINS = (pattern: string) => String.raw`(domain LIKE ${pattern} ESCAPE '\'
  OR (domain LIKE '%xn--%' OR octet_length(domain) > length(domain))
    AND spellings(domain) LIKE ${pattern} ESCAPE '\')`

/** SQL condition: the domain contains each word. Without words the parameters are null, and every domain matches. */
export const MATCHES = `(@search IS NULL OR ${CONTAINS('@search')})
  AND (@more IS NULL OR NOT EXISTS (SELECT 1 FROM json_each(@more) WHERE NOT ${CONTAINS('value')}))`

/** Registers the function that {@link MATCHES} uses. */
export function registerSearchFunction(db: Db): void {
  // Joins the Unicode and the ASCII form with a space. A word of the search has no white space, so it can't match across the two.
  db.function(
    'spellings',
    { deterministic: true },
    (domain: string) => `${toUnicodeForm(domain)} ${domainToASCII(domain)}`,
  )
}

/** Returns the patterns for the text of the list's search. */
export function searchPatterns(text: string): SearchPatterns {
  const [search = null, ...more] = text.match(/\S+/g)?.map(patternOf) ?? []
  return {
    search,
    more: more.length === 0 ? null : JSON.stringify(more),
  }
}

/** Returns the LIKE pattern of the domains that contain a word. */
const patternOf = (word: string): string => `%${comparableWord(word).replaceAll(/[%_\\]/g, '\\$&')}%`

/**
 * Returns a word of the search in the form in which it is compared. A word in ASCII, or with a character that no domain has, is
 * only put in lower case. Any other word gets the Unicode form of a domain.
 */
const comparableWord = (word: string): string =>
  /^[\x20-\x7e]*$/.test(word) || /[/?#@:%\\]/.test(word) ? word.toLowerCase() : toUnicodeForm(word)

/** Returns the Unicode form of a domain (UTS 46). Part of a domain may not be a valid domain, and is only normalised. */
const toUnicodeForm = (domain: string): string => domainToUnicode(domain) || domain.normalize('NFKC').toLowerCase()
