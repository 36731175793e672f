import {
  editStepSchema,
  remoteDetailSchema,
  remoteKinds,
  type ActivityFilter,
  type ActivityKind,
  type ActivityQuery,
  type RemoteDetail,
  type RemoteGroup,
} from '../../shared/activity.ts'
import { ok, type Result } from '../../shared/result.ts'
import { PRIVACY } from '../../shared/website.ts'
import { readJson } from '../../shared/json.ts'
import {
  ACTIVITY_LIMIT,
  APPLIED_IDS_LIMIT,
  isApplied,
  isMismatch,
  kindOf,
  UNAPPLIED_RESULTS,
} from '../outbox/history.ts'
import type { ActivityFacts, StoredActivityEntry } from '../outbox/model/activity.ts'
import { historyRecordSchema, type HistoryRecord } from '../outbox/model/history-record.ts'
import type { HistoryStore } from '../outbox/ports.ts'
import type { ActivityLog } from '../replica/ports.ts'
import { notesIn, type Notes } from './notes.ts'
import { runRead, transact, type Db } from './sqlite.ts'

/** The numbers of unseen mismatches (docs/sync.md#mismatches) and remote changes. 0 if a number can't be read. */
export interface UnseenActivity {
  mismatches(): number
  remoteChanges(): number
  /** Sets both numbers to zero. Errors: `disk-full`, `storage`. */
  activitySeen(): Result<void>
}

/** Names of stored notes: the numbers of unseen mismatches and of unseen remote changes, and the last entry that was reported. */
const MISMATCHES_NOTE = 'mismatches'
const UNSEEN_REMOTE_NOTE = 'remoteUnseen'
const NOTIFIED_NOTE = 'remoteNotified'

/** SQL condition: true of an entry whose edit was applied, and of an unreadable entry, whose edit may have been. */
export const IS_APPLIED = `coalesce(CASE WHEN json_valid(entry) THEN entry ->> '$.became' END, 'sent')
  NOT IN (${UNAPPLIED_RESULTS.map((became) => `'${became}'`).join(', ')})`

/**
 * SQL expression: `published` if a remote change made the website public, otherwise the kind of the entry. The kind of an own
 * entry is none of the groups, so a condition on groups excludes own entries.
 */
const GROUP = `CASE WHEN kind = 'changed' AND json_valid(entry) AND entry ->> '$.after.privacy' = ${String(PRIVACY.public)}
  AND EXISTS (SELECT 1 FROM json_each(entry, '$.fields') WHERE value = 'privacy') THEN 'published' ELSE kind END`

interface EntryRow {
  website: string
  entry: string
}

interface ActivityRow extends EntryRow {
  n: number
  edit: string | null
  domain: string
  kind: ActivityKind
  at: number
}

