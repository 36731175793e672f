import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openAppStore, type AppStore } from '../../../src/main/storage/app.ts'
import { must } from '../outbox/rig.ts'

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
