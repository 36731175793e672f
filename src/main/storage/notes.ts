import { readJson } from '../../shared/json.ts'
import type { FileKind } from './schema.ts'
import type { Db } from './sqlite.ts'

/** Small JSON values by name, in a table of a database. Each call throws errors of SQLite. */
export interface Notes {
  /** Returns undefined if there is no such value or it can't be read. */
  get(name: string): unknown
  set(name: string, value: unknown): void
  remove(name: string): void
}

/** Returns the values that a table of the database stores by name. */
export function notesIn(db: Db, table: FileKind['notes']): Notes {
  const get = db.prepare<[string], string>(`SELECT value FROM ${table} WHERE name = ?`).pluck()
  const set = db.prepare<[string, string]>(
    `INSERT INTO ${table} (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value`,
  )
  const remove = db.prepare<[string]>(`DELETE FROM ${table} WHERE name = ?`)
  return {
    get(name) {
      const value = get.get(name)
      return value === undefined ? undefined : readJson(value)
    },
    set: (name, value) => void set.run(name, JSON.stringify(value)),
    remove: (name) => void remove.run(name),
  }
}