/** Stores own and remote changes (docs/sync.md#activity). */
export function activityStore(db: Db): HistoryStore & UnseenActivity & ActivityLog {
  const add = db.prepare<[string | null, string, string, ActivityKind, 0 | 1, number, string]>(
    'INSERT OR REPLACE INTO activity (edit, website, domain, kind, remote, at, entry) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  /** Returns a statement that keeps the ids of applied edits, before their entries are removed. */
  const rememberApplied = (which: string) =>
    db.prepare<[number]>(
      `INSERT OR IGNORE INTO sent_edit (id)
       SELECT edit FROM activity WHERE ${which} AND edit IS NOT NULL AND ${IS_APPLIED} ORDER BY n`,
    )
  const byCount = [rememberApplied('n <= ?'), db.prepare<[number]>('DELETE FROM activity WHERE n <= ?')]
  const byAge = [rememberApplied('at < ?'), db.prepare<[number]>('DELETE FROM activity WHERE at < ?')]
  const addSent = db.prepare<[string]>('INSERT OR IGNORE INTO sent_edit (id) VALUES (?)')
  const pruneSent = db.prepare<[number]>('DELETE FROM sent_edit WHERE n <= (SELECT max(n) FROM sent_edit) - ?')
  const byEdit = db.prepare<[string], EntryRow>('SELECT website, entry FROM activity WHERE edit = ?')
  const save = db.prepare<[string, string]>('UPDATE activity SET entry = ? WHERE edit = ?')
  const pageOf = db.prepare<[string, number, number], EntryRow>(
    'SELECT website, entry FROM activity WHERE website = ? AND edit IS NOT NULL ORDER BY n DESC LIMIT ? OFFSET ?',
  )
  const countOf = db.prepare<[string], { n: number }>(
    'SELECT count(*) AS n FROM activity WHERE website = ? AND edit IS NOT NULL',
  )
  const notes = notesIn(db, 'meta')
  const sent = db.prepare<{ id: string }>(
    `SELECT 1 FROM sent_edit WHERE id = @id UNION ALL SELECT 1 FROM activity WHERE edit = @id AND ${IS_APPLIED}`,
  )
  const latest = db.prepare<[], number>('SELECT coalesce(max(n), 0) FROM activity').pluck()
  const summed = db.prepare<[number], { name: RemoteGroup; count: number; since: number }>(
    `SELECT ${GROUP} AS name, count(*) AS count, min(at) AS since FROM activity WHERE n > ? AND remote = 1 GROUP BY 1`,
  )
  const changedBetween = db.prepare<[number, number, number], EntryRow & { n: number; kind: 'added' | 'changed' }>(
    `SELECT n, website, kind, entry FROM activity
     WHERE n > ? AND n <= ? AND +remote = 1 AND +kind IN ('added', 'changed') ORDER BY n LIMIT ?`,
  )
  const wasApplied = (id: string): boolean => sent.get({ id }) !== undefined
  const noted = (name: string) => countIn(notes, name)
  const readCount = (name: string): number => {
    const counted = runRead(() => ok(noted(name)))
    return counted.ok ? counted.value : 0
  }
  /** Removes the entries up to `limit`, a number or a time. Keeps the ids of their applied edits, except the oldest such ids. */
  const prune = (statements: typeof byCount, limit: number): void => {
    for (const statement of statements) statement.run(limit)
    pruneSent.run(APPLIED_IDS_LIMIT)
  }

  /** `edit`: the id of the edit whose result is stored; null for a step or a remote change. */
  function put(edit: string | null, { website, domain, kind, at }: ActivityFacts, remote: 0 | 1, entry: object): void {
    const { lastInsertRowid } = add.run(edit, website, domain, kind, remote, at, JSON.stringify(entry))
    prune(byCount, Number(lastInsertRowid) - ACTIVITY_LIMIT)
  }

  return {
    addHistoryRecord(historyRecord, also = []) {
      const { id, website, domain, became, at } = historyRecord
      // The new entry replaces the earlier entry of the same edit. If only the earlier one says that the edit was applied, its id
      // is kept as that of an applied edit.
      if (!isApplied(became) && wasApplied(id)) addSent.run(id)
      put(id, { website, domain, kind: kindOf(became), at }, 0, historyRecord)
      if (isMismatch(historyRecord)) notes.set(MISMATCHES_NOTE, noted(MISMATCHES_NOTE) + 1)
      if (isApplied(became)) for (const mergedId of also) addSent.run(mergedId)
    },
    historyRecord(id) {
      const row = byEdit.get(id)
      return row === undefined ? null : toHistoryRecord(row)
    },
    saveHistoryRecord: (historyRecord) => void save.run(JSON.stringify(historyRecord), historyRecord.id),
    historyRecords: (website, limit) => pageOf.all(website, limit, 0).flatMap((row) => toHistoryRecord(row) ?? []),
    countHistoryRecords: (website) => countOf.get(website)?.n ?? 0,
    wasApplied,
    addStep: (record, step) => put(null, record, 0, step),
    activity(query) {
      const { sql, values } = activitySql(query)
      const rows = db.prepare<unknown[], ActivityRow>(sql).all(...values)
      const last = rows.length < query.limit ? undefined : rows.at(-1)
      return { records: rows.flatMap((row) => toStored(row) ?? []), next: last ? { at: last.at, n: last.n } : null }
    },
    mismatches: () => readCount(MISMATCHES_NOTE),
    remoteChanges: () => readCount(UNSEEN_REMOTE_NOTE),
    activitySeen: () => transact(db, () => ok([MISMATCHES_NOTE, UNSEEN_REMOTE_NOTE].forEach(notes.remove))),
    pruneActivity: (before) =>
      transact(db, () => {
        prune(byAge, before)
        prune(byCount, (latest.get() ?? 0) - ACTIVITY_LIMIT)
        return ok(undefined)
      }),
    takeRemoteNews: () =>
      transact(db, () => {
        const [from, until] = [noted(NOTIFIED_NOTE), latest.get() ?? 0]
        if (from >= until) return ok(null)
        notes.set(NOTIFIED_NOTE, until)
        const groups = summed.all(from)
        const summary = { added: 0, changed: 0, published: 0, deleted: 0 }
        for (const { name, count } of groups) summary[name] = count
        const since = Math.min(...groups.map((group) => group.since))
        return ok(groups.length > 0 ? { summary, since, after: from, until } : null)
      }),
    remoteChangesBetween: (after, until, limit) =>
      runRead(() =>
        ok(
          changedBetween.all(after, until, limit).map(({ n, website, kind, entry }) => {
            const detail = remoteDetailSchema.safeParse(readJson(entry)).data ?? { fields: [], before: {}, after: {} }
            return { ...detail, n, website, kind }
          }),
        ),
      ),
  }
}

/** Returns a function that stores a remote change and counts it as unseen. Call that function within a write. */
export function createRemoteEntryWriter(db: Db): (record: ActivityFacts, detail: RemoteDetail) => void {
  const add = db.prepare<[string, string, ActivityKind, number, string]>(
    'INSERT INTO activity (website, domain, kind, remote, at, entry) VALUES (?, ?, ?, 1, ?, ?)',
  )
  const notes = notesIn(db, 'meta')
  return ({ website, domain, kind, at }, detail) => {
    add.run(website, domain, kind, at, JSON.stringify(detail))
    notes.set(UNSEEN_REMOTE_NOTE, countIn(notes, UNSEEN_REMOTE_NOTE) + 1)
  }
}

function countIn(notes: Notes, name: string): number {
  const value = notes.get(name)
  return typeof value === 'number' ? value : 0
}

const SELECT_PAGE = 'SELECT n, edit, website, domain, kind, at, entry FROM activity'

/** One index gives the rows in order; a plus sign keeps SQLite from choosing another index for the other conditions. */
export function activitySql(query: ActivityQuery): { sql: string; values: (string | number)[] } {
  const { website, limit } = query
  if ('results' in query) {
    const ofWebsite = website === undefined ? '' : 'website = ? AND'
    // Sorted by number and not by time, so that the latest result of an edit is found even after the clock was set back.
    return {
      sql: `${SELECT_PAGE} WHERE ${ofWebsite} edit IS NOT NULL ORDER BY n DESC LIMIT ? OFFSET ?`,
      values: [...(website === undefined ? [] : [website]), limit, query.offset ?? 0],
    }
  }
  const { domain, kind, author, from, until, after, notified } = query
  const leadingColumn = indexedFieldOf(query)
  const conditions: string[] = []
  const values: (string | number)[] = []
  const need = (condition: string, ...bound: (string | number)[]): void => {
    conditions.push(condition)
    values.push(...bound)
  }
  const equal = (name: keyof ActivityFilter, column: string, value: string | number): void =>
    need(`${leadingColumn === name ? '' : '+'}${column} = ?`, value)
  if (website !== undefined) equal('website', 'website', website)
  if (domain !== undefined) equal('domain', 'domain', domain)
  if (kind !== undefined) equal('kind', 'kind', kind)
  // Each kind has one author. If the query asks for the other author, no entry matches (`0`).
  if (author !== undefined && kind === undefined) equal('author', 'remote', author === 'remote' ? 1 : 0)
  else if (author !== undefined && kind !== undefined && (author === 'remote') !== isRemote(kind)) need('0')
  // Only the later of two lower bounds is used, because SQLite may search the index by the earlier one.
  const first = Math.max(from ?? -Infinity, notified?.since ?? -Infinity)
  if (first > -Infinity) need('at >= ?', first)
  if (notified !== undefined) {
    const groups = notified.groups.map(() => '?').join(', ')
    need(`+n > ? AND +n <= ? AND ${GROUP} IN (${groups})`, notified.after, notified.until, ...notified.groups)
  }
  // Only the earlier of two upper bounds is used: SQLite may search the index by the later one, and step through all entries in
  // between.
  if (after !== undefined && (until === undefined || after.at < until)) need('(at, n) < (?, ?)', after.at, after.n)
  else if (until !== undefined) need('at < ?', until)
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  return { sql: `${SELECT_PAGE} ${where} ORDER BY at DESC, n DESC LIMIT ?`, values: [...values, limit] }
}

/** Returns the field whose index leaves the fewest rows. */
const indexedFieldOf = (filter: ActivityFilter): keyof ActivityFilter | undefined =>
  (['website', 'domain', 'kind', 'author'] as const).find((name) => filter[name] !== undefined)

/** Returns null for an unreadable entry, which is not shown. */
const toHistoryRecord = ({ website, entry }: EntryRow): HistoryRecord | null =>
  historyRecordSchema.safeParse({ ...(readJson(entry) as object), website }).data ?? null

/** Returns null for an unreadable entry. */
function toStored({ edit, entry, ...record }: ActivityRow): StoredActivityEntry | null {
  if (edit !== null) {
    const result = toHistoryRecord({ website: record.website, entry })
    return result && { ...record, result }
  }
  const detail = readJson(entry)
  if (isRemote(record.kind)) {
    const remote = remoteDetailSchema.safeParse(detail).data
    return remote === undefined ? null : { ...record, remote }
  }
  const step = editStepSchema.safeParse(detail).data
  return step === undefined ? null : { ...record, step }
}

const isRemote = (kind: ActivityKind): boolean => remoteKinds.some((each) => each === kind)
