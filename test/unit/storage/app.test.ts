import Database from 'better-sqlite3'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openAppData, openAppStore, type AppStore } from '../../../src/main/storage/app.ts'
import { backupsOf } from '../../../src/main/storage/backup.ts'
import { scheduleBackups } from '../../../src/main/storage/backup-schedule.ts'
import { openStore } from '../../../src/main/storage/store.ts'
import { defaultSettings } from '../../../src/shared/state.ts'
import { databaseFolder } from '../../database-folder.ts'
import { fakeClock, MINUTE } from '../outbox/clock.ts'
import { codeOf, must } from '../outbox/rig.ts'
import { damageTable } from './damage-table.ts'

let folder: string
let app: AppStore

const open = () => must(openAppStore(join(folder, 'siteward.db')))

beforeEach(() => {
  folder = databaseFolder()
  app = open()
})

afterEach(() => {
  app.close()
  rmSync(folder, { recursive: true })
})

function reopen(): void {
  app.close()
  app = open()
}

const connection = (id: string) => ({
  id,
  address: `https://${id}.example`,
  accountId: null,
  name: id,
  sample: false,
})

test('keeps connections, the active one and the settings over a restart', () => {
  expect(app.activeConnection()).toBeNull()
  expect(app.settings()).toEqual(defaultSettings)
  must(app.saveConnection(connection('b')))
  must(app.saveConnection({ ...connection('a'), accountId: '7', sample: true }))
  must(app.setActive('a'))
  must(app.saveSettings({ ...defaultSettings, theme: 'dark' }))
  reopen()
  expect(app.connections()).toEqual([connection('b'), { ...connection('a'), accountId: '7', sample: true }])
  expect(app.activeConnection()?.id).toBe('a')
  expect(app.settings()).toEqual({ ...defaultSettings, theme: 'dark' })
})

test('removing a connection removes its draft and the address of its statistics', () => {
  for (const id of ['a', 'b']) must(app.saveConnection(connection(id)))
  const statisticsAddresses = { a: 'https://a.example/{id}', b: 'https://b.example/{id}' }
  must(app.saveSettings({ ...defaultSettings, theme: 'dark', statisticsAddresses }))
  must(app.saveNote('formDrafts_b', { form: 'half-typed.exa' }))
  must(app.removeConnection('a'))
  expect(app.note('formDrafts_b')).toEqual({ form: 'half-typed.exa' })
  expect(app.settings()).toEqual({
    ...defaultSettings,
    theme: 'dark',
    statisticsAddresses: { b: 'https://b.example/{id}' },
  })
  must(app.removeConnection('b'))
  expect(app.note('formDrafts_b')).toBeUndefined()
})

test('a connection that is saved again keeps its place in the list', () => {
  must(app.saveConnection(connection('a')))
  must(app.saveConnection(connection('b')))
  must(app.saveConnection({ ...connection('a'), name: 'renamed' }))
  expect(app.connections().map(({ name }) => name)).toEqual(['renamed', 'b'])
  must(app.setActive('a'))
  must(app.setActive(null))
  expect(app.activeConnection()).toBeNull()
})

test('keeps the record of an entry in the keychain over a restart, until the record is removed', () => {
  must(app.keychainRecords.set('a:api-key', true))
  must(app.keychainRecords.set('a:api-key', true))
  reopen()
  expect(app.keychainRecords.has('a:api-key')).toBe(true)
  expect(app.keychainRecords.has('b:api-key')).toBe(false)
  must(app.keychainRecords.set('a:api-key', false))
  expect(app.keychainRecords.has('a:api-key')).toBe(false)
})

const other = (name: string) => join(folder, name)

function made(name: string, sql: string): string {
  const db = new Database(other(name))
  db.exec(sql)
  db.close()
  return other(name)
}

