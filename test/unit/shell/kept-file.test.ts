import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MAX_FILE, readKept, writeKept } from '../../../src/main/shell/kept-file.ts'
import { codeOf, must } from '../outbox/rig.ts'

let folder: string
const path = (name: string) => join(folder, name)

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'siteward-'))))
afterEach(() => rmSync(folder, { recursive: true }))

test('what was written is read again, and nobody else may read it', async () => {
  must(await writeKept(path('a.json'), '{"é":1}'))
  expect(must(await readKept(path('a.json')))).toBe('{"é":1}')
  if (process.platform !== 'win32') expect(statSync(path('a.json')).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['a.json'])
})

test('a file that was there is replaced, also where others could read it', async () => {
  writeFileSync(path('a.json'), 'before', { mode: 0o644 })
  must(await writeKept(path('a.json'), 'after'))
  expect(readFileSync(path('a.json'), 'utf8')).toBe('after')
  if (process.platform !== 'win32') expect(statSync(path('a.json')).mode & 0o777).toBe(0o600)
})

test('where nothing can be written nothing is left behind', async () => {
  expect(codeOf(await writeKept(path('nowhere/a.json'), 'x'))).toBe('storage')
  mkdirSync(path('folder'))
  writeFileSync(path('folder/inside'), '')
  expect(codeOf(await writeKept(path('folder'), 'x'))).toBe('storage')
  expect(readdirSync(folder)).toEqual(['folder'])
})

test('a file that is none, too large, or no text is refused', async () => {
  expect(codeOf(await readKept(path('nowhere')))).toBe('bad-file')
  expect(codeOf(await readKept(folder))).toBe('bad-file')
  writeFileSync(path('bytes'), Buffer.from([0xff, 0xfe, 0x80]))
  expect(codeOf(await readKept(path('bytes')))).toBe('bad-file')
  writeFileSync(path('large'), '')
  truncateSync(path('large'), MAX_FILE + 1)
  expect(codeOf(await readKept(path('large')))).toBe('bad-file')
})

test.skipIf(process.platform === 'win32')('a pipe that nobody writes to is not waited for', async () => {
  execFileSync('mkfifo', [path('pipe')])
  expect(codeOf(await readKept(path('pipe')))).toBe('bad-file')
})
