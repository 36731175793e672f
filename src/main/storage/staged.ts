import type { OutboxStore } from '../outbox/ports.ts'
import { readJson } from './json.ts'
import type { Db } from './sqlite.ts'

type StagedStore = Pick<OutboxStore, 'stage' | 'stagedState' | 'staged' | 'unstage'>

/** What of an import is on its way into the edits of a connection's file (import-stage.ts in the outbox). */
export function stagedStore(db: Db): StagedStore {
  const add = db.prepare<[number, string]>('INSERT INTO staged (last, row) VALUES (?, ?)')
  const newest = db.prepare<[], { last: number }>('SELECT last FROM staged ORDER BY n DESC LIMIT 1')
  const first = db.prepare<[number], { row: string }>('SELECT row FROM staged ORDER BY n LIMIT ?')
  const remove = db.prepare<[number]>('DELETE FROM staged WHERE n IN (SELECT n FROM staged ORDER BY n LIMIT ?)')
  return {
    stage(rows, isLast) {
      rows.forEach((row, at) => void add.run(Number(isLast && at === rows.length - 1), row))
    },
    stagedState() {
      const row = newest.get()
      if (row === undefined) return 'nothing'
      return row.last === 1 ? 'whole' : 'part'
    },
    staged: (limit) => first.all(limit).map(({ row }) => readJson(row)),
    unstage: (count) => void remove.run(count),
  }
}
