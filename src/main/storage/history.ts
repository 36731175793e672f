import { HISTORY_LIMIT, isApplied, isMismatch, SENT_LIMIT, UNAPPLIED } from '../outbox/history.ts'
import type { OutboxStore } from '../outbox/ports.ts'
import { ok, type Result } from '../../shared/result.ts'
import { readJson } from './json.ts'
import { notesIn } from './notes.ts'
import { reading, transact, type Db } from './sqlite.ts'
import { historyRecordSchema, type HistoryRecord } from '../outbox/model/history-record.ts'

type HistoryStore = Pick<
  OutboxStore,
  'addHistoryRecord' | 'historyRecord' | 'saveHistoryRecord' | 'historyRecords' | 'countHistoryRecords' | 'wasApplied'
>

/** Counts the mismatches that the user hasn't looked at (docs/sync.md#mismatches). */
export interface MismatchNote {
  mismatches(): number
  /** Errors: `disk-full`, `storage`. */
  mismatchesSeen(): Result<void>
}

const MISMATCHES = 'mismatches'

/** SQL condition: true of an entry whose edit was applied, and of an unreadable entry, whose edit may have been. */
export const IS_APPLIED = `coalesce(CASE WHEN json_valid(entry) THEN entry ->> '$.became' END, 'sent')
  NOT IN (${UNAPPLIED.map((became) => `'${became}'`).join(', ')})`

interface Row {
  website: string
  entry: string
}

/** Stores the results of edits (docs/sync.md#history). */
export function historyStore(db: Db): HistoryStore & MismatchNote {
  const add = db.prepare<[string, string, string]>(
    'INSERT OR REPLACE INTO history (id, website, entry) VALUES (?, ?, ?)',
  )
  const prune = db.prepare<[number]>('DELETE FROM history WHERE n <= ?')
  const handOn = db.prepare<[number]>(
    `INSERT OR IGNORE INTO sent_edit (id) SELECT id FROM history WHERE n <= ? AND ${IS_APPLIED} ORDER BY n`,
  )
  const addSent = db.prepare<[string]>('INSERT OR IGNORE INTO sent_edit (id) VALUES (?)')
  const pruneSent = db.prepare<[number]>('DELETE FROM sent_edit WHERE n <= (SELECT max(n) FROM sent_edit) - ?')
  const byId = db.prepare<[string], Row>('SELECT website, entry FROM history WHERE id = ?')
  const save = db.prepare<[string, string]>('UPDATE history SET entry = ? WHERE id = ?')
  const page = db.prepare<[number, number], Row>('SELECT website, entry FROM history ORDER BY n DESC LIMIT ? OFFSET ?')
  const pageOf = db.prepare<[string, number, number], Row>(
    'SELECT website, entry FROM history WHERE website = ? ORDER BY n DESC LIMIT ? OFFSET ?',
  )
  const count = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM history')
  const countOf = db.prepare<[string], { n: number }>('SELECT count(*) AS n FROM history WHERE website = ?')
  const notes = notesIn(db, 'meta')
  const sent = db.prepare<{ id: string }>(
    `SELECT 1 FROM sent_edit WHERE id = @id UNION ALL SELECT 1 FROM history WHERE id = @id AND ${IS_APPLIED}`,
  )
  const wasApplied = (id: string): boolean => sent.get({ id }) !== undefined
  function mismatches(): number {
    const noted = notes.get(MISMATCHES)
    return typeof noted === 'number' ? noted : 0
  }

  return {
    addHistoryRecord(historyRecord, also = []) {
      // The new entry replaces the earlier entry of the same edit, which is remembered as applied if it was.
      if (!isApplied(historyRecord.became) && wasApplied(historyRecord.id)) addSent.run(historyRecord.id)
      const { lastInsertRowid } = add.run(historyRecord.id, historyRecord.website, JSON.stringify(historyRecord))
      if (isMismatch(historyRecord)) notes.set(MISMATCHES, mismatches() + 1)
      if (isApplied(historyRecord.became)) for (const id of also) addSent.run(id)
      const last = Number(lastInsertRowid) - HISTORY_LIMIT
      handOn.run(last)
      prune.run(last)
      pruneSent.run(SENT_LIMIT)
    },
    historyRecord(id) {
      const row = byId.get(id)
      return row === undefined ? null : toHistoryRecord(row)
    },
    saveHistoryRecord: (historyRecord) => void save.run(JSON.stringify(historyRecord), historyRecord.id),
    historyRecords: (offset, limit, website) =>
      (website === undefined ? page.all(limit, offset) : pageOf.all(website, limit, offset)).flatMap(
        (row) => toHistoryRecord(row) ?? [],
      ),
    countHistoryRecords: (website) => (website === undefined ? count.get() : countOf.get(website))?.n ?? 0,
    wasApplied,
    mismatches() {
      const counted = reading(() => ok(mismatches()))
      return counted.ok ? counted.value : 0
    },
    mismatchesSeen: () => transact(db, () => ok(notes.remove(MISMATCHES))),
  }
}

/** Returns null for an unreadable entry, which is not shown. */
const toHistoryRecord = ({ website, entry }: Row): HistoryRecord | null =>
  historyRecordSchema.safeParse({ ...(readJson(entry) as object), website }).data ?? null
