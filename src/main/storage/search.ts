import { domainToUnicode } from 'node:url'
import type { Db } from './sqlite.ts'

/** Of {@link MATCHES}. */
export interface Sought {
  /** The first word, as a pattern. */
  search: string | null
  /** Those of further words, as JSON. */
  more: string | null
}

/** LIKE ignores case. An international domain is also compared as people write it. */
const CONTAINS = (pattern: string) => String.raw`(domain LIKE ${pattern} ESCAPE '\'
  OR (domain LIKE '%xn--%' OR octet_length(domain) > length(domain))
    AND as_written(domain) LIKE ${pattern} ESCAPE '\')`

/** Each word is somewhere in the domain. Null where anything matches: the whole list needs no look at each domain. */
export const MATCHES = `(@search IS NULL OR ${CONTAINS('@search')})
  AND (@more IS NULL OR NOT EXISTS (SELECT 1 FROM json_each(@more) WHERE NOT ${CONTAINS('value')}))`

/** Has a database know what {@link MATCHES} asks for. */
export function prepareSearch(db: Db): void {
  db.function('as_written', { deterministic: true }, asWritten)
}

/** What is typed into the search of the list. */
export function sought(text: string): Sought {
  const [search = null, ...more] = text.match(/\S+/g)?.map(patternOf) ?? []
  return {
    search,
    more: more.length === 0 ? null : JSON.stringify(more),
  }
}

const patternOf = (word: string): string => `%${asTyped(word).replaceAll(/[%_\\]/g, '\\$&')}%`

const asTyped = (word: string): string =>
  /^[\x20-\x7e]*$/.test(word) || /[/?#@:%\\]/.test(word) ? word.toLowerCase() : asWritten(word)

/** As people write it, mapped as in domains (UTS 46); a part of one may be none by itself. */
const asWritten = (domain: string): string => domainToUnicode(domain) || domain.normalize('NFKC').toLowerCase()
