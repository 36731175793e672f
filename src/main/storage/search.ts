import { domainToUnicode } from 'node:url'
import type { Db } from './sqlite.ts'

/** Of {@link MATCHES}. */
export interface Sought {
  /** The first word, as a pattern. */
  search: string | null
  /** Those of further words, as JSON. */
  more: string | null
  /** 1: international domains are looked at as people write them too; it takes its time. */
  written: 0 | 1
}

/** LIKE takes letters of either case without a copy of the domain in small ones, which takes five times as long. */
const CONTAINS = (pattern: string) => String.raw`(domain LIKE ${pattern} ESCAPE '\'
  OR @written AND (domain LIKE '%xn--%' OR octet_length(domain) > length(domain))
    AND as_written(domain) LIKE ${pattern} ESCAPE '\')`

/** Each word is somewhere in the domain. Null where anything matches: the whole list needs no look at each domain. */
export const MATCHES = `(@search IS NULL OR ${CONTAINS('@search')})
  AND (@more IS NULL OR NOT EXISTS (SELECT 1 FROM json_each(@more) WHERE NOT ${CONTAINS('value')}))`

/** Has a database know what {@link MATCHES} asks for. */
export function prepareSearch(db: Db): void {
  /** To decode one takes longer than all else about it, and each key in the search asks for it again. */
  const known = new Map<string, string>()
  db.function('as_written', { deterministic: true }, (domain: string) => {
    const written = known.get(domain) ?? asWritten(domain)
    known.set(domain, written)
    return written
  })
}

/** Within a label what is ASCII stays together in `xn--…` as well; what goes beyond one doesn't. */
const READS_OTHERWISE = /[^\x20-\x7e]|\./

/** What is typed into the search of the list. */
export function sought(text: string): Sought {
  const [search = null, ...more] = text.match(/\S+/g)?.map(patternOf) ?? []
  return {
    search,
    more: more.length === 0 ? null : JSON.stringify(more),
    written: READS_OTHERWISE.test(text) ? 1 : 0,
  }
}

const patternOf = (word: string): string => `%${asTyped(word).replaceAll(/[%_\\]/g, '\\$&')}%`

const asTyped = (word: string): string =>
  /^[\x20-\x7e]*$/.test(word) || /[/?#@:%\\]/.test(word) ? word.toLowerCase() : asWritten(word)

/** As people write it, mapped as in domains (UTS 46); a part of one may be none by itself. */
const asWritten = (domain: string): string => domainToUnicode(domain) || domain.normalize('NFKC').toLowerCase()
