import { z } from 'zod'
import { tagSchema, websiteLocalSchema, type WebsiteLocal } from '../../shared/local-data.ts'
import { compareNames } from '../../shared/display/format.ts'
import { ok, type Result } from '../../shared/result.ts'
import type { Tag } from '../../shared/tags.ts'
import { readJson } from './json.ts'
import { notesIn } from './notes.ts'
import { reading, transact, type Db } from './sqlite.ts'

/** The tags and the note of a domain. */
export type LocalOf = WebsiteLocal & { domain: string }

/** Stores the tags, and the tags and the note of each website, by its domain. */
export interface LocalStore {
  /** Returns the readable tags in the order in which they were made. Errors: `storage`. */
  tags(): Result<Tag[]>
  /** Returns the readable tags and notes of all domains. Errors: `storage`. */
  localWebsites(): Result<LocalOf[]>
  /** Stores all tags, if given, and the tags and notes of some domains. Errors: `disk-full`, `storage`, `newer-version`. */
  saveLocal(changes: { tags?: readonly Tag[]; websites?: readonly LocalOf[] }): Result<void>
  /**
   * Adds the tags and the note to those of another domain, and removes them from this one unless another website has it. A note of
   * the other domain stays. Throws errors of SQLite.
   */
  moveLocal(from: string, to: string): void
  /**
   * Removes the tags and notes of domains that have not been in the list for 30 days. `now` is in milliseconds since 1970.
   * Errors: `disk-full`, `storage`, `newer-version`.
   */
  sweepLocal(now: number): Result<void>
}

/** How long tags and notes outlive their website, in milliseconds. */
const KEPT = 30 * 24 * 60 * 60 * 1000
/** Prefix of the names of notes about a domain, and the first name after them. */
const [PREFIX, END] = ['local_', 'local`']
const IS_LOCAL = `name >= '${PREFIX}' AND name < '${END}'`
const GONE_AT = `CASE WHEN json_valid(value) THEN value ->> '$.goneAt' END`
const IS_LISTED = `EXISTS (SELECT 1 FROM website WHERE domain = substr(name, ${PREFIX.length + 1}))`

const storedSchema = websiteLocalSchema.extend({ goneAt: z.number().optional() })

/** Stores each domain in a note of its own. Notes are also restored from a damaged file. */
export function localStore(db: Db): LocalStore & { localOf: (domain: string) => WebsiteLocal | null } {
  const notes = notesIn(db, 'meta')
  const all = db.prepare<[], { name: string; value: string }>(`SELECT name, value FROM meta WHERE ${IS_LOCAL}`)
  const moved = db.prepare<[], { name: string; value: string }>(
    `SELECT name, value FROM meta WHERE ${IS_LOCAL} AND (${GONE_AT}) IS NULL <> ${IS_LISTED}`,
  )
  const expire = db.prepare<[number]>(`DELETE FROM meta WHERE ${IS_LOCAL} AND (${GONE_AT}) < ? AND NOT ${IS_LISTED}`)
  const hasDomain = db.prepare<[string]>('SELECT 1 FROM website WHERE domain = ?')
  const put = ({ domain, tags, note }: LocalOf): void => {
    if (tags.length === 0 && note === '') notes.remove(PREFIX + domain)
    else notes.set(PREFIX + domain, { tags, note })
  }
  const read = (value: unknown) => storedSchema.safeParse(value).data
  return {
    localOf(domain) {
      // The list is shown also if these notes can't be read.
      const found = reading(() => ok(read(notes.get(PREFIX + domain))))
      return found.ok && found.value ? { tags: found.value.tags, note: found.value.note } : null
    },
    tags: () => reading(() => ok(z.array(tagSchema).safeParse(notes.get('tags')).data ?? [])),
    localWebsites: () =>
      reading(() =>
        ok(
          all.all().flatMap(({ name, value }) => {
            const found = read(readJson(value))
            return found ? [{ domain: name.slice(PREFIX.length), tags: found.tags, note: found.note }] : []
          }),
        ),
      ),
    saveLocal: ({ tags, websites = [] }) =>
      transact(db, () => {
        if (tags) notes.set('tags', tags)
        websites.forEach(put)
        return ok(undefined)
      }),
    moveLocal(from, to) {
      const found = read(notes.get(PREFIX + from))
      if (found === undefined || from === to) return
      const own = read(notes.get(PREFIX + to)) ?? { tags: [], note: '' }
      const extra = found.tags.filter((tag) => !own.tags.includes(tag))
      put({ domain: to, tags: [...own.tags, ...extra].toSorted(compareNames), note: own.note || found.note })
      if (hasDomain.get(from) === undefined) notes.remove(PREFIX + from)
    },
    sweepLocal: (now) =>
      transact(db, () => {
        expire.run(now - KEPT)
        for (const { name, value } of moved.all()) {
          const { goneAt, ...found } = read(readJson(value)) ?? { tags: [], note: '' }
          notes.set(name, goneAt === undefined ? { ...found, goneAt: now } : found)
        }
        return ok(undefined)
      }),
  }
}