test('reports a file of a newer version with another code than a file that is damaged or can’t be opened', () => {
  writeFileSync(other('text'), 'no database at all, but longer than the header of one: '.repeat(10))
  expect(codeOf(openAppStore(other('text')))).toBe('storage')
  expect(codeOf(openAppStore(made('bare', 'PRAGMA user_version = 1')))).toBe('storage')
  expect(codeOf(openAppStore(made('newer', 'PRAGMA application_id = 0x53574150; PRAGMA user_version = 99')))).toBe(
    'newer-version',
  )
  expect(codeOf(openAppStore(folder))).toBe('storage')
  expect(codeOf(openAppStore(join(folder, 'nowhere', 'siteward.db')))).toBe('storage')
})

test('uses the default settings, and no active connection, if the stored ones are damaged', () => {
  must(app.saveSettings({ ...defaultSettings, theme: 'dark' }))
  must(app.setActive('a'))
  app.close()
  made('siteward.db', `UPDATE setting SET value = '{"the'`)
  app = open()
  expect(app.settings()).toEqual(defaultSettings)
  expect(app.activeConnection()).toBeNull()
})

test('does not keep a new connection that could not be made the active one', () => {
  app.close()
  const refusal = `BEFORE INSERT ON setting BEGIN SELECT raise(ABORT, 'refused'); END`
  made('siteward.db', `CREATE TRIGGER refuses ${refusal}`)
  app = open()
  expect(codeOf(app.saveActive(connection('a')))).toBe('storage')
  expect(app.connections()).toEqual([])
})

test('reports a damaged table when the file is opened', () => {
  for (let n = 0; n < 200; n++) must(app.saveConnection({ ...connection(`c${String(n)}`), name: 'long '.repeat(50) }))
  app.close()
  damageTable(other('siteward.db'), 'connection')
  expect(codeOf(openAppStore(other('siteward.db')))).toBe('storage')
  app = must(openAppStore(other('another.db')))
})

const restarted = () => must(openAppData(folder))

const fileOf = (id: string) => join(folder, 'connections', `${id}.db`)

function accountFile(id: string, more: object = {}): void {
  mkdirSync(join(folder, 'connections'), { recursive: true })
  must(openStore(fileOf(id), { ...connection(id), ...more })).close()
}

test('restores what can be read of a damaged file, and reports the damage until the user dismisses the report', () => {
  for (const id of ['a', 'b', 'c']) must(app.saveConnection(connection(id)))
  must(app.setActive('b'))
  must(app.saveSettings({ ...defaultSettings, theme: 'dark' }))
  must(app.keychainRecords.set('b:api-key', true))
  app.close()
  const bytes = readFileSync(other('siteward.db'))
  bytes.fill(0xff, 68, 72)
  writeFileSync(other('siteward.db'), bytes)
  app = restarted()
  expect(app.connections()).toEqual(['a', 'b', 'c'].map(connection))
  expect(app.activeConnection()?.id).toBe('b')
  expect(app.settings()).toEqual({ ...defaultSettings, theme: 'dark' })
  expect(app.keychainRecords.has('b:api-key')).toBe(true)
  expect(readFileSync(app.salvaged()?.quarantined ?? '').equals(bytes)).toBe(true)
  must(app.dismissSalvage())
  reopen()
  expect(app.salvaged()).toBeNull()
})

test('restores the settings and the named addresses of a lost file from its backup, but no account that was removed', async () => {
  const clock = fakeClock()
  const stop = scheduleBackups(app, clock)
  for (const id of ['a', 'b']) must(app.saveConnection(connection(id)))
  must(await app.backUp())
  must(app.removeConnection('a'))
  expect(backupsOf(other('siteward.db'))).toEqual([])
  must(app.saveSettings({ ...defaultSettings, namedAddresses: [{ name: 'Office', lines: ['192.0.2.1'] }] }))
  await clock.advance(2 * MINUTE)
  await expect.poll(() => backupsOf(other('siteward.db'))).toHaveLength(1)
  stop()
  app.close()
  writeFileSync(other('siteward.db'), 'no database'.repeat(100))
  app = restarted()
  expect(app.connections()).toEqual([connection('b')])
  expect(app.settings().namedAddresses).toMatchObject([{ name: 'Office' }])
  expect(app.salvaged()?.backupAt).not.toBeNull()
})

