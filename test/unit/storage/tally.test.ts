import Database from 'better-sqlite3'
import fc from 'fast-check'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Edit } from '../../../src/main/outbox/edit.ts'
import { recordHistory } from '../../../src/main/outbox/history.ts'
import { connectionMigrations, STAYS } from '../../../src/main/storage/schema.ts'
import { openStore } from '../../../src/main/storage/store.ts'
import { fail, ok } from '../../../src/shared/result.ts'
import { must } from '../outbox/rig.ts'
import { anEdit } from './filled.ts'

const kinds = ['create', 'update', 'delete'] as const
const standings: Edit['standing'][] = [
  { state: 'queued' },
  { state: 'sending' },
  { state: 'inDoubt', error: null },
  { state: 'parked', reason: 'refused', error: null, theirs: null },
]

const deed = fc.record({
  does: fc.constantFrom('add', 'save', 'remove', 'removeWebsite', 'acknowledgeDelete', 'doubt'),
  website: fc.nat(2),
  edit: fc.nat(5),
  kind: fc.constantFrom(...kinds),
  standing: fc.constantFrom(...standings),
  /** The transaction comes to nothing. */
  fails: fc.boolean(),
})

/** Counted one by one, from the edits themselves. */
function counted(edits: Edit[]) {
  const waiting = edits.filter(({ standing }) => standing.state !== 'parked')
  const of = (kind: Edit['kind']) => waiting.filter((edit) => edit.kind === kind).length
  return {
    counts: { waiting: waiting.length, parked: edits.length - waiting.length },
    kinds: { create: of('create'), update: of('update'), delete: of('delete') },
  }
}

test('whatever happens to edits, and to their websites, their number is known without counting them', () => {
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 40 }), (deeds) => {
      const store = must(openStore(':memory:'))
      for (const { does, website, edit: n, kind, standing, fails } of deeds) {
        const [key, id] = [`k${String(website)}`, `e${String(n)}`]
        const what = { settings: {}, sealed: null, base: { settings: {} }, attempts: 0, sent: null, changedAt: 1 }
        store.write(() => {
          if (store.website(key) === null) store.addWebsite(key, `${key}.example`)
          const known = store.edit(id)
          if (does === 'add' && known === null) store.addEdit({ ...what, id, website: key, kind, standing })
          if (does === 'save' && known !== null) store.saveEdit({ ...known, kind, standing })
          if (does === 'remove') store.removeEdit(id)
          if (does === 'removeWebsite') store.removeWebsite(key)
          if (does === 'acknowledgeDelete') store.acknowledgeDelete(key)
          if (does === 'doubt') store.doubtInterrupted()
          return fails ? fail('storage') : ok(undefined)
        })
        const edits = store.editsPage(0, 100)
        const { counts, kinds } = counted(edits)
        expect(store.counts()).toEqual(counts)
        expect(store.waitingKinds()).toEqual(kinds)
        // One behind a parked edit waits for the person.
        const isParked = ({ standing: { state } }: Edit) => state === 'parked'
        const isHeld = (edit: Edit) =>
          edits.some((one) => one.website === edit.website && one.seq < edit.seq && isParked(one))
        const free = edits.filter((edit) => edit.kind === 'delete' && !isParked(edit) && !isHeld(edit))
        expect(store.hasDeletes()).toBe(free.length > 0)
      }
      store.close()
    }),
  )
})

test('a new edit writes four pages: its own, its id’s, its website’s, and that of the numbers, which counts it too', () => {
  const folder = mkdtempSync(join(tmpdir(), 'siteward-pages-'))
  const file = join(folder, 'c.sqlite')
  const store = must(openStore(file))
  const log = () => statSync(`${file}-wal`).size
  const add = (n: number) => must(store.write(() => ok(store.addEdit(anEdit(`e${String(n)}`, 'k')))))
  must(store.write(() => ok(store.addWebsite('k', 'k.example'))))
  add(1)
  const before = log()
  add(2)
  expect((log() - before) / (4096 + 24)).toBe(4)
  store.close()
  rmSync(folder, { recursive: true })
})

test('one that is sent writes as few: two behind each other, eight in all with the answer of the first', () => {
  const folder = mkdtempSync(join(tmpdir(), 'siteward-pages-'))
  const file = join(folder, 'c.sqlite')
  const store = must(openStore(file))
  const log = () => statSync(`${file}-wal`).size
  const record = (n: number) => ({ id: String(n), domain: `${String(n)}.example`, extra: {} })
  const add = (n: number) =>
    must(
      store.write(() => {
        store.addWebsite(`k${String(n)}`, record(n).domain)
        store.acknowledge(`k${String(n)}`, record(n))
        return ok(store.addEdit(anEdit(`e${String(n)}`, `k${String(n)}`)))
      }),
    )
  const edits = [1, 2, 3, 4].map(add)
  function sent(n: number): void {
    const [edit, next] = [edits[n - 1], edits[n]]
    if (edit === undefined || next === undefined) throw new Error('There is none.')
    must(
      store.write(() => {
        recordHistory(store, edit, 'sent', { at: 1 })
        store.acknowledge(edit.website, { ...record(n), email: true })
        store.removeEdit(edit.id)
        return ok(store.saveEdit({ ...next, standing: { state: 'sending' } }))
      }),
    )
  }
  sent(1)
  sent(2)
  const before = log()
  sent(3)
  // The edit's own, its id's, its website's; the website; the history with its two indexes; the numbers.
  expect((log() - before) / (4096 + 24)).toBe(8)
  store.close()
  rmSync(folder, { recursive: true })
})

test('what needs the person, or is in doubt, is found by the index of states', () => {
  const db = new Database(':memory:')
  for (const migration of connectionMigrations) db.exec(migration)
  const plan = (sql: string) => db.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).get()?.detail
  for (const state of ['parked', 'inDoubt']) {
    const found = `SELECT * FROM edit WHERE state = '${state}' AND ${STAYS} ORDER BY seq`
    expect(plan(found)).toMatch(/USING INDEX edit_state/)
  }
  db.close()
})
