import type { Statement } from 'better-sqlite3'
import { editKindSchema } from '../../shared/edit.ts'
import { readJson } from './json.ts'
import type { FoundRows, Row } from './rows.ts'
import { UNCREATED_RANK } from './schema.ts'
import type { Db } from './sqlite.ts'

/** A run that was complete isn't, when some of what it read is lost. */
const NO_LONGER_TRUE = ['completeAt']
const STATES = ['queued', 'sending', 'inDoubt', 'parked']

/** Puts rows into a file that has none, in one transaction; answers how many websites and edits there are then. */
export function reinstate(db: Db, found: FoundRows): { websites: number; edits: number } {
  const inserts = new Map<string, Statement>()
  const put = (table: string, row: Row): void => {
    const names = Object.keys(row)
    const sql = `INSERT OR IGNORE INTO ${table} (${names.join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})`
    const insert = inserts.get(sql) ?? db.prepare(sql)
    inserts.set(sql, insert)
    insert.run(row)
  }
  const tables = db
    .prepare<[], { name: string }>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .all()
    .map(({ name }) => name)
  const has = (table: string) => tables.includes(table)

  db.transaction(() => {
    for (const row of found.of('website')) put('website', row)
    if (has('edit')) reinstateEdits(db, found, put)
    for (const table of tables) {
      if (table === 'website' || table === 'edit') continue
      for (const row of found.of(table)) {
        if (table !== 'meta' || !NO_LONGER_TRUE.includes(String(row['name']))) put(table, row)
      }
    }
    if (has('staged')) keepImport(db, found)
    keepCounting(db, found)
  })()

  const count = (table: string) =>
    has(table) ? (db.prepare<[], { n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0) : 0
  return { websites: count('website'), edits: count('edit') }
}

/** An edit whose website is lost comes back with what the indexes still tell of that. */
function reinstateEdits(db: Db, found: FoundRows, put: (table: string, row: Row) => void): void {
  const known = db.prepare<[string], { id: string | null }>('SELECT id FROM website WHERE key = ?')
  const there = db.prepare<[Row['id']]>('SELECT 1 FROM edit WHERE id = ?')
  let placed = 0
  for (const edit of found.of('edit')) {
    const key = String(edit['website'])
    let complete = true
    if (known.get(key) === undefined) {
      const told = found.pairs.filter(([, other]) => other === key).map(([first]) => first)
      const domain = told.find((text) => text.includes('.'))
      const id = told.find((text) => !text.includes('.')) ?? null
      const lost = { key, id: null, rank: UNCREATED_RANK + ++placed, domain: domain ?? '?', record: null }
      // A record that can't be read is as one that was never shown.
      if (id !== null) put('website', { ...lost, id, record: '{}' })
      const identified = known.get(key) !== undefined
      if (!identified) put('website', lost)
      complete = domain !== undefined && (edit['kind'] === 'create' || identified)
    }
    put('edit', complete ? edit : unreadable(edit))
    if (there.get(edit['id'] ?? null) === undefined) put('edit', unreadable(edit))
  }
}

/** Kept and shown, but never sent (read-edit.ts): nobody knows what would be done with it, and to what. */
function unreadable(edit: Row): Row {
  const was = readJson(String(edit['standing'])) ?? edit['standing']
  return {
    ...edit,
    kind: editKindSchema.safeParse(edit['kind']).data ?? 'update',
    state: STATES.includes(String(edit['state'])) ? (edit['state'] ?? null) : 'parked',
    standing: JSON.stringify({ state: 'salvaged', was }),
  }
}

/** Where the end of an import that was put aside is lost, nobody knows whether it was taken: what is left of it counts as such. */
function keepImport(db: Db, { sequences }: FoundRows): void {
  db.prepare<[number | null]>('UPDATE staged SET last = 1 WHERE n = (SELECT max(n) FROM staged) AND n IS NOT ?').run(
    sequences.get('staged') ?? null,
  )
}

/** Numbers that were given are given to nobody else. */
function keepCounting(db: Db, { sequences }: FoundRows): void {
  const counts = db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'`).get() !== undefined
  if (!counts) return
  const raise = db.prepare('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?')
  const begin = db.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)')
  for (const [table, seq] of sequences) {
    const isTable = db.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(table)
    if (isTable !== undefined && raise.run(seq, table).changes === 0) begin.run(table, seq)
  }
}