test('after an account was removed, a backup without it is made at once, and two are kept again', async () => {
  for (const id of ['a', 'b']) must(app.saveConnection(connection(id)))
  must(await app.backUp())
  reopen()
  const clock = fakeClock()
  const stop = scheduleBackups(app, clock)
  must(await app.backUp())
  must(app.removeConnection('a'))
  await clock.advance(1_000)
  await expect.poll(() => backupsOf(other('siteward.db'))).toHaveLength(1)
  for (let n = 0; n < 2; n++) must(await app.backUp())
  expect(backupsOf(other('siteward.db'))).toHaveLength(2)
  stop()
})

test('if the app’s file is lost, finds the accounts by their own files or backups, and counts those that can’t be read', async () => {
  accountFile('a')
  const b = { ...connection('b'), accountId: '7' }
  accountFile('b', b)
  const store = must(openStore(fileOf('b'), b))
  must(await store.backUp())
  store.close()
  rmSync(fileOf('b'))
  writeFileSync(fileOf('c'), 'no database')
  app.close()
  writeFileSync(other('siteward.db'), '')
  app = restarted()
  expect(app.connections()).toEqual([connection('a'), b])
  expect(app.salvaged()).toMatchObject({ why: 'damaged', backupAt: null, lostAccounts: 1 })
})

test('if the app’s file is lost, restores the other accounts although the disk can’t read the file of one', () => {
  accountFile('a')
  mkdirSync(fileOf('c'))
  app.close()
  writeFileSync(other('siteward.db'), '')
  app = restarted()
  expect(app.connections()).toEqual([connection('a')])
  // Later starts do not copy the files of restored accounts again. This folder would make a copy fail.
  mkdirSync(`${fileOf('a')}.reading`)
  app.close()
  app = restarted()
  expect(app.salvaged()).toMatchObject({ lostAccounts: 0, heldAccounts: 1 })
})

test('if the app’s file is lost, the restored accounts count again as having an API key in the keychain, except the sample account, which has none', () => {
  accountFile('a')
  accountFile('b', { sample: true })
  app.close()
  writeFileSync(other('siteward.db'), '')
  app = restarted()
  expect(app.keychainRecords.endingWith(':api-key')).toEqual(['a:api-key'])
})

test('if the app’s file is restored from a backup, an API key that was stored after the backup still counts as stored in the keychain', async () => {
  must(app.saveConnection(connection('a')))
  must(await app.backUp())
  must(app.keychainRecords.set('a:api-key', true))
  app.close()
  writeFileSync(other('siteward.db'), 'no database'.repeat(100))
  app = restarted()
  expect(app.salvaged()?.backupAt).not.toBeNull()
  expect(app.keychainRecords.has('a:api-key')).toBe(true)
})

test('the files of accounts that can’t be restored are not read again at each start until the report is dismissed', () => {
  accountFile('c')
  writeFileSync(fileOf('c'), 'no database')
  app.close()
  writeFileSync(other('siteward.db'), '')
  app = restarted()
  app.close()
  // If the file were read again, this folder would make it count as held.
  mkdirSync(`${fileOf('c')}.reading`)
  app = restarted()
  expect(app.salvaged()).toMatchObject({ lostAccounts: 1, heldAccounts: 0 })
})

test('uses the default of an unreadable setting, and keeps the others', () => {
  must(app.saveSettings({ ...defaultSettings, theme: 'sepia' as never, paused: true }))
  expect(app.settings()).toEqual({ ...defaultSettings, paused: true })
})

test('uses defaults for unreadable parts of the list’s arrangement: an unknown column, an oversized width', () => {
  const arranged = { listOrder: { by: 'domain', sort: 'asc' }, listPages: 50 } as const
  const given = { ...defaultSettings, ...arranged, listColumns: ['id', 'colour'], listWidths: { id: 1e9 } }
  must(app.saveSettings(given as never))
  reopen()
  expect(app.settings()).toEqual({ ...defaultSettings, ...arranged })
  const whole = { ...defaultSettings, ...arranged, listColumns: ['id'], listWidths: { id: 12.5 } } as const
  must(app.saveSettings(whole))
  reopen()
  expect(app.settings()).toEqual(whole)
})
