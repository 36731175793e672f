import { z } from 'zod'
import { tagSchema, websiteLocalDataSchema, type Tag, type WebsiteLocalData } from '../../shared/local-data.ts'
import { compareNames } from '../../shared/display/format.ts'
import { ok, type Result } from '../../shared/result.ts'
import { comparableDomain } from '../../shared/domain.ts'
import { readJson } from '../../shared/json.ts'
import { MAX_STORED_NOTE } from '../../shared/tags.ts'
import { notesIn } from './notes.ts'
import { runRead, transact, type Db } from './sqlite.ts'

/** The tags and the note of a domain. */
export type DomainTagsAndNote = WebsiteLocalData & { domain: string }

/** The tags that the user has made, and the tags and the note of each website, by domain. */
export interface TagsAndNotesStore {
  /** Returns the readable tags in the order in which they were made. Errors: `storage`. */
  tags(): Result<Tag[]>
  /** Returns the readable tags and notes of all domains, or of those given domains that have any. Errors: `storage`. */
  localWebsites(domains?: readonly string[]): Result<DomainTagsAndNote[]>
  /** Errors: `storage`. */
  hasNotes(): Result<boolean>
  /** True if there is a tag, or tags or a note of a domain. Errors: `storage`. */
  hasLocal(): Result<boolean>
  /** Replaces the list of all tags if it is given. Errors: `disk-full`, `storage`, `newer-version`. */
  saveLocal(changes: { tags?: readonly Tag[]; websites?: readonly DomainTagsAndNote[] }): Result<void>
  /**
   * Adds the tags and the note of the domain `from` to those of `to`, and removes them from `from`. If another website still has
   * the domain `from`, copies the tags and the note instead, and keeps a note of `to`. If an earlier move has added to the tags and
   * the note of `from` and nothing was changed since, only the added part moves on. Throws errors of SQLite.
   */
  moveLocal(from: string, to: string): void
  /**
   * Removes the tags and notes of domains that have not been in the list for 30 days since the first sweep that missed them.
   * `now`: milliseconds since 1970; null if the time is not certain, and then nothing is removed. Errors: `disk-full`, `storage`,
   * `newer-version`.
   */
  sweepLocal(now: number | null): Result<void>
}

/** Tags and notes outlive their website by this long. */
const KEPT_FOR_MS = 30 * 24 * 60 * 60 * 1000
/** Prefix of the names under which the values of domains are stored, and a name that sorts directly after all of them. */
const [DOMAIN_PREFIX, AFTER_DOMAINS] = ['local_', 'local`']
/** SQL condition: the row of `meta` has the tags and the note of a domain. */
const IS_TAGS_AND_NOTE = `name >= '${DOMAIN_PREFIX}' AND name < '${AFTER_DOMAINS}'`
/** SQL expression: when a refresh first missed the domain, in milliseconds since 1970; null while the domain is listed. */
const GONE_AT = `CASE WHEN json_valid(value) THEN value ->> '$.goneAt' END`
/** SQL expression: the note in a stored value; null if it can't be read. */
const NOTE = `CASE WHEN json_valid(value) THEN value ->> '$.note' END`
/** SQL condition: a website in the list has the domain. */
const HAS_LISTED_DOMAIN = `EXISTS (SELECT 1 FROM website WHERE domain = substr(name, ${DOMAIN_PREFIX.length + 1}))`

const storedSchema = websiteLocalDataSchema.extend({
  goneAt: z.number().optional(),
  /** The data of the domain before a move, and those that were moved to it. */
  joined: z.object({ own: websiteLocalDataSchema, moved: websiteLocalDataSchema }).optional(),
})

const NOTHING: z.infer<typeof storedSchema> = { tags: [], note: '' }

/** Cuts the joined note to the maximum length of a stored note. */
const joinedNotes = (first = '', second: string): string =>
  [first, second].filter(Boolean).join('\n').slice(0, MAX_STORED_NOTE)

