import { editKindSchema, type EditKind } from '../../shared/edit.ts'
import { websiteSettingsSchema } from '../../shared/website.ts'
import { readJson } from '../../shared/json.ts'
import { editSchema, isUnreadable, type Edit } from '../outbox/model/edit.ts'
import type { EditStore, FirstEdit } from '../outbox/ports.ts'
import { notesIn } from './notes.ts'
import { IS_PARKED_BY_LIMIT, IS_OTHER_SPELLING } from './schema.ts'
import type { Db } from './sqlite.ts'

/** SQL condition: an earlier edit deletes another website for which `isSameDomain` is true. */
const earlierDelete = (isSameDomain: string) => `EXISTS (
  SELECT 1 FROM website AS here JOIN website AS other ON ${isSameDomain} AND other.key <> here.key
  JOIN edit AS removal ON removal.website = other.key AND removal.kind = 'delete' AND removal.seq < edit.seq
  WHERE here.key = edit.website)`

/**
 * SQL condition: an earlier edit deletes a website of the same domain, in any spelling, so that a create has to wait. Of an
 * international domain, only the spelling of the create is found.
 */
const EARLIER_DELETE = `(${earlierDelete('other.domain = here.domain')} OR ${earlierDelete(
  `${IS_OTHER_SPELLING.replaceAll('domain', 'other.domain')} AND lower(other.domain) IN (here.domain, 'www.' || here.domain)`,
)})`

/** Reading this many edits takes a few milliseconds. */
const SLICE = 500

const WRITTEN_COLUMNS = 'kind, settings, sealed, base, state, standing, attempts, sent, note, changed_at'
const WRITTEN_PARAMETERS = WRITTEN_COLUMNS.replaceAll(/\w+/g, '@$&')

/** The name of the stored number that `nextOrder` has returned last. */
const ORDER_NOTE = 'order'

