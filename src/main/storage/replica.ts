import { z } from 'zod'
import { accountViewSchema } from '../../shared/account.ts'
import { ok } from '../../shared/result.ts'
import type { WebsiteRecord } from '../../shared/website.ts'
import { readJson } from '../../shared/json.ts'
import type { AcknowledgmentStore, EditStore, LateWriteStore } from '../outbox/ports.ts'
import { noteListedRecord } from '../outbox/late-writes/note-read.ts'
import type { ActivityLog, ReplicaStore } from '../replica/ports.ts'
import { remoteDetail } from './remote-changes.ts'
import { createRemoteEntryWriter } from './activity.ts'
import { notesIn } from './notes.ts'
import { UNCREATED_RANK } from './schema.ts'
import { transact, type Db } from './sqlite.ts'

/** Maximum number of stored ids of websites that we deleted. The oldest are dropped. */
const MAX_DELETED_IDS = 200

/** A record that was read. `text`: the record as JSON. */
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

type StoredRow = Omit<Row, 'id'>

/** A change by another client, to be recorded in the activity. */
interface RemoteWebsiteChange {
  key: string
  domain: string
  /** The records before and after the change. Null if the website did not exist. */
  before: unknown
  after: unknown
  at: number
}

/** Stores the records that the service returned and acknowledged (docs/sync.md#refresh-during-replay). */
export function replicaStore(
  db: Db,
  edits: EditStore & LateWriteStore,
  newKey: () => string,
): Omit<ReplicaStore, 'read' | keyof ActivityLog> & AcknowledgmentStore {
  const byId = db.prepare<[string], StoredRow>('SELECT key, record, rank, domain FROM website WHERE id = ?')
  const byKey = db.prepare<[string], { id: string | null; domain: string; record: string | null }>(
    'SELECT id, domain, record FROM website WHERE key = ?',
  )
  const creating = db.prepare<[string], { key: string }>(
    `SELECT key FROM website WHERE domain = ? AND id IS NULL AND EXISTS (
       SELECT 1 FROM edit WHERE website = key AND kind = 'create' AND state IN ('sending', 'inDoubt'))`,
  )
  const sentCreate = db.prepare<[string], { key: string }>(
    `SELECT key FROM website WHERE domain = ? AND id IS NULL AND EXISTS (
       SELECT 1 FROM edit WHERE website = key AND kind = 'create' AND (sent IS NOT NULL OR note LIKE '%possiblySent%'))`,
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
  const adoptActivity = db.prepare<[string, string]>('UPDATE activity SET website = ? WHERE website = ?')
  const remove = db.prepare<[string]>('DELETE FROM website WHERE key = ?')
  const unedited = db.prepare<[], { key: string; id: string }>(
    `SELECT key, id FROM website WHERE id IS NOT NULL
     AND NOT EXISTS (SELECT 1 FROM edit WHERE edit.website = website.key) ORDER BY rank`,
  )
  const edited = db.prepare<[string], { n: number }>('SELECT count(*) AS n FROM edit WHERE website = ?')
  const notes = notesIn(db, 'meta')
  const meta = <T>(name: string, schema: z.ZodType<T>): T | null => schema.safeParse(notes.get(name)).data ?? null
  const addRemote = createRemoteEntryWriter(db)
  // A difference is a remote change only after a complete refresh: before the first one, and before the first one after a backup
  // was restored, every website differs.
  const isCurrent = () => completeAt() !== null
  const completeAt = () => meta('completeAt', z.number())
  /** Ids of websites that we deleted. A host that lags behind may show them again, even after a restart. */
  const ghosts = () => meta('ghosts', z.array(z.string())) ?? []
  const addGhost = (id: string) =>
    notes.set('ghosts', [...ghosts().filter((each) => each !== id), id].slice(-MAX_DELETED_IDS))

  // Marks and the ids that a run has seen are in memory only, because no read continues in another process. So an unchanged
  // website costs no write.
  /** The current mark: the number of acknowledgments so far. */
  let now = 0
  let latest = 0
  /** Ids of the websites that the latest run has seen. */
  const seen = new Set<string>()
  /** The mark at a website's latest acknowledgment, by website id. */
  const acknowledgedAt = new Map<string, number>()
  /** True if a read with this mark is older than the website's latest acknowledgment, and must be ignored. */
  const isAcknowledgedSince = (id: string, mark: number) => (acknowledgedAt.get(id) ?? -1) >= mark

  /** Returns null if the record is unchanged or belongs to an unacknowledged create. `at`: the time of a remote change. */
  function saveRead({ record, text, rank }: Placed, at: number | undefined): string | null {
    const stored = byId.get(record.id)
    if (stored === undefined) {
      // Probably our own create in progress: its acknowledgment will store the website under its existing key.
      if (creating.get(record.domain) !== undefined) return null
      const key = newKey()
      insert.run({ key, id: record.id, rank, domain: record.domain, record: text })
      const isGhost = acknowledgedAt.has(record.id) || ghosts().includes(record.id)
      if (isGhost) addGhost(record.id)
      if (at !== undefined && isCurrent() && !isGhost && !mayBeOurCreate(record.domain)) {
        recordRemote('added', { key, domain: record.domain, before: null, after: record, at })
      }
      return key
    }
    if (stored.record === text && stored.rank === rank) return null
    update.run({ key: stored.key, id: record.id, rank, domain: record.domain, record: text })
    // Our own request in progress, or a late write, may have caused the change.
    const mayBeOurs = noteListedRecord(edits, stored.key, record)
    if (at !== undefined && isCurrent() && !mayBeOurs) {
      const [before, { key, domain }] = [readJson(stored.record), { key: stored.key, domain: record.domain }]
      recordRemote('changed', { key, domain, before, after: record, at })
    }
    return stored.record === text ? null : stored.key
  }

  /** Records nothing if the two records agree in all known fields and in their time. */
  function recordRemote(
    kind: 'added' | 'changed' | 'deleted',
    { key: website, domain, before, after, at }: RemoteWebsiteChange,
  ): void {
    const detail = remoteDetail(before, after)
    if (detail !== null) addRemote({ website, domain, kind, at }, detail)
  }

  /** True if a create that was sent or given up may have added a website with this domain. */
  const mayBeOurCreate = (domain: string): boolean =>
    sentCreate.get(domain) !== undefined ||
    edits
      .lateWriteWebsites()
      .some(({ website }) =>
        edits.lateWritesOf(website).some((lateWrite) => lateWrite.kind === 'create' && lateWrite.domain === domain),
      )

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
          .filter(({ record }) => !isAcknowledgedSince(record.id, mark))
        return ok(fresh.map((each) => saveRead(each, at)).filter((key) => key !== null))
      })
      if (saved.ok && run === latest) for (const { id } of websites) if (!isAcknowledgedSince(id, mark)) seen.add(id)
      return saved
    },
    missing: (run) => (run === latest ? unedited.all().filter(({ id }) => !seen.has(id)) : []),
    removeMissing: (key, mark, at) =>
      transact(db, () => {
        const { id = null, domain = '', record = null } = byKey.get(key) ?? {}
        if (id === null || isAcknowledgedSince(id, mark) || (edited.get(key)?.n ?? 0) > 0) return ok(false)
        // A late delete may have removed the website. The outbox handles that.
        if (edits.lateWritesOf(key).some(({ kind }) => kind === 'delete')) return ok(false)
        remove.run(key)
        if (at === undefined || !isCurrent() || ghosts().includes(id)) return ok(true)
        recordRemote('deleted', { key, domain, before: readJson(record ?? ''), after: null, at })
        return ok(true)
      }),
    completeRun: (run, seenAt) =>
      transact(db, () => {
        if (run === latest) notes.set('completeAt', seenAt)
        return ok(undefined)
      }),
    completeAt,
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
        adoptActivity.run(key, other.key)
        remove.run(other.key)
      }
      const rank = rankOf(record.id) ?? other?.rank ?? newest.get()?.rank ?? 1
      update.run({ key, id: record.id, rank, domain: record.domain, record: JSON.stringify(record) })
      // A website that is acknowledged during a run counts as seen by that run.
      seen.add(record.id)
      acknowledgedAt.set(record.id, now++)
    },
    noteRemote(key, before, after, at) {
      const stored = byId.get(after.id)
      if (stored?.key === key) recordRemote('changed', { key, domain: after.domain, before, after, at })
    },
    acknowledgeDelete(key) {
      const id = byKey.get(key)?.id
      remove.run(key)
      if (id == null) return
      addGhost(id)
      acknowledgedAt.set(id, now++)
    },
  }
}

/** Returns the id as a number, or null if it is no number or too large. */
function rankOf(id: string): number | null {
  if (!/^\d{1,15}$/.test(id)) return null
  const number = Number(id)
  return number < UNCREATED_RANK ? number : null
}
