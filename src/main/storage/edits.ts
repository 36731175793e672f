import { isUnreadable, type Edit } from '../outbox/edit.ts'
import type { Head, OutboxStore } from '../outbox/ports.ts'
import { readEdit, type EditRow } from './read-edit.ts'
import type { Db } from './sqlite.ts'

/** An edit that its creation has to follow: an earlier delete of the same domain. */
const EARLIER_DELETE = `EXISTS (
  SELECT 1 FROM website AS here JOIN website AS other ON other.domain = here.domain AND other.key <> here.key
  JOIN edit AS removal ON removal.website = other.key AND removal.kind = 'delete' AND removal.seq < edit.seq
  WHERE here.key = edit.website)`

const COLUMNS = 'id, website, kind, settings, sealed, base, state, standing, attempts, sent, note, changed_at'
const VALUES =
  '@id, @website, @kind, @settings, @sealed, @base, @state, @standing, @attempts, @sent, @note, @changed_at'

type EditStore = Pick<
  OutboxStore,
  | 'edit'
  | 'editsOf'
  | 'editsPage'
  | 'heads'
  | 'dependsOnDelete'
  | 'counts'
  | 'addEdit'
  | 'saveEdit'
  | 'removeEdit'
  | 'doubtInterrupted'
>

/** The edits of a connection's file (sync.md, "Life of an edit"). */
export function editStore(db: Db): EditStore {
  const byId = db.prepare<[string], EditRow>('SELECT * FROM edit WHERE id = ?')
  const ofWebsite = db.prepare<[string], EditRow>('SELECT * FROM edit WHERE website = ? ORDER BY seq')
  const page = db.prepare<[number, number], EditRow>('SELECT * FROM edit ORDER BY seq LIMIT ? OFFSET ?')
  const heads = db.prepare<[], Omit<Head, 'depends'> & { depends: number }>(`
    SELECT id, kind, attempts, kind = 'create' AND ${EARLIER_DELETE} AS depends FROM edit
    WHERE state <> 'parked'
      AND NOT EXISTS (SELECT 1 FROM edit AS earlier WHERE earlier.website = edit.website AND earlier.seq < edit.seq)
    ORDER BY seq`)
  const depends = db.prepare<[string], { depends: number }>(
    `SELECT kind = 'create' AND ${EARLIER_DELETE} AS depends FROM edit WHERE id = ?`,
  )
  const counts = db.prepare<[], { waiting: number; parked: number }>(
    `SELECT count(*) FILTER (WHERE state <> 'parked') AS waiting, count(*) FILTER (WHERE state = 'parked') AS parked
     FROM edit`,
  )
  const all = db.prepare<[], EditRow>('SELECT * FROM edit')
  const countUnparked = db.prepare<[string], { n: number }>(
    `SELECT count(*) AS n FROM edit WHERE state <> 'parked' AND id IN (SELECT value FROM json_each(?))`,
  )
  const add = db.prepare(`INSERT INTO edit (${COLUMNS}) VALUES (${VALUES})`)
  const save = db.prepare(
    `UPDATE edit SET (${COLUMNS.replace('id, ', '')}) = (${VALUES.replace('@id, ', '')}) WHERE id = @id`,
  )
  const remove = db.prepare<[string]>('DELETE FROM edit WHERE id = ?')
  // One that says more than this version ever wrote there isn't touched.
  const doubt = db.prepare(
    `UPDATE edit SET state = 'inDoubt', standing = '{"state":"inDoubt","error":null}'
     WHERE state = 'sending' AND standing = '${JSON.stringify({ state: 'sending' })}'`,
  )

  // Those in the file when it was opened: this version writes none that it can't read.
  let unreadable: string[] | null = null
  function findUnreadable(): string[] {
    const found: string[] = []
    for (const row of all.iterate()) if (isUnreadable(readEdit(row))) found.push(row.id)
    return found
  }

  return {
    edit(id) {
      const row = byId.get(id)
      return row === undefined ? null : readEdit(row)
    },
    editsOf: (website) => ofWebsite.all(website).map(readEdit),
    editsPage: (offset, limit) => page.all(limit, offset).map(readEdit),
    *heads() {
      for (const head of heads.iterate()) yield { ...head, depends: head.depends === 1 }
    },
    dependsOnDelete: (edit) => depends.get(edit.id)?.depends === 1,
    counts() {
      const { waiting, parked } = counts.get() ?? { waiting: 0, parked: 0 }
      unreadable ??= findUnreadable()
      // Whatever they were, they need the person now.
      const stuck = unreadable.length === 0 ? 0 : (countUnparked.get(JSON.stringify(unreadable))?.n ?? 0)
      return { waiting: waiting - stuck, parked: parked + stuck }
    },
    addEdit: (edit) => void add.run(toRow(edit)),
    saveEdit: (edit) => void save.run(toRow(edit)),
    removeEdit: (id) => void remove.run(id),
    doubtInterrupted: () => doubt.run().changes,
  }
}

function toRow(edit: Omit<Edit, 'seq'>): Omit<EditRow, 'seq'> & { state: string } {
  return {
    id: edit.id,
    website: edit.website,
    kind: edit.kind,
    settings: JSON.stringify(edit.settings),
    sealed: edit.sealed,
    base: JSON.stringify(edit.base),
    state: edit.standing.state,
    standing: JSON.stringify(edit.standing),
    attempts: edit.attempts,
    sent: edit.sent === null ? null : JSON.stringify(edit.sent),
    note: edit.note === undefined ? null : JSON.stringify(edit.note),
    changed_at: edit.changedAt,
  }
}
