import { z } from 'zod'
import { accountViewSchema } from '../../shared/account.ts'
import { ok } from '../../shared/result.ts'
import { someDomainsSchema, type WebsiteRecord } from '../../shared/website.ts'
import type { OutboxStore } from '../outbox/ports.ts'
import { noteListed } from '../outbox/late-writes/note-read.ts'
import type { ReplicaStore } from '../replica/ports.ts'
import { withDeleted, withRemoteChange, readRemoteChange } from './remote-changes.ts'
import { readJson } from './json.ts'
import { notesIn } from './notes.ts'
import { UNCREATED_RANK } from './schema.ts'
import { transact, type Db } from './sqlite.ts'

type Acknowledging = Pick<
  OutboxStore,
  'acknowledge' | 'acknowledgeDelete' | 'noteRemote' | 'hasCompleteSnapshot' | 'timeOffset' | 'saveTimeOffset'
>

/** A record that was read, with its JSON and its rank. */
interface Placed {
  record: WebsiteRecord
  text: string
  rank: number
}

/** The columns of a website that are written. `record` is JSON. */
interface Row {
  key: string
  id: string
  rank: number
  domain: string
  record: string
}

interface Known extends Omit<Row, 'id'> {
  remote_change: string | null
}

/** Stores the records that the service returned and acknowledged (docs/sync.md#refresh-during-replay). */
export function replicaStore(
  db: Db,
  edits: Pick<OutboxStore, 'lateWritesOf' | 'saveLateWrite' | 'editsOf' | 'saveEdit'>,
  newKey: () => string,
): Omit<ReplicaStore, 'read'> & Acknowledging {
  const byId = db.prepare<[string], Known>('SELECT key, record, rank, domain, remote_change FROM website WHERE id = ?')
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
  const newest = db.prepare<[], { rank: number }>(
    'SELECT coalesce(max(rank), 0) + 1 AS rank FROM website WHERE id IS NOT NULL',
  )
  const adoptEdits = db.prepare<[string, string]>('UPDATE edit SET website = ? WHERE website = ?')
  const adoptLateWrites = db.prepare<[string, string]>('UPDATE late_write SET website = ? WHERE website = ?')
  const adoptHistory = db.prepare<[string, string]>('UPDATE history SET website = ? WHERE website = ?')
  const note = db.prepare<[string | null, string]>('UPDATE website SET remote_change = ? WHERE key = ?')
  const unnoteAll = db.prepare('UPDATE website SET remote_change = NULL WHERE remote_change IS NOT NULL')
  const remove = db.prepare<[string]>('DELETE FROM website WHERE key = ?')
  const unedited = db.prepare<[], { key: string; id: string }>(
    `SELECT key, id FROM website WHERE id IS NOT NULL
     AND NOT EXISTS (SELECT 1 FROM edit WHERE edit.website = website.key) ORDER BY rank`,
  )
  const edited = db.prepare<[string], { n: number }>('SELECT count(*) AS n FROM edit WHERE website = ?')
  const notes = notesIn(db, 'meta')
  /** Returns a note, or null if there is none or it can't be read. */
  const meta = <T>(name: string, schema: z.ZodType<T>): T | null => schema.safeParse(notes.get(name)).data ?? null
  const completeAt = () => meta('completeAt', z.number())
  const deletedRemotely = () => meta('deletedRemotely', someDomainsSchema)

  // Marks and the ids that a run has seen are kept in memory only, as no read continues in another process. An unchanged
  // website therefore costs no write.
  let now = 0
  let latest = 0
  const seen = new Set<string>()
  const acknowledgedAt = new Map<string, number>()
  const isStale = (id: string, mark: number) => (acknowledgedAt.get(id) ?? -1) >= mark

  function saveRead({ record, text, rank }: Placed, at: number | undefined): string | null {
    const known = byId.get(record.id)
    if (known === undefined) {
      // The website is probably our own create in progress. Its acknowledgement will store it under its existing key.
      if (creating.get(record.domain) !== undefined) return null
      const key = newKey()
      insert.run({ key, id: record.id, rank, domain: record.domain, record: text })
      // At the first refresh every website is new.
      if (at !== undefined && completeAt() !== null) note.run(JSON.stringify({ what: 'added', at }), key)
      return key
    }
    if (known.record === text && known.rank === rank) return null
    update.run({ key: known.key, id: record.id, rank, domain: record.domain, record: text })
    // A change that our own request in progress, or a late write, may have caused is not a remote change.
    const mayBeOurs = noteListed(edits, known.key, record)
    if (at !== undefined && !mayBeOurs) noteChanges(known, readJson(known.record), record, at)
    return known.record === text ? null : known.key
  }

  function noteChanges({ key, remote_change }: Known, before: unknown, after: WebsiteRecord, at: number): void {
    const noted = remote_change === null ? null : readRemoteChange(remote_change)
    const changed = withRemoteChange(before, after, at, noted)
    if (changed !== null) note.run(JSON.stringify(changed), key)
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
      const saved = transact(db, () => {
        const fresh = websites
          .map((record, index) => ({ record, text: JSON.stringify(record), rank: placed(record.id, index) }))
          .filter(({ record }) => !isStale(record.id, mark))
        return ok(fresh.map((each) => saveRead(each, at)).filter((key) => key !== null))
      })
      if (saved.ok && run === latest) for (const { id } of websites) if (!isStale(id, mark)) seen.add(id)
      return saved
    },
    missing: (run) => (run === latest ? unedited.all().filter(({ id }) => !seen.has(id)) : []),
    removeMissing: (key, mark) =>
      transact(db, () => {
        const { id = null, domain = '' } = byKey.get(key) ?? {}
        if (id === null || isStale(id, mark) || (edited.get(key)?.n ?? 0) > 0) return ok(false)
        // A late delete that the user revoked may have removed the website. The outbox handles that.
        if (edits.lateWritesOf(key).some(({ kind }) => kind === 'delete')) return ok(false)
        remove.run(key)
        notes.set('deletedRemotely', withDeleted(deletedRemotely(), domain))
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
        notes.remove('deletedRemotely')
        return ok(undefined)
      }),
    completeRun: (run, seenAt) =>
      transact(db, () => {
        if (run === latest) notes.set('completeAt', seenAt)
        return ok(undefined)
      }),
    completeAt,
    deletedRemotely,
    hasCompleteSnapshot: () => completeAt() !== null,
    timeOffset: () => meta('timeOffset', z.number()),
    saveTimeOffset: (offset) => notes.set('timeOffset', offset),
    account: () => meta('account', accountViewSchema),
    saveAccount: (account, seenAt) =>
      transact(db, () => {
        notes.set('account', { account, seenAt })
        return ok(undefined)
      }),
    acknowledge(key, record) {
      const other = byId.get(record.id)
      if (other !== undefined && other.key !== key) {
        // A refresh has stored the same website under another key. Its edits move to this key.
        adoptEdits.run(key, other.key)
        adoptLateWrites.run(key, other.key)
        adoptHistory.run(key, other.key)
        remove.run(other.key)
      }
      const rank = rankOf(record.id) ?? other?.rank ?? newest.get()?.rank ?? 1
      update.run({ key, id: record.id, rank, domain: record.domain, record: JSON.stringify(record) })
      // A website that is acknowledged during a run counts as seen by the run.
      seen.add(record.id)
      acknowledgedAt.set(record.id, now++)
    },
    noteRemote(key, before, after, at) {
      const known = byId.get(after.id)
      if (known?.key === key) noteChanges(known, before, after, at)
    },
    acknowledgeDelete(key) {
      const id = byKey.get(key)?.id
      remove.run(key)
      if (id != null) acknowledgedAt.set(id, now++)
    },
  }
}

/** Returns the rank of a numeric id, which is the number itself; null for any other id. */
function rankOf(id: string): number | null {
  if (!/^\d{1,15}$/.test(id)) return null
  const number = Number(id)
  return number < UNCREATED_RANK ? number : null
}
