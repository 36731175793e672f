import Database from 'better-sqlite3'
import { closeSync, openSync, writeSync } from 'node:fs'

/** Overwrites the first page of a table, as a failing disk does. The file can still be opened, but the table can't be read. */
export function damageTable(file: string, table: string): void {
  const db = new Database(file)
  const { rootpage } = db
    .prepare<[string], { rootpage: number }>('SELECT rootpage FROM sqlite_schema WHERE name = ?')
    .get(table) ?? { rootpage: 0 }
  const size = db.pragma('page_size', { simple: true }) as number
  db.close()
  const disk = openSync(file, 'r+')
  writeSync(disk, Buffer.alloc(size, 0xff), 0, size, (rootpage - 1) * size)
  closeSync(disk)
}