/** Stores the edits of a connection (docs/sync.md#edit-states). */
export function editStore(db: Db): EditStore {
  const notes = notesIn(db, 'meta')
  const byId = db.prepare<[string], EditRow>('SELECT * FROM edit WHERE id = ?')
  // The cast keeps SQLite from planning the query again for each website, which takes ten times as long as the query.
  const ofWebsite = db.prepare<[string], EditRow>('SELECT * FROM edit WHERE website = CAST(? AS TEXT) ORDER BY seq')
  const pageOf = (state: string) =>
    db.prepare<[number, number], EditRow>(
      `SELECT * FROM edit WHERE seq IN (SELECT seq FROM edit WHERE state ${state} ORDER BY seq LIMIT ? OFFSET ?) ORDER BY seq`,
    )
  const parkedPage = pageOf("= 'parked'")
  const waitingPage = pageOf("<> 'parked'")
  const countParked = db.prepare<[], number>("SELECT count(*) FROM edit WHERE state = 'parked'").pluck()
  const firstEdits = db.prepare<[number], Omit<FirstEdit, 'depends'> & { depends: number }>(`
    SELECT id, website, seq, kind, attempts, kind = 'create' AND ${EARLIER_DELETE} AS depends FROM edit
    WHERE seq >= ? AND state <> 'parked'
      AND NOT EXISTS (SELECT 1 FROM edit AS earlier WHERE earlier.website = edit.website AND earlier.seq < edit.seq)
    ORDER BY seq`)
  const depends = db.prepare<[string], { depends: number }>(
    `SELECT kind = 'create' AND ${EARLIER_DELETE} AS depends FROM edit WHERE id = ?`,
  )
  const tally = db.prepare<[], { state: string; kind: EditKind; n: number }>(
    'SELECT state, kind, count(*) AS n FROM edit GROUP BY state, kind',
  )
  const deletes = db.prepare<[]>(
    `SELECT 1 FROM edit WHERE kind = 'delete' AND state <> 'parked' AND NOT EXISTS (
       SELECT 1 FROM edit AS ahead WHERE ahead.website = edit.website AND ahead.seq < edit.seq AND ahead.state = 'parked')
     LIMIT 1`,
  )
  const limited = db.prepare<[], EditRow>(
    // Without the hint, SQLite would scan all parked edits.
    `SELECT * FROM edit INDEXED BY edit_limited WHERE ${IS_PARKED_BY_LIMIT} ORDER BY seq`,
  )
  const from = db.prepare<[number, number], EditRow>('SELECT * FROM edit WHERE seq >= ? ORDER BY seq LIMIT ?')
  const countUnparked = db.prepare<[string], { n: number }>(
    `SELECT count(*) AS n FROM edit WHERE state <> 'parked' AND id IN (SELECT value FROM json_each(?))`,
  )
  const add = db.prepare<Written>(
    `INSERT INTO edit (id, website, ${WRITTEN_COLUMNS}) VALUES (@id, @website, ${WRITTEN_PARAMETERS})`,
  )
  const save = db.prepare<Written>(`UPDATE edit SET (${WRITTEN_COLUMNS}) = (${WRITTEN_PARAMETERS}) WHERE id = @id`)
  const remove = db.prepare<[string]>('DELETE FROM edit WHERE id = ?')
  // Leaves out the password, which is erased with the edit.
  const setAside = db.prepare<[string]>(
    `INSERT OR REPLACE INTO meta (name, value)
     SELECT 'unreadable:' || id, json_object('seq', seq, 'id', id, 'website', website, 'kind', kind, 'settings', settings,
       'base', base, 'state', state, 'standing', standing, 'attempts', attempts, 'sent', sent, 'note', note,
       'changed_at', changed_at)
     FROM edit WHERE id = ?`,
  )
  // Leaves an edit unchanged whose standing this version doesn't write.
  const doubt = db.prepare(
    `UPDATE edit SET state = 'inDoubt', standing = '{"state":"inDoubt","error":null}'
     WHERE state = 'sending' AND standing = '${JSON.stringify({ state: 'sending' })}'`,
  )

  // Unreadable edits can only come from another version, so all of them are in the file when it is opened.
  const unreadable: string[] = []
  let inspected = 0

  function countTally(): { waiting: number; parked: number } {
    const counts = { waiting: 0, parked: 0 }
    for (const { state, n } of tally.iterate()) counts[state === 'parked' ? 'parked' : 'waiting'] += n
    return counts
  }

  function inspect(): boolean {
    const rows = from.all(inspected, SLICE)
    for (const row of rows) if (isUnreadable(readEdit(row))) unreadable.push(row.id)
    inspected = (rows.at(-1)?.seq ?? inspected) + 1
    return rows.length === SLICE
  }

  const lastOrder = (): number => {
    const order = notes.get(ORDER_NOTE)
    return typeof order === 'number' ? order : 0
  }

  return {
    nextOrder(wall) {
      const order = Math.max(wall, lastOrder() + 1)
      notes.set(ORDER_NOTE, order)
      return order
    },
    lastOrder,
    edit(id) {
      const row = byId.get(id)
      return row === undefined ? null : readEdit(row)
    },
    editsOf: (website) => ofWebsite.all(website).map(readEdit),
    editsFrom: (seq, limit) => from.all(seq, limit).map(readEdit),
    editsPage(offset, limit) {
      const parked = parkedPage.all(limit, offset)
      const behind = Math.max(0, offset - (countParked.get() ?? 0))
      return [...parked, ...waitingPage.all(limit - parked.length, behind)].map(readEdit)
    },
    *firstEdits(from) {
      for (const head of firstEdits.iterate(from)) yield { ...head, depends: head.depends === 1 }
    },
    dependsOnDelete: (edit) => depends.get(edit.id)?.depends === 1,
    hasDeletes: () => deletes.get() !== undefined,
    // Leaves out an unreadable edit, which can't be queued again and which the user can only discard.
    limited: () =>
      limited
        .all()
        .map(readEdit)
        .filter((edit) => !isUnreadable(edit)),
    waitingKinds() {
      const kinds = { create: 0, update: 0, delete: 0 }
      for (const { state, kind, n } of tally.iterate()) if (state !== 'parked') kinds[kind] += n
      return kinds
    },
    counts() {
      if (inspected === 0) inspect()
      const { waiting, parked } = countTally()
      // Unreadable edits count as parked, whatever their state.
      const unparked = unreadable.length === 0 ? 0 : (countUnparked.get(JSON.stringify(unreadable))?.n ?? 0)
      return { waiting: waiting - unparked, parked: parked + unparked }
    },
    inspect,
    addEdit: (edit) => void add.run(toRow(edit)),
    saveEdit: (edit) => void save.run(toRow(edit)),
    removeEdit: (id) => void remove.run(id),
    setAside: (id) => void setAside.run(id),
    markInterruptedInDoubt: () => doubt.run().changes,
  }
}

/** The database assigns `seq`. */
type Written = Omit<EditRow, 'seq'> & { state: string }

const toRow = (edit: Omit<Edit, 'seq'>): Written => ({
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
})

interface EditRow {
  seq: number
  id: string
  website: string
  kind: string
  settings: string
  sealed: Uint8Array | null
  base: string
  standing: string
  attempts: number
  sent: string | null
  note: string | null
  changed_at: number
}

/** An edit that this version doesn't understand gets the standing `unreadable`. */
export function readEdit(row: EditRow): Edit {
  const { id, seq, website, kind, sealed, attempts, note } = row
  const read = {
    ...{ id, seq, website, kind, sealed, attempts, changedAt: row.changed_at },
    settings: readJson(row.settings),
    base: readJson(row.base),
    standing: readJson(row.standing),
    sent: row.sent === null ? null : readJson(row.sent),
    ...(note !== null && { note: readJson(note) ?? null }),
  }
  return editSchema.safeParse(read).data ?? unreadableEdit(row)
}

/** Returns as much of the edit as can be shown to the user. */
const unreadableEdit = ({ id, seq, website, kind, settings, sealed, changed_at }: EditRow): Edit => ({
  id,
  seq,
  website,
  kind: editKindSchema.safeParse(kind).data ?? 'update',
  settings: websiteSettingsSchema.partial().safeParse(readJson(settings)).data ?? {},
  sealed: sealed instanceof Uint8Array ? sealed : null,
  base: { settings: {} },
  standing: { state: 'unreadable' },
  attempts: 0,
  sent: null,
  changedAt: typeof changed_at === 'number' ? changed_at : 0,
})
