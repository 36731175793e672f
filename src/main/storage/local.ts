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

/** Stores the tags, and the tags and the note of each website, by its domain. */
export interface TagsAndNotesStore {
  /** Returns the readable tags in the order in which they were made. Errors: `storage`. */
  tags(): Result<Tag[]>
  /** Returns the readable tags and notes of all domains, or of the given ones that have any. Errors: `storage`. */
  localWebsites(domains?: readonly string[]): Result<DomainTagsAndNote[]>
  /** True if a domain has a note. Errors: `storage`. */
  hasNotes(): Result<boolean>
  /** True if there is a tag, or a domain has tags or a note. Errors: `storage`. */
  hasLocal(): Result<boolean>
  /** Stores all tags, if given, and the tags and notes of some domains. Errors: `disk-full`, `storage`, `newer-version`. */
  saveLocal(changes: { tags?: readonly Tag[]; websites?: readonly DomainTagsAndNote[] }): Result<void>
  /**
   * Adds the tags and the note of the domain `from` to those of `to`. Removes both from `from` unless another website has that
   * domain; then a note of `to` stays as it is. If an earlier move has added to the tags or the note that `from` already had,
   * and nothing was changed since, only the added part moves on. Throws errors of SQLite.
   */
  moveLocal(from: string, to: string): void
  /**
   * Removes the tags and notes of domains that have not been in the list for 30 days, counted from the first sweep that missed
   * them. `now` is in milliseconds since 1970; null if the time is not certain: then nothing is removed, and the count only ends
   * for domains that are listed again. Errors: `disk-full`, `storage`, `newer-version`.
   */
  sweepLocal(now: number | null): Result<void>
}

/** The time for which tags and notes outlive their website, in milliseconds. */
const KEPT_FOR = 30 * 24 * 60 * 60 * 1000
/** Prefix of the names of notes about a domain, and a name that sorts directly after all of them. */
const [DOMAIN_PREFIX, AFTER_DOMAINS] = ['local_', 'local`']
/** SQL condition: the note has the tags and the note of a domain. */
const IS_TAGS_AND_NOTE = `name >= '${DOMAIN_PREFIX}' AND name < '${AFTER_DOMAINS}'`
/**
 * SQL expression: the time of the refresh that first missed the domain, in milliseconds since 1970; null while the domain is
 * listed.
 */
const GONE_AT = `CASE WHEN json_valid(value) THEN value ->> '$.goneAt' END`
/** SQL expression: the text of the user's note about the domain. */
const NOTE = `CASE WHEN json_valid(value) THEN value ->> '$.note' END`
/** SQL condition: a website of the list has the domain. */
const HAS_LISTED_DOMAIN = `EXISTS (SELECT 1 FROM website WHERE domain = substr(name, ${DOMAIN_PREFIX.length + 1}))`

const storedSchema = websiteLocalDataSchema.extend({
  goneAt: z.number().optional(),
  /** The part that the domain had before a move, and the part that was moved to it. */
  joined: z.object({ own: websiteLocalDataSchema, moved: websiteLocalDataSchema }).optional(),
})

const NOTHING: z.infer<typeof storedSchema> = { tags: [], note: '' }

/** Returns both notes as one, cut to the length of a stored note. */
const joinedNotes = (first = '', second: string): string =>
  [first, second].filter(Boolean).join('\n').slice(0, MAX_STORED_NOTE)

/**
 * Stores the tags and the note of each domain in a value of its own in the table `meta`, which is also restored from a damaged
 * file.
 */
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
      // A service that spells the domain differently changes nothing about the website, so all of it moves.
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
        if (now !== null) expire.run(now - KEPT_FOR)
        for (const { name, value } of moved.all()) {
          const { goneAt, ...found } = read(readJson(value)) ?? NOTHING
          if (goneAt !== undefined) notes.set(name, found)
          else if (now !== null) notes.set(name, { ...found, goneAt: now })
        }
        return ok(undefined)
      }),
  }
}
