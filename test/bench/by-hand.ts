import { randomUUID } from 'node:crypto'
import { website } from './connection.ts'
import { openBare } from './enqueue.ts'

interface Asked {
  key: string
  changes: { email: boolean }
}

/**
 * The least of a change that a client can do whose websites and edits are in its file: the request is looked at by hand; its
 * website is read, which may be gone, and without which nobody knows what the person saw; its edit is one row, which makes one
 * page of the log; the answer is put together. There is no other table, index or count; nothing is checked by a schema, merged, or
 * told. A transaction isn't needed by whoever has the file alone and writes one row.
 */
export function changeByHand(folder: string, websites: number): { write: (n: number) => void; end: () => void } {
  const db = openBare(folder)
  db.exec(`
    CREATE TABLE website (key TEXT PRIMARY KEY, id TEXT NOT NULL, domain TEXT NOT NULL, record TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE edit (seq INTEGER PRIMARY KEY, edit TEXT NOT NULL) STRICT;
  `)
  const add = db.prepare('INSERT INTO website (key, id, domain, record) VALUES (?, ?, ?, ?)')
  const keys = Array.from({ length: websites }, () => randomUUID())
  db.transaction(() => {
    for (const [n, key] of keys.entries()) {
      const record = website(n)
      add.run(key, record.id, record.domain, JSON.stringify(record))
    }
  })()
  const read = db.prepare<[string], { id: string; domain: string; record: string }>(
    'SELECT id, domain, record FROM website WHERE key = ?',
  )
  const insert = db.prepare<[string]>('INSERT INTO edit (edit) VALUES (?)')

  function change(request: unknown): unknown {
    if (!isAsked(request)) throw new Error('malformed')
    const { key, changes } = request
    const there = read.get(key)
    if (there === undefined) throw new Error('gone')
    const record = JSON.parse(there.record) as ReturnType<typeof website>
    const base = { settings: { email: record.email } }
    const edit = { id: randomUUID(), website: key, kind: 'update', settings: changes, base, state: 'queued' }
    insert.run(JSON.stringify({ ...edit, sealed: null, attempts: 0, sent: null, changedAt: Date.now() }))
    return { ...record, ...changes, key, id: there.id, domain: there.domain, state: 'changed', pending: ['email'] }
  }

  return {
    write: (n) => void change({ key: keys[n % websites], changes: { email: true } }),
    end: () => void db.close(),
  }
}

function isAsked(request: unknown): request is Asked {
  const { key, changes } = request as Asked
  return (
    typeof key === 'string' && key.length <= 100 && Object.keys(changes).join() === 'email' && isToggle(changes.email)
  )
}
const isToggle = (value: unknown): boolean => typeof value === 'boolean'
