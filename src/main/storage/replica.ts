import { z } from 'zod'
import { accountViewSchema } from '../../shared/account.ts'
import { ok } from '../../shared/result.ts'
import { someDomainsSchema, type WebsiteRecord } from '../../shared/website.ts'
import type { OutboxStore } from '../outbox/ports.ts'
import { noteListed } from '../outbox/late-writes/seen.ts'
import type { ReplicaStore } from '../replica/ports.ts'
import { alsoDeleted, changedElsewhere, readElsewhere } from './elsewhere.ts'
import { readJson } from './json.ts'
import { UNCREATED_RANK } from './schema.ts'
import { reading, transact, type Db } from './sqlite.ts'

type Acknowledging = Pick<OutboxStore, 'acknowledge' | 'acknowledgeDelete' | 'hasCompleteSnapshot'>

/** `text`: the record, as a row has it. */
interface Placed {
  record: WebsiteRecord
  text: string
  rank: number
}

/** What is written of a website; `record`: as text. */
interface Row {
  key: string
  id: string
  rank: number
  domain: string
  record: string
}

interface Known extends Omit<Row, 'id'> {
  elsewhere: string | null
}

/** What was read and acknowledged of the service (docs/sync.md#refresh-during-replay). */
export function replicaStore(
  db: Db,
  edits: Pick<OutboxStore, 'straysOf' | 'saveStray' | 'editsOf' | 'saveEdit'>,
  newKey: () => string,
): Omit<ReplicaStore, 'read'> & Acknowledging {
  const byId = db.prepare<[string], Known>('SELECT key, record, rank, domain, elsewhere FROM website WHERE id = ?')
  const ranked = db
    .prepare<[number, number, number], [string, number, string]>(
      'SELECT id, rank, record FROM website WHERE rank BETWEEN ? AND ? AND id IS NOT NULL LIMIT ?',
    )
    .raw()
  const byKey = db.prepare<[string], { id: string | null; domain: string }>(
    'SELECT id, domain FROM website WHERE key = ?',
  )
  const creating = db.prepare<[string], { key: string }>(
    `SELECT key FROM website WHERE domain = ? AND id IS NULL AND EXISTS (
       SELECT 1 FROM edit WHERE website = key AND kind = 'create' AND state IN ('sending', 'inDoubt'))`,
  )
  const insert = db.prepare<Row>(
    'INSERT INTO website (key, id, rank, domain, record) VALUES (@key, @id, @rank, @domain, @record)',
  )
  const update = db.prepare<Row>(
    'UPDATE website SET id = @id, rank = @rank, domain = @domain, record = @record WHERE key = @key',
  )
  const setRecord = db.prepare<[string, string]>('UPDATE website SET record = ? WHERE key = ?')
  const newest = db.prepare<[], { rank: number }>(
    'SELECT coalesce(max(rank), 0) + 1 AS rank FROM website WHERE id IS NOT NULL',
  )
  const adoptEdits = db.prepare<[string, string]>('UPDATE edit SET website = ? WHERE website = ?')
  const adoptStrays = db.prepare<[string, string]>('UPDATE stray SET website = ? WHERE website = ?')
  const adoptHistory = db.prepare<[string, string]>('UPDATE history SET website = ? WHERE website = ?')
  const note = db.prepare<[string | null, string]>('UPDATE website SET elsewhere = ? WHERE key = ?')
  const unnoteAll = db.prepare('UPDATE website SET elsewhere = NULL WHERE elsewhere IS NOT NULL')
  const remove = db.prepare<[string]>('DELETE FROM website WHERE key = ?')
  const unedited = db.prepare<[], { key: string; id: string }>(
    `SELECT key, id FROM website WHERE id IS NOT NULL
     AND NOT EXISTS (SELECT 1 FROM edit WHERE edit.website = website.key) ORDER BY rank`,
  )
  const ids = db.prepare<[], string>('SELECT id FROM website WHERE id IS NOT NULL').pluck()
  const edited = db.prepare<[string], { n: number }>('SELECT count(*) AS n FROM edit WHERE website = ?')
  const getMeta = db.prepare<[string], { value: string }>('SELECT value FROM meta WHERE name = ?')
  const setMeta = db.prepare<[string, string]>(
    'INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  )
  /** What can't be read is as if it had never been noted: a run begins anew, the next one completes it. */
  const meta = <T>(name: string, schema: z.ZodType<T>): T | null => {
    const row = getMeta.get(name)
    return row === undefined ? null : (schema.safeParse(readJson(row.value)).data ?? null)
  }
  const removeMeta = db.prepare<[string]>('DELETE FROM meta WHERE name = ?')
  const completeAt = () => meta('completeAt', z.number())
  const deletedElsewhere = () => meta('deletedElsewhere', someDomainsSchema)

  // No read outlives the process, so neither need the marks that it's compared with, nor what a run has come across: a
  // website that is as it was costs no write.
  let now = 0
  let latest = 0
  const seen = new Set<string>()
  const acknowledgedAt = new Map<string, number>()
  const isStale = (id: string, mark: number) => (acknowledgedAt.get(id) ?? -1) >= mark

  /**
   * What may not be here as it was read. A page has its websites one after another, and so have the rows: mostly one look
   * tells of all of them. Of what is left each is looked at by itself.
   */
  function newsOf(read: Placed[]): Placed[] {
    const ranks = read.map(({ rank }) => rank)
    const rows = ranked.all(Math.min(...ranks), Math.max(...ranks), 2 * read.length)
    const kept = new Map(rows.map(([id, rank, text]) => [id, { rank, text }]))
    return read.filter(({ record, text, rank }) => {
      const there = kept.get(record.id)
      return there?.rank !== rank || there.text !== text
    })
  }

  /** What keeps its place in the list is written without the list's indexes. */
  function put(known: Known | undefined, row: Row): void {
    const stays = known?.key === row.key && known.rank === row.rank && known.domain === row.domain
    if (stays) setRecord.run(row.record, row.key)
    else update.run(row)
  }

  function saveRead({ record, text, rank }: Placed, at: number | undefined): string | null {
    const known = byId.get(record.id)
    if (known === undefined) {
      // Ours, on its way: its acknowledgement brings it in under the key that it has already.
      if (creating.get(record.domain) !== undefined) return null
      const key = newKey()
      insert.run({ key, id: record.id, rank, domain: record.domain, record: text })
      // In the first reading everything is new.
      if (at !== undefined && completeAt() !== null) note.run(JSON.stringify({ what: 'added', at }), key)
      return key
    }
    if (known.record === text && known.rank === rank) return null
    put(known, { key: known.key, id: record.id, rank, domain: record.domain, record: text })
    // What a request of ours that is out, or may still land, has changed is no doing of others.
    const mayBeOurs = noteListed(edits, known.key, record)
    if (at !== undefined && !mayBeOurs) {
      const noted = known.elsewhere === null ? null : readElsewhere(known.elsewhere)
      const theirs = changedElsewhere(readJson(known.record), record, at, noted)
      if (theirs !== null) note.run(JSON.stringify(theirs), known.key)
    }
    return known.record === text ? null : known.key
  }

  return {
    mark: () => now,
    beginRun: () =>
      transact(db, () => {
        seen.clear()
        return ok(++latest)
      }),
    savePage({ run, mark, position, at, websites }) {
      const placed = (id: string, index: number) =>
        rankOf(id) ?? (position === null ? (byId.get(id)?.rank ?? 0) : position + index)
      const news = reading(() => {
        const read = websites.map((record, index) => ({
          record,
          text: JSON.stringify(record),
          rank: placed(record.id, index),
        }))
        return ok(newsOf(read.filter(({ record }) => !isStale(record.id, mark))))
      })
      if (!news.ok) return news
      const write = () => ok(news.value.map((each) => saveRead(each, at)).filter((key) => key !== null))
      // Mostly all of it is as it was: then no write is begun.
      const saved = news.value.length === 0 && !db.readonly ? ok([]) : transact(db, write)
      if (saved.ok && run === latest) for (const { id } of websites) if (!isStale(id, mark)) seen.add(id)
      return saved
    },
    missing(run) {
      const isMissing = (id: string) => !seen.has(id)
      if (run !== latest || !ids.all().some(isMissing)) return []
      return unedited.all().filter(({ id }) => isMissing(id))
    },
    removeMissing: (key, mark) =>
      transact(db, () => {
        const { id = null, domain = '' } = byKey.get(key) ?? {}
        if (id === null || isStale(id, mark) || (edited.get(key)?.n ?? 0) > 0) return ok(false)
        // A delete that the person took back may be what has removed it: whoever looks for that tells them.
        if (edits.straysOf(key).some(({ kind }) => kind === 'delete')) return ok(false)
        remove.run(key)
        setMeta.run('deletedElsewhere', JSON.stringify(alsoDeleted(deletedElsewhere(), domain)))
        return ok(true)
      }),
    lookedAt: (key) =>
      transact(db, () => {
        note.run(null, key)
        return ok(undefined)
      }),
    allLookedAt: () =>
      transact(db, () => {
        unnoteAll.run()
        removeMeta.run('deletedElsewhere')
        return ok(undefined)
      }),
    completeRun: (run, seenAt) =>
      transact(db, () => {
        if (run === latest) setMeta.run('completeAt', JSON.stringify(seenAt))
        return ok(undefined)
      }),
    completeAt,
    deletedElsewhere,
    hasCompleteSnapshot: () => completeAt() !== null,
    account: () => meta('account', accountViewSchema),
    saveAccount: (account, seenAt) =>
      transact(db, () => {
        setMeta.run('account', JSON.stringify({ account, seenAt }))
        return ok(undefined)
      }),
    acknowledge(key, record) {
      const other = byId.get(record.id)
      if (other !== undefined && other.key !== key) {
        // A refresh met it first, as a stranger: it's the same website, and what was edited there goes on here.
        adoptEdits.run(key, other.key)
        adoptStrays.run(key, other.key)
        adoptHistory.run(key, other.key)
        remove.run(other.key)
      }
      const rank = rankOf(record.id) ?? other?.rank ?? newest.get()?.rank ?? 1
      put(other, { key, id: record.id, rank, domain: record.domain, record: JSON.stringify(record) })
      // What is acknowledged during a run counts as seen in it.
      seen.add(record.id)
      acknowledgedAt.set(record.id, now++)
    },
    acknowledgeDelete(key) {
      const id = byKey.get(key)?.id
      remove.run(key)
      if (id != null) acknowledgedAt.set(id, now++)
    },
  }
}

/** The "date created" order of a numeric id is the number itself. */
function rankOf(id: string): number | null {
  if (!/^\d{1,15}$/.test(id)) return null
  const number = Number(id)
  return number < UNCREATED_RANK ? number : null
}
