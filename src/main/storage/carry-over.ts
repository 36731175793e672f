import Database from 'better-sqlite3'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { removeDatabaseFiles } from './files.ts'
import { isSqliteCode, type Db } from './sqlite.ts'

/** A row of any table, by column name. */
export type Row = Record<string, string | number | Buffer | null>

/** Calls `read` with a copy, so that the file itself is not changed; with null if SQLite can't open the file. */
export function withCopy<T>(file: string, read: (copy: Db | null) => T): T {
  const path = `${file}.reading`
  removeDatabaseFiles(path)
  let copy: Db | null = null
  try {
    for (const part of ['', '-journal'])
      if (existsSync(file + part)) writeFileSync(path + part, readFileSync(file + part), { mode: 0o600 })
    copy = unlessDamaged(() => {
      const db = new Database(path, { fileMustExist: true })
      db.pragma('user_version')
      return db
    })
    return read(copy)
  } finally {
    copy?.close()
    removeDatabaseFiles(path)
  }
}

/** Errors of SQLite that a damaged file causes. A damaged length can exceed the memory, or the maximum length of a text. */
const DAMAGE = ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_ERROR', 'SQLITE_CANTOPEN', 'SQLITE_NOMEM', 'SQLITE_TOOBIG']

/** Returns null if the part of the file that `work` reads is damaged. */
export function unlessDamaged<T>(work: () => T): T | null {
  try {
    return work()
  } catch (error) {
    if (isSqliteCode(error, ...DAMAGE)) return null
    throw error
  }
}

/** Maximum number of unreadable ranges that are halved. Beyond it, the remaining ranges are not read. */
const MAX_HALVED_RANGES = 5_000

/** If a range of sequence numbers can't be read, tries each half of it. */
export function readableEdits(damaged: Db): Row[] {
  const last = unlessDamaged(() =>
    damaged.prepare<[], number>(`SELECT seq FROM sqlite_sequence WHERE name = 'edit'`).pluck().get(),
  )
  const range = unlessDamaged(() =>
    damaged.prepare<[number, number], Row>('SELECT * FROM edit WHERE seq BETWEEN ? AND ?'),
  )
  if (range === null) return []
  const rows: Row[] = []
  const ranges: [from: number, to: number][] = [[1, last ?? 2 ** 40]]
  for (let halved = 0; ranges.length > 0 && halved < MAX_HALVED_RANGES;) {
    const [from, to] = ranges.shift() ?? [0, 0]
    const read = unlessDamaged(() => range.all(from, to))
    if (read !== null) rows.push(...read)
    else if (from < to) {
      const middle = Math.floor((from + to) / 2)
      ranges.push([from, middle], [middle + 1, to])
      halved += 1
    }
  }
  return rows.toSorted((a, b) => Number(a['seq']) - Number(b['seq']))
}

/** Copies the readable rows of the tables, from both ends up to the damage. They replace rows of the backup. */
export function carryOverTables(db: Db, damaged: Db, tables: readonly string[]): void {
  for (const table of tables) {
    for (const order of ['', 'ORDER BY 1 DESC']) {
      const isWhole = unlessDamaged(() => {
        for (const row of damaged.prepare<[], Row>(`SELECT * FROM ${table} ${order}`).iterate())
          insertRow(db, table, row, 'REPLACE')
        return true
      })
      if (isWhole) break
    }
  }
}

/** Returns false if the row does not fit the table, or if its key exists. With `REPLACE`, the existing row is replaced. */
export function insertRow(db: Db, table: string, row: Row, or: 'IGNORE' | 'REPLACE' = 'IGNORE'): boolean {
  const names = Object.keys(row)
  const sql = `INSERT OR ${or} INTO ${table} (${names.join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})`
  try {
    return db.prepare(sql).run(row).changes > 0
  } catch (error) {
    if (isSqliteCode(error, 'SQLITE_CONSTRAINT', 'SQLITE_ERROR', 'SQLITE_MISMATCH')) return false
    throw error
  }
}
