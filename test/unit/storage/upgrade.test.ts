import Database from 'better-sqlite3'
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../../../src/main/storage/open.ts'
import { prepareFile } from '../../../src/main/storage/prepare.ts'
import { connectionMigrations } from '../../../src/main/storage/schema.ts'
import { openStore, type ConnectionStore } from '../../../src/main/storage/store.ts'
import { ok } from '../../../src/shared/result.ts'
import { codeOf, must } from '../outbox/rig.ts'
import { anEdit } from './filled.ts'

const released = (version: number): string =>
  join(import.meta.dirname, `../../fixtures/schema-v${String(version)}.sqlite`)
/** Those that a file may have that isn't of this version. */
const OLDER = connectionMigrations.slice(1).map((_, n) => n + 1)

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'siteward-upgrade-'))
  file = join(folder, 'c.sqlite')
  copyFileSync(released(1), file)
})

afterEach(() => rmSync(folder, { recursive: true }))

const prepare = () => prepareFile({ file, kind: 'connection', known: true })
const copies = () => readdirSync(folder).filter((name) => name.includes('before-upgrade'))

function opened<T>(work: (store: ConnectionStore) => T): T {
  const store = must(openStore(file))
  try {
    return work(store)
  } finally {
    store.close()
  }
}

function expectEverything(store: ConnectionStore): void {
  expect(store.total()).toBe(62)
  expect(store.completeAt()).toBe(5)
  expect(store.account()?.account.name).toBe('Northwind')
  expect(store.counts()).toEqual({ waiting: 6, parked: 2 })
  const sent = { before: 'absent', date: 1_700_000_000_000, accepted: false, doubted: true }
  expect(store.edit('queued')).toMatchObject({
    kind: 'update',
    settings: { email: true },
    standing: { state: 'queued' },
  })
  expect(store.edit('queued')?.base).toEqual({ settings: { email: false }, updated_at: '2026-01-01T00:00:00Z' })
  expect(store.edit('sending')).toMatchObject({ standing: { state: 'sending' }, attempts: 1 })
  expect(store.edit('doubt')).toMatchObject({ standing: { state: 'inDoubt', error: { code: 'timeout' } }, sent })
  expect(store.edit('refused')).toMatchObject({ standing: { state: 'parked', reason: 'refused', error: null } })
  expect(store.edit('removal')).toMatchObject({ kind: 'delete' })
  expect(Buffer.from(store.edit('secret')?.sealed ?? []).toString()).toBe('sealed-password')
  expect(Buffer.from(store.edit('creation')?.sealed ?? []).toString()).toBe('another-sealed-password')
  expect(store.edit('adoption')).toMatchObject({ kind: 'create', standing: { reason: 'adopt' }, sent })
  const order = store.editsFrom(0, 10).map(({ id }) => id)
  expect(order).toEqual(['queued', 'sending', 'doubt', 'refused', 'removal', 'secret', 'creation', 'adoption'])
}

test.each(OLDER)('a file of schema %i is upgraded with everything in it, prepared or not', (version) => {
  copyFileSync(released(version), file)
  must(prepare())
  opened((store) => {
    expectEverything(store)
    expect(store.salvaged()).toBeNull()
    must(store.write(() => ok(store.addEdit(anEdit('new', store.edit('queued')?.website ?? '')))))
  })
  copyFileSync(released(version), file)
  opened(expectEverything)
})

/** Schema 1 had none of these. */
test.each(OLDER.filter((version) => version > 1))(
  'of schema %i what became of edits, and requests that may still land, are kept with their passwords',
  (version) => {
    copyFileSync(released(version), file)
    opened((store) => {
      const website = store.websitesOfDomain('website-20.example')[0]?.key ?? ''
      const past = { website, domain: 'website-20.example', kind: 'update', settings: { email: true }, at: 7 }
      expect(store.pasts(0, 10, undefined)).toMatchObject([
        { ...past, id: 'let-go', became: 'discarded' },
        {
          ...past,
          id: 'applied',
          became: 'sent',
          before: { email: false },
          overwritten: { exclude_ips: ['10.0.0.1'] },
        },
      ])
      expect(store.countPasts(website)).toBe(2)
      expect(['applied', 'applied-with-it', 'let-go'].map((id) => store.wasApplied(id))).toEqual([true, true, false])
      const [stray, ...more] = store.straysOf(website)
      expect(more).toEqual([])
      expect(stray).toMatchObject({ edit: 'given-up', settings: { email: true }, expected: { email: false } })
      expect([stray?.sealed, stray?.newest].map((sealed) => Buffer.from(sealed ?? []).toString())).toEqual([
        'a-late-password',
        'the-newest-password',
      ])
      expect(store.stagedState()).toBe(version > 2 ? 'part' : 'nothing')
      expect(store.staged(10)).toEqual(version > 2 ? [{ put: 'aside' }] : [])
    })
  },
)

