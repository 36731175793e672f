import type * as files from 'node:fs/promises'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { fail } from '../../../src/shared/result.ts'

/** As on a full disk: there's room for a file's name, and for nothing in it. */
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof files>()
  const full = Object.assign(new Error('full'), { syscall: 'write', code: 'ENOSPC' })
  return { ...real, writeFile: (file: string) => real.writeFile(file, '').then(() => Promise.reject(full)) }
})
const { freeBytes } = await import('../../../src/main/diagnostics/checks.ts')

test('a disk that is full is told as such, and no file is left on it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'siteward-full-'))
  expect(await freeBytes(folder)).toEqual(fail('disk-full'))
  expect(readdirSync(folder)).toEqual([])
  rmSync(folder, { recursive: true })
})
