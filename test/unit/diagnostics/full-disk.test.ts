import type * as syncFiles from 'node:fs'
import type * as files from 'node:fs/promises'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { fail } from '../../../src/shared/result.ts'
import { databaseFolder } from '../../database-folder.ts'
import { must } from '../outbox/rig.ts'

const disk = vi.hoisted(() => ({
  full: Object.assign(new Error('full'), { syscall: 'write', code: 'ENOSPC' }),
  /** True if the disk has room for the app's own file, but not for copies of other files. */
  isFull: true,
}))

vi.mock('node:fs', async (original) => {
  const real = await original<typeof syncFiles>()
  return {
    ...real,
    writeFileSync(...given: Parameters<typeof real.writeFileSync>) {
      if (disk.isFull && String(given[0]).endsWith('.db.reading') && !String(given[0]).includes('siteward.db'))
        throw disk.full
      real.writeFileSync(...given)
    },
  }
})

/** Simulates a full disk: a file can be created, but not written. */
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof files>()
  const { full } = disk
  return { ...real, writeFile: (file: string) => real.writeFile(file, '').then(() => Promise.reject(full)) }
})
const { probeDisk } = await import('../../../src/main/diagnostics/checks.ts')
const { openAppData } = await import('../../../src/main/storage/app.ts')
const { openStore } = await import('../../../src/main/storage/store.ts')

test('reports a full disk, and leaves no file on it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'siteward-full-'))
  expect(await probeDisk(folder)).toEqual(fail('disk-full'))
  expect(readdirSync(folder)).toEqual([])
  rmSync(folder, { recursive: true })
})

test('a full disk at the start is reported as such, and the next start finds the account although the app’s file was lost', () => {
  const folder = databaseFolder()
  const file = join(folder, 'siteward.db')
  must(openAppData(folder)).close()
  const account = { id: 'a', address: 'https://a.example', accountId: null, name: 'a', sample: false }
  must(openStore(join(folder, 'connections', 'a.db'), account)).close()
  writeFileSync(file, '')
  expect(openAppData(folder)).toEqual(fail('disk-full'))
  disk.isFull = false
  const app = must(openAppData(folder))
  expect(app.connections()).toEqual([account])
  expect(app.salvaged()).toMatchObject({ lostAccounts: 0, heldAccounts: 0 })
  app.close()
  rmSync(folder, { recursive: true })
})
