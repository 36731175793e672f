import { domainToASCII, domainToUnicode } from 'node:url'
import type { Db } from './sqlite.ts'

/** The words of a search as patterns for SQL. */
export interface SearchPatterns {
  /** LIKE pattern of the first word. */
  search: string | null
  /** LIKE patterns of further words, as JSON. */
  more: string | null
}

/** SQL condition: the domain matches a LIKE pattern, which ignores case, in its stored, its Unicode or its ASCII form. */
const CONTAINS = (pattern: string) => String.raw`(domain LIKE ${pattern} ESCAPE '\'
  OR (domain LIKE '%xn--%' OR octet_length(domain) > length(domain))
    AND spellings(domain) LIKE ${pattern} ESCAPE '\')`

/** SQL condition: the domain contains each word. Without words the parameters are null, and every domain matches. */
export const MATCHES = `(@search IS NULL OR ${CONTAINS('@search')})
  AND (@more IS NULL OR NOT EXISTS (SELECT 1 FROM json_each(@more) WHERE NOT ${CONTAINS('value')}))`

/** Registers the SQL function `spellings`, which {@link MATCHES} uses. */
export function registerSearchFunction(db: Db): void {
  // A space separates the Unicode and the ASCII form: a search word has no white space, so it can't match across the two.
  db.function(
    'spellings',
    { deterministic: true },
    (domain: string) => `${toUnicodeForm(domain)} ${domainToASCII(domain)}`,
  )
}

export function searchPatterns(text: string): SearchPatterns {
  const [search = null, ...more] = text.match(/\S+/g)?.map(patternOf) ?? []
  return {
    search,
    more: more.length === 0 ? null : JSON.stringify(more),
  }
}

const patternOf = (word: string): string => `%${comparableWord(word).replaceAll(/[%_\\]/g, '\\$&')}%`

/** Returns a search word as a domain in Unicode form; if it is ASCII, or can't be part of a domain, only in lower case. */
const comparableWord = (word: string): string =>
  /^[\x20-\x7e]*$/.test(word) || /[/?#@:%\\]/.test(word) ? word.toLowerCase() : toUnicodeForm(word)

/** Uses UTS 46. Part of a domain may be no valid domain, and is only normalized. */
const toUnicodeForm = (domain: string): string => domainToUnicode(domain) || domain.normalize('NFKC').toLowerCase()
