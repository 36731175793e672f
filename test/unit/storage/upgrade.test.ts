import Database from 'better-sqlite3'
import { readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { integrityCheck } from '../../../src/main/storage/integrity-check.ts'
import { openDatabase } from '../../../src/main/storage/open-database.ts'
import { checkOrRestoreFile } from '../../../src/main/storage/prepare.ts'
import { connectionFile, type FileKind } from '../../../src/main/storage/schema.ts'
import { openStore, type ConnectionStore } from '../../../src/main/storage/store.ts'
import { ok } from '../../../src/shared/result.ts'
import { databaseFolder } from '../../database-folder.ts'
import { codeOf, must } from '../outbox/rig.ts'
import { anEdit, fillStore } from './filled.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = databaseFolder('siteward-upgrade-')
  file = join(folder, 'c.db')
  fillStore(file, [anEdit('e', 'k'), anEdit('secret', 'k2', { sealed: Buffer.from('sealed-password') })])
})

afterEach(() => rmSync(folder, { recursive: true }))

/** Returns the file kind of an invented next version, which has one more migration. */
const next = (migration: string): FileKind => ({
  ...connectionFile,
  migrations: [...connectionFile.migrations, migration],
})
const ADDS = 'ALTER TABLE edit ADD COLUMN later TEXT; CREATE TABLE later (a TEXT)'

function opened<T>(work: (store: ConnectionStore) => T): T {
  const store = must(openStore(file))
  try {
    return work(store)
  } finally {
    store.close()
  }
}

/** Opens the file with this kind's migrations. Returns its version and edits after the migrations. */
function upgraded(kind: FileKind): { version: unknown; edits: unknown[] } {
  const db = must(openDatabase(file, kind, (made) => made))
  const edits = db.prepare('SELECT id, later FROM edit ORDER BY seq').all()
  const version = db.pragma('user_version', { simple: true })
  db.close()
  return { version, edits }
}

const contents = () => new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'base64')]))

test('upgrades a file of this version to the next, without changing its data', () => {
  const version = connectionFile.migrations.length + 1
  const edits = ['e', 'secret'].map((id) => ({ id, later: null }))
  expect(upgraded(next(ADDS))).toEqual({ version, edits })
  expect(integrityCheck(file, next(ADDS))).toBe(true)
  // Another start does not run the migration again.
  expect(upgraded(next(ADDS))).toEqual({ version, edits })
})

test('keeps a copy from before an upgrade, which this version can read and which has no password', () => {
  upgraded(next(ADDS))
  const [name, ...more] = readdirSync(folder).filter((each) => each.includes('.before-'))
  expect([name, more]).toEqual([`c.db.before-v${String(connectionFile.migrations.length + 1)}`, []])
  const copy = join(folder, name ?? '')
  expect(readFileSync(copy).includes('sealed-password')).toBe(false)
  if (process.platform !== 'win32') expect(statSync(copy).mode & 0o777).toBe(0o600)
  expect(readFileSync(file).includes('sealed-password')).toBe(true)
  file = copy
  opened((store) => {
    expect(store.edit('e')).toMatchObject({ settings: { email: true }, standing: { state: 'queued' } })
    expect(store.edit('secret')?.sealed).toHaveLength(0)
  })
})

test('changes nothing when an upgrade fails', () => {
  expect(codeOf(openDatabase(file, next('CREATE TABLE one (a); CREATE TABLE one (a)'), () => null))).toBe('storage')
  expect(integrityCheck(file, connectionFile)).toBe(true)
  opened((store) => expect(store.edit('e')).not.toBeNull())
})

test('keeps the edits of a file from before the first release, which has other columns', () => {
  const db = new Database(file)
  db.exec('ALTER TABLE website ADD COLUMN remote_change TEXT; PRAGMA user_version = 1')
  db.close()
  must(checkOrRestoreFile({ file, kind: 'connection', hadData: true }))
  opened((store) => {
    expect(store.edit('e')).toMatchObject({ website: 'k', settings: { email: true }, standing: { state: 'queued' } })
    expect(store.website('k')).toMatchObject({ domain: 'k.example' })
    expect(readdirSync(folder)).toContain(basename(store.salvaged()?.quarantined ?? ''))
  })
})

test('shows a file of a newer version without changing a byte', () => {
  upgraded(next(ADDS))
  const before = contents()
  must(checkOrRestoreFile({ file, kind: 'connection', hadData: true }))
  opened((store) => {
    expect(store.readOnly).toBe(true)
    expect(store.total()).toBe(102)
    expect(store.edit('e')).toMatchObject({ settings: { email: true } })
    expect(codeOf(store.write(() => ok(store.removeEdit('e'))))).toBe('newer-version')
    expect(codeOf(store.beginRun())).toBe('newer-version')
    expect(codeOf(store.savePage({ run: 1, mark: 0, position: 0, websites: [] }))).toBe('newer-version')
    expect(codeOf(store.removeMissing('k', 0))).toBe('newer-version')
    expect(codeOf(store.dismissSalvage())).toBe('newer-version')
  })
  expect(contents()).toEqual(before)
})

test('reports a file of a newer version that it can’t read, and leaves it unchanged', () => {
  upgraded(next(`${ADDS}; DROP TABLE meta`))
  const before = contents()
  must(checkOrRestoreFile({ file, kind: 'connection', hadData: true }))
  expect(codeOf(openStore(file))).toBe('newer-version')
  expect(contents()).toEqual(before)
})

test('does not take another program’s database for one of ours', () => {
  rmSync(file)
  const db = new Database(file)
  db.exec('CREATE TABLE edit (a TEXT); PRAGMA user_version = 1')
  db.close()
  const before = readFileSync(file)
  must(checkOrRestoreFile({ file, kind: 'connection', hadData: true }))
  opened((store) => expect(readFileSync(store.salvaged()?.quarantined ?? '')).toEqual(before))
})
