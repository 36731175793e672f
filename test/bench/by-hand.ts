import { randomUUID } from 'node:crypto'
import { isUsualRecord, isUsualUpdate, isUsualView } from '../../src/shared/usual-website.ts'
import type { WebsiteChanges } from '../../src/shared/website.ts'
import { website } from './connection.ts'
import { openBare } from './enqueue.ts'

interface Asked {
  key: string
  changes: WebsiteChanges
}

/**
 * The least of a change that a client can do whose websites and edits are in its file. What crosses a boundary is looked at by plain
 * functions, without a schema: the request, the website's record, the answer. The website is read, which may be gone, and without
 * which nobody knows what the person saw; and its edits are, as one that is to be deleted isn't changed any more, and a second change goes
 * into the first. So there's one table with one index: two pages of the log. Nothing is merged, counted or told, and there's no
 * transaction: who has the file alone and writes one row needs none.
 *
 * `named`: an edit is also found by its id, as to undo it, or not to import it twice; and a number is never given twice, as to send them in
 * the order in which they were made. That makes four pages.
 */
export function changeByHand(
  folder: string,
  { websites, named }: { websites: number; named: boolean },
): { write: (n: number) => void; end: () => void } {
  const db = openBare(folder)
  db.exec(`
    CREATE TABLE website (key TEXT PRIMARY KEY, id TEXT NOT NULL, domain TEXT NOT NULL, record TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE edit (
      seq INTEGER PRIMARY KEY ${named ? 'AUTOINCREMENT' : ''}, id TEXT NOT NULL ${named ? 'UNIQUE' : ''},
      website TEXT NOT NULL, edit TEXT NOT NULL
    ) STRICT;
    CREATE INDEX edit_website ON edit (website);
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
  const edits = db.prepare<[string], { edit: string }>('SELECT edit FROM edit WHERE website = ?')
  const insert = db.prepare<[string, string, string]>('INSERT INTO edit (id, website, edit) VALUES (?, ?, ?)')

  function change(request: unknown): unknown {
    if (!isUsualUpdate(request)) throw new Error('it doesn’t fit')
    const { key, changes } = request as Asked
    const there = read.get(key)
    const record: unknown = JSON.parse(there?.record ?? 'null')
    if (there === undefined || !isUsualRecord(record) || edits.all(key).length > 0)
      throw new Error('it can’t be changed')
    const base = { settings: { email: record.email } }
    const edit = { kind: 'update', settings: changes, base, state: 'queued', attempts: 0, sent: null }
    insert.run(randomUUID(), key, JSON.stringify({ ...edit, sealed: null, changedAt: Date.now() }))
    const { id, domain } = there
    const answer = { ...record, ...changes, key, id, domain, state: 'changed', pending: ['email'] }
    if (!isUsualView(answer)) throw new Error('the answer doesn’t fit')
    return answer
  }

  return {
    write: (n) => void change({ key: keys[n], changes: { email: true } }),
    end: () => void db.close(),
  }
}
