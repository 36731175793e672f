import { execFileSync, spawnSync } from 'node:child_process'
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
import { MAX_FILE, readKept, writeKept } from '../../../src/main/shell/user-file.ts'
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
  expect(codeOf(await writeKept(path('nowhere/a.json'), 'x'))).toBe('not-written')
  mkdirSync(path('folder'))
  writeFileSync(path('folder/inside'), '')
  expect(codeOf(await writeKept(path('folder'), 'x'))).toBe('not-written')
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

/** Linux lets a process of its own have a file system of its own, mostly without being root: one of a megabyte. */
const onFullDisk = (...command: string[]) =>
  spawnSync(
    'unshare',
    ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=1m siteward "$1" && shift && exec "$@"', 'sh', folder, ...command],
    { encoding: 'utf8' },
  )

test('on a full disk what was there stays, and nothing is left behind', ({ skip }) => {
  if (onFullDisk('true').status !== 0) skip()
  const script = `
    import { readFileSync, readdirSync } from 'node:fs'
    import { writeKept } from ${JSON.stringify(join(import.meta.dirname, '../../../src/main/shell/user-file.ts'))}
    const file = ${JSON.stringify(path('list.csv'))}
    await writeKept(file, 'before')
    const result = await writeKept(file, Array(3000).fill('x'.repeat(1000)))
    console.log(JSON.stringify({ result, there: readFileSync(file, 'utf8'), all: readdirSync(${JSON.stringify(folder)}) }))`
  const { stdout } = onFullDisk(process.execPath, '--input-type=module', '-e', script)
  expect(JSON.parse(stdout)).toMatchObject({
    result: { ok: false, error: { code: 'disk-full' } },
    there: 'before',
    all: ['list.csv'],
  })
})