/** Stores tags and note of each domain as a value of its own in the table `meta`, which is also restored from a damaged file. */
export function tagsAndNotesStore(
  db: Db,
): TagsAndNotesStore & { localOf: (domain: string) => WebsiteLocalData | null } {
  const notes = notesIn(db, 'meta')
  const all = db.prepare<[], { name: string; value: string }>(`SELECT name, value FROM meta WHERE ${IS_TAGS_AND_NOTE}`)
  const anyNote = db
    .prepare<[], 0 | 1>(`SELECT EXISTS (SELECT 1 FROM meta WHERE ${IS_TAGS_AND_NOTE} AND ${NOTE} <> '')`)
    .pluck()
  const anyLocal = db.prepare<[], 0 | 1>(`SELECT EXISTS (SELECT 1 FROM meta WHERE ${IS_TAGS_AND_NOTE})`).pluck()
  const moved = db.prepare<[], { name: string; value: string }>(
    `SELECT name, value FROM meta WHERE ${IS_TAGS_AND_NOTE} AND (${GONE_AT}) IS NULL <> ${HAS_LISTED_DOMAIN}`,
  )
  const expire = db.prepare<[number]>(
    `DELETE FROM meta WHERE ${IS_TAGS_AND_NOTE} AND (${GONE_AT}) < ? AND NOT ${HAS_LISTED_DOMAIN}`,
  )
  const hasDomain = db.prepare<[string]>('SELECT 1 FROM website WHERE domain = ?')
  const put = ({ domain, tags, note }: DomainTagsAndNote): void => {
    if (tags.length === 0 && note === '') notes.remove(DOMAIN_PREFIX + domain)
    else notes.set(DOMAIN_PREFIX + domain, { tags, note })
  }
  const read = (value: unknown) => storedSchema.safeParse(value).data
  const localIn = (domain: string, value: unknown): DomainTagsAndNote[] => {
    const found = read(value)
    return found ? [{ domain, tags: found.tags, note: found.note }] : []
  }
  const readTags = (): Tag[] => z.array(tagSchema).safeParse(notes.get('tags')).data ?? []
  return {
    localOf(domain) {
      // An error counts as no tags and no note, so that the list can still be shown.
      const found = runRead(() => ok(read(notes.get(DOMAIN_PREFIX + domain))))
      return found.ok && found.value ? { tags: found.value.tags, note: found.value.note } : null
    },
    tags: () => runRead(() => ok(readTags())),
    localWebsites: (domains) =>
      runRead(() =>
        ok(
          domains === undefined
            ? all.all().flatMap(({ name, value }) => localIn(name.slice(DOMAIN_PREFIX.length), readJson(value)))
            : domains.flatMap((domain) => localIn(domain, notes.get(DOMAIN_PREFIX + domain))),
        ),
      ),
    hasNotes: () => runRead(() => ok(anyNote.get() === 1)),
    hasLocal: () => runRead(() => ok(readTags().length > 0 || anyLocal.get() === 1)),
    saveLocal: ({ tags, websites = [] }) =>
      transact(db, () => {
        if (tags) notes.set('tags', tags)
        websites.forEach(put)
        return ok(undefined)
      }),
    moveLocal(from, to) {
      const [found, own] = [from, to].map((domain) => read(notes.get(DOMAIN_PREFIX + domain)))
      if (from === to || (found === undefined && own === undefined)) return
      // If only the spelling of the domain has changed, it is the same website, so all of its tags and its note move.
      const joined = comparableDomain(from) === comparableDomain(to) ? undefined : found?.joined
      const { tags, note } = joined?.moved ?? found ?? NOTHING
      const isKept = joined === undefined && hasDomain.get(from) !== undefined
      const ownTags = own?.tags ?? []
      const both = {
        tags: [...ownTags, ...tags.filter((tag) => !ownTags.includes(tag))].toSorted(compareNames),
        note: own?.note && (isKept || note === own.note) ? own.note : joinedNotes(own?.note, note),
      }
      if (own === undefined) put({ domain: to, ...both })
      else
        notes.set(DOMAIN_PREFIX + to, {
          ...both,
          joined: { own: { tags: own.tags, note: own.note }, moved: { tags, note } },
        })
      if (joined !== undefined) put({ domain: from, ...joined.own })
      else if (!isKept && found !== undefined) notes.remove(DOMAIN_PREFIX + from)
    },
    sweepLocal: (now) =>
      transact(db, () => {
        if (now !== null) expire.run(now - KEPT_FOR_MS)
        for (const { name, value } of moved.all()) {
          const { goneAt, ...found } = read(readJson(value)) ?? NOTHING
          if (goneAt !== undefined) notes.set(name, found)
          else if (now !== null) notes.set(name, { ...found, goneAt: now })
        }
        return ok(undefined)
      }),
  }
}