test.each(OLDER)(
  'a copy of schema %i is kept until a start that finds the upgraded file whole and in order',
  (version) => {
    copyFileSync(released(version), file)
    must(prepare())
    expect(copies()).toEqual([`c.sqlite.before-upgrade-from-v${String(version)}`])
    const copy = join(folder, copies()[0] ?? '')
    const read = <T>(from: string, work: (db: Database.Database) => T): T => {
      const db = new Database(from, { readonly: true })
      try {
        return work(db)
      } finally {
        db.close()
      }
    }
    const edits = (db: Database.Database) => db.prepare('SELECT * FROM edit ORDER BY seq').all()
    const untouched = join(folder, 'released.sqlite')
    copyFileSync(released(version), untouched)
    expect(read(copy, edits)).toEqual(read(untouched, edits))
    expect(read(copy, (db) => db.pragma('user_version', { simple: true }))).toBe(version)

    // As after a crash: what it wrote is in its log still.
    const store = must(openStore(file))
    must(store.write(() => ok(store.addWebsite('k', 'k.example'))))
    const crashed = { file: readFileSync(file), log: readFileSync(`${file}-wal`) }
    expect(crashed.log.length).toBeGreaterThan(0)
    expect(copies()).toHaveLength(1)
    store.close()
    must(prepare())
    expect(copies()).toEqual([])
  },
)

test('an upgrade that fails changes nothing, and leaves the copy', () => {
  const broken = [...connectionMigrations, 'CREATE TABLE one (a); CREATE TABLE one (a)']
  opened((store) => expect(store.total()).toBe(62))
  const before = readFileSync(file)
  expect(codeOf(openDatabase(file, broken, () => null))).toBe('storage')
  expect(readFileSync(file).subarray(100).equals(before.subarray(100))).toBe(true)
  opened(expectEverything)
})

/** As the version after this one leaves it: killed, with a log beside the file. */
function newer(more: string): Map<string, string> {
  const live = join(folder, 'live.sqlite')
  copyFileSync(released(1), live)
  must(openStore(live)).close()
  const db = new Database(live)
  db.pragma('locking_mode = EXCLUSIVE')
  db.exec(`${more}; UPDATE edit SET changed_at = 77; PRAGMA user_version = 99`)
  copyFileSync(live, file)
  copyFileSync(`${live}-wal`, `${file}-wal`)
  db.close()
  for (const name of readdirSync(folder)) if (name.startsWith('live.')) rmSync(join(folder, name))
  return contents()
}

const contents = () => new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'base64')]))

test('a file of a newer version is read, its log included, and not a byte of it changes', () => {
  const before = newer(`ALTER TABLE edit ADD COLUMN later TEXT; CREATE TABLE later (a)`)
  expect([...before.keys()].toSorted()).toEqual(['c.sqlite', 'c.sqlite-wal'])
  must(prepare())
  opened((store) => {
    expect(store.readOnly).toBe(true)
    expectEverything(store)
    expect(store.edit('queued')?.changedAt).toBe(77)
    expect(codeOf(store.write(() => ok(store.removeEdit('queued'))))).toBe('newer-version')
    expect(codeOf(store.beginRun())).toBe('newer-version')
    expect(codeOf(store.savePage({ run: 1, mark: 0, position: 0, websites: [] }))).toBe('newer-version')
    expect(codeOf(store.removeMissing('k', 0))).toBe('newer-version')
    expect(codeOf(store.dismissSalvage())).toBe('newer-version')
    expectEverything(store)
  })
  expect(contents()).toEqual(before)
})

test('one that this version can’t read at all says so, and is left alone', () => {
  const before = newer('DROP TABLE meta')
  must(prepare())
  expect(codeOf(openStore(file))).toBe('newer-version')
  expect(contents()).toEqual(before)
})
