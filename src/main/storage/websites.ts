import { domainToUnicode } from 'node:url'
import { comparableDomain } from '../../shared/domain.ts'
import { websiteRecordSchema, type WebsiteRecord } from '../../shared/website.ts'
import { readJson } from '../../shared/json.ts'
import type { Website, WebsiteStore } from '../outbox/ports.ts'
import type { ViewStore } from '../replica/ports.ts'
import { IS_OTHER_SPELLING, UNCREATED_RANK } from './schema.ts'
import { MATCHES, registerSearchFunction, searchPatterns, type SearchPatterns } from './search.ts'
import type { Db } from './sqlite.ts'

interface WebsiteRow {
  key: string
  id: string | null
  domain: string
  record: string | null
}

/**
 * SQL condition: the list leaves the row out, because the row of a pending create stands for the same website. A website with
 * edits of its own keeps its row.
 */
const IS_HIDDEN = `(domain IN (SELECT domain FROM website WHERE id IS NULL)
  AND key NOT IN (SELECT key FROM website WHERE id IS NULL)
  AND key NOT IN (SELECT website FROM edit))`
const IS_SHOWN = `NOT ${IS_HIDDEN}`

const COLUMNS = 'key, id, domain, record'
const ORDERS = {
  id: { asc: 'rank, domain, key', desc: 'rank DESC, domain DESC, key DESC' },
  domain: { asc: 'domain, key', desc: 'domain DESC, key DESC' },
} as const

export function websiteStore(
  db: Db,
  editsOf: ViewStore['editsOf'],
): WebsiteStore & Omit<ViewStore, 'read' | 'localOf'> {
  registerSearchFunction(db)
  const byKey = db.prepare<[string], WebsiteRow>(`SELECT ${COLUMNS} FROM website WHERE key = ?`)
  const byDomain = db.prepare<[string], WebsiteRow>(`SELECT ${COLUMNS} FROM website WHERE domain = ?`)
  const byOtherSpelling = db.prepare<string[], WebsiteRow>(
    `SELECT ${COLUMNS} FROM website WHERE ${IS_OTHER_SPELLING} AND lower(domain) IN (?, ?, ?, ?) AND domain <> ?`,
  )
  const byId = db.prepare<[string], WebsiteRow>(`SELECT ${COLUMNS} FROM website WHERE id = ?`)
  // The inner query reads one index entry. Without it, SQLite would scan the whole list.
  const add = db.prepare<[string, string]>(
    `INSERT INTO website (key, domain, rank)
     VALUES (?, ?, 1 + max(${UNCREATED_RANK}, coalesce((SELECT max(rank) FROM website), 0)))`,
  )
  const rename = db.prepare<[string, string]>('UPDATE website SET domain = ? WHERE key = ? AND id IS NULL')
  const remove = db.prepare<[string]>('DELETE FROM website WHERE key = ?')
  const matching = db.prepare<SearchPatterns, { n: number }>(
    `SELECT count(*) AS n FROM website WHERE ${MATCHES} AND ${IS_SHOWN}`,
  )
  // Hidden rows are few and found by their domain, so it is faster to count them than the shown rows.
  const total = db
    .prepare<[], number>(`SELECT (SELECT count(*) FROM website) - (SELECT count(*) FROM website WHERE ${IS_HIDDEN})`)
    .pluck()
  // Only the rows of one page are read. The index is enough to skip those before it.
  const select = (order: string) =>
    db.prepare<SearchPatterns & { limit: number; offset: number }, WebsiteRow>(
      `SELECT ${COLUMNS} FROM website WHERE key IN (
         SELECT key FROM website WHERE ${MATCHES} AND ${IS_SHOWN} ORDER BY ${order} LIMIT @limit OFFSET @offset
       ) ORDER BY ${order}`,
    )
  const selectKeys = (order: string) =>
    db
      .prepare<SearchPatterns, string>(`SELECT key FROM website WHERE ${MATCHES} AND ${IS_SHOWN} ORDER BY ${order}`)
      .pluck()
  const inEachOrder = <T>(make: (order: string) => T) => ({
    id: { asc: make(ORDERS.id.asc), desc: make(ORDERS.id.desc) },
    domain: { asc: make(ORDERS.domain.asc), desc: make(ORDERS.domain.desc) },
  })
  const lists = inEachOrder(select)
  const keyLists = inEachOrder(selectKeys)
  const domains = db.prepare<[], { key: string; domain: string }>(
    `SELECT key, domain FROM website WHERE ${IS_SHOWN}
       AND key NOT IN (SELECT website FROM edit WHERE kind = 'delete') ORDER BY ${ORDERS.domain.asc}`,
  )
  const facts = db.prepare<[string], { domain: string; record: string | null; edited: number }>(
    `SELECT domain, record, EXISTS (SELECT 1 FROM edit WHERE website = key) AS edited FROM website WHERE key = ?`,
  )
  const changes = db.prepare<[], number>('SELECT total_changes()').pluck()
  const countAll = () => total.get() ?? 0
  return {
    website(key) {
      const row = byKey.get(key)
      return row === undefined ? null : toWebsite(row)
    },
    websitesOfDomain: (domain) => byDomain.all(domain).map(toWebsite),
    websitesOfAnySpelling(domain) {
      const ascii = comparableDomain(domain)
      const names = [ascii, domainToUnicode(ascii)].flatMap((name) => [name, `www.${name}`])
      return [...byDomain.all(ascii), ...byOtherSpelling.all(...names, ascii)].map(toWebsite)
    },
    websiteOfId(id) {
      const row = byId.get(id)
      return row === undefined ? null : toWebsite(row)
    },
    addWebsite: (key, domain) => void add.run(key, domain),
    renameWebsite: (key, domain) => void rename.run(domain, key),
    removeWebsite: (key) => void remove.run(key),
    websites: (query, offset, limit) =>
      lists[query.sort_by][query.sort].all({ ...searchPatterns(query.search), limit, offset }).map(toWebsite),
    keys: ({ sort_by, sort, search }) => keyLists[sort_by][sort].all(searchPatterns(search)),
    domains: () => domains.all(),
    facts(key) {
      const row = facts.get(key)
      return row === undefined
        ? null
        : {
            domain: row.domain,
            facts: row.record === null ? {} : (readRecord(row.record) ?? {}),
            edited: row.edited === 1,
          }
    },
    changes: () => changes.get() ?? 0,
    matching: (search) => (search.trim() === '' ? countAll() : (matching.get(searchPatterns(search))?.n ?? 0)),
    total: countAll,
    editsOf,
  }
}

const toWebsite = ({ key, id, domain, record }: WebsiteRow): Website => ({
  key,
  id,
  domain,
  record: record === null ? null : readRecord(record),
})

/** Returns null if the text is damaged. The next refresh then reads the website again. */
export function readRecord(text: string): WebsiteRecord | null {
  return websiteRecordSchema.safeParse(readJson(text)).data ?? null
}
