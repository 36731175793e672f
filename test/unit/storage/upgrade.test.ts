import Database from 'better-sqlite3'
import { readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { integrityCheck } from '../../../src/main/storage/integrity-check.ts'
import { openDatabase } from '../../../src/main/storage/open-database.ts'
import { checkOrRestoreFile } from '../../../src/main/storage/prepare.ts'
import { restoreEdits } from '../../../src/main/storage/restore-edits.ts'
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

/** Returns the kind of file of a made-up next version, which has one more migration. */
const next = (migration: string): FileKind => ({
  ...connectionFile,
  migrations: [...connectionFile.migrations, migration],
})
/** A migration that adds a column and a table. */
const ADDS = 'ALTER TABLE edit ADD COLUMN later TEXT; CREATE TABLE later (a TEXT)'

/** Opens the file, does the work, and closes the file. */
function opened<T>(work: (store: ConnectionStore) => T): T {
  const store = must(openStore(file))
  try {
    return work(store)
  } finally {
    store.close()
  }
}

/** Opens the file with this kind's migrations, and returns the version and the edits that it has then. */
function upgraded(kind: FileKind): { version: unknown; edits: unknown[] } {
  const db = must(openDatabase(file, kind, (made) => made))
  const edits = db.prepare('SELECT id, later FROM edit ORDER BY seq').all()
  const version = db.pragma('user_version', { simple: true })
  db.close()
  return { version, edits }
}

/** Returns the content of each file in the folder, by name. */
const contents = () => new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'base64')]))

test('upgrades a file of this version to the next, without changing its data', () => {
  const version = connectionFile.migrations.length + 1
  const edits = ['e', 'secret'].map((id) => ({ id, later: null }))
  expect(upgraded(next(ADDS))).toEqual({ version, edits })
  expect(integrityCheck(file, next(ADDS))).toBe(true)
  // A second start does not upgrade again.
  expect(upgraded(next(ADDS))).toEqual({ version, edits })
})

test('keeps the values of the meta table of an earlier version when the table is created again', () => {
  const former = join(folder, 'former.db')
  const made = must(
    openDatabase(former, { ...connectionFile, migrations: connectionFile.migrations.slice(0, 2) }, (db) => db),
  )
  made.exec(`INSERT INTO meta VALUES ('tags', '[]')`)
  made.close()
  const db = must(openDatabase(former, connectionFile, (upgraded) => upgraded))
  expect(db.prepare('SELECT rowid, name, value FROM meta').all()).toEqual([{ rowid: 1, name: 'tags', value: '[]' }])
  db.close()
  expect(integrityCheck(former, connectionFile)).toBe(true)
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

/** Creates the file as the first version did, with a website that has an edit and a note of a remote change. */
function writeFirstVersion(): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name))
  const kind = { ...connectionFile, migrations: connectionFile.migrations.slice(0, 1) }
  const db = must(openDatabase(file, kind, (made) => made))
  db.exec(`
    INSERT INTO website (key, id, rank, domain, record, remote_change)
      VALUES ('k', '7', 7, 'a.example', '{"id":"7","domain":"a.example","privacy":1,"extra":{}}', '{"what":"added","at":1}');
    INSERT INTO edit (id, website, kind, settings, base, state, standing, attempts, changed_at)
      VALUES ('e', 'k', 'update', '{"email":true}', '{"settings":{}}', 'queued', '{"state":"queued"}', 0, 1);
    INSERT INTO meta VALUES ('deletedRemotely', '{"count":1,"domains":["b.example"]}'), ('completeAt', '5')`)
  db.close()
}

test('removes the notes of remote changes of the first version, and nothing else', () => {
  writeFirstVersion()
  opened((store) => {
    expect(store.website('k')).toEqual({
      ...{ key: 'k', id: '7', domain: 'a.example' },
      record: { id: '7', domain: 'a.example', privacy: 1, extra: {} },
    })
    expect(store.edit('e')).toMatchObject({ website: 'k', settings: { email: true }, standing: { state: 'queued' } })
    expect([store.completeAt(), store.remoteChanges()]).toEqual([5, 0])
  })
  const db = new Database(file, { readonly: true })
  const columns = db.prepare(`SELECT name FROM pragma_table_info('website')`).pluck().all()
  const notes = db.prepare('SELECT name FROM meta').pluck().all()
  db.close()
  expect(columns).toEqual(['key', 'id', 'rank', 'domain', 'record'])
  expect(notes).not.toContain('deletedRemotely')
  expect(integrityCheck(file, connectionFile)).toBe(true)
})

test('restores the edits of a damaged file of the first version into a backup', () => {
  writeFirstVersion()
  const damaged = new Database(file)
  const backup = must(openDatabase(join(folder, 'backup.db'), connectionFile, (made) => made))
  restoreEdits(backup, damaged)
  const edits = backup.prepare('SELECT edit.id, domain FROM edit JOIN website ON website = key').all()
  for (const db of [damaged, backup]) db.close()
  expect(edits).toEqual([{ id: 'e', domain: 'a.example' }])
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
