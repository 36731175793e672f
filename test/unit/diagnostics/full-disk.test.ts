import type * as files from 'node:fs/promises'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { fail } from '../../../src/shared/result.ts'

/** Simulates a full disk, on which a file can be created but not written. */
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof files>()
  const full = Object.assign(new Error('full'), { syscall: 'write', code: 'ENOSPC' })
  return { ...real, writeFile: (file: string) => real.writeFile(file, '').then(() => Promise.reject(full)) }
})
const { probeDisk } = await import('../../../src/main/diagnostics/checks.ts')

test('reports a full disk, and leaves no file on it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'siteward-full-'))
  expect(await probeDisk(folder)).toEqual(fail('disk-full'))
  expect(readdirSync(folder)).toEqual([])
  rmSync(folder, { recursive: true })
})
