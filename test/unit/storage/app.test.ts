import Database from 'better-sqlite3'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openAppStore, type AppStore } from '../../../src/main/storage/app.ts'
import { codeOf, must } from '../outbox/rig.ts'
import { damageTable } from './damage.ts'

let folder: string
let app: AppStore

const open = () => must(openAppStore(join(folder, 'siteward.sqlite')))

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'siteward-'))
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

test('connections, the active one and the settings outlive a restart', () => {
  expect(app.activeConnection()).toBeNull()
  expect(app.settings()).toEqual({ theme: 'system' })
  must(app.saveConnection(connection('b')))
  must(app.saveConnection({ ...connection('a'), accountId: '7', sample: true }))
  must(app.setActive('a'))
  must(app.saveSettings({ theme: 'dark' }))
  reopen()
  expect(app.connections()).toEqual([connection('b'), { ...connection('a'), accountId: '7', sample: true }])
  expect(app.activeConnection()?.id).toBe('a')
  expect(app.settings()).toEqual({ theme: 'dark' })
})

test('a connection that is saved again keeps its place', () => {
  must(app.saveConnection(connection('a')))
  must(app.saveConnection(connection('b')))
  must(app.saveConnection({ ...connection('a'), name: 'renamed' }))
  expect(app.connections().map(({ name }) => name)).toEqual(['renamed', 'b'])
  must(app.setActive('a'))
  must(app.setActive(null))
  expect(app.activeConnection()).toBeNull()
})

test('what was put into the keychain is remembered until it is taken out', () => {
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

test('whatever is wrong with the file is told, a newer version apart from a damaged one', () => {
  writeFileSync(other('text'), 'no database at all, but longer than the header of one: '.repeat(10))
  expect(codeOf(openAppStore(other('text')))).toBe('storage')
  expect(codeOf(openAppStore(made('bare', 'PRAGMA user_version = 1')))).toBe('storage')
  expect(codeOf(openAppStore(made('newer', 'PRAGMA user_version = 99')))).toBe('newer-version')
  expect(codeOf(openAppStore(folder))).toBe('storage')
  expect(codeOf(openAppStore(join(folder, 'nowhere', 'siteward.sqlite')))).toBe('storage')
})

test('a setting that is damaged falls back to its default', () => {
  must(app.saveSettings({ theme: 'dark' }))
  must(app.setActive('a'))
  app.close()
  made('siteward.sqlite', `UPDATE setting SET value = '{"the'`)
  app = open()
  expect(app.settings()).toEqual({ theme: 'system' })
  expect(app.activeConnection()).toBeNull()
})

test('a table that is damaged is told when the file is opened', () => {
  for (let n = 0; n < 200; n++) must(app.saveConnection({ ...connection(`c${String(n)}`), name: 'long '.repeat(50) }))
  app.close()
  damageTable(other('siteward.sqlite'), 'connection')
  expect(codeOf(openAppStore(other('siteward.sqlite')))).toBe('storage')
  app = must(openAppStore(other('another.sqlite')))
})
