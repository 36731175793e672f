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
import { MAX_QUEUE_FILE, readCertificate, readQueueFile, writeUserFile } from '../../../src/main/shell/user-file.ts'
import { codeOf, must } from '../outbox/rig.ts'

let folder: string
const path = (name: string) => join(folder, name)

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'siteward-'))))
afterEach(() => rmSync(folder, { recursive: true }))

test('reads back the text that it wrote, in a private file', async () => {
  must(await writeUserFile(path('a.json'), '{"é":1}'))
  expect(must(await readQueueFile(path('a.json')))).toBe('{"é":1}')
  if (process.platform !== 'win32') expect(statSync(path('a.json')).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['a.json'])
})

test('replaces a file, even one that others could read', async () => {
  writeFileSync(path('a.json'), 'before', { mode: 0o644 })
  must(await writeUserFile(path('a.json'), 'after'))
  expect(readFileSync(path('a.json'), 'utf8')).toBe('after')
  if (process.platform !== 'win32') expect(statSync(path('a.json')).mode & 0o777).toBe(0o600)
})

test('leaves nothing behind if it can’t write', async () => {
  expect(codeOf(await writeUserFile(path('nowhere/a.json'), 'x'))).toBe('not-written')
  mkdirSync(path('folder'))
  writeFileSync(path('folder/inside'), '')
  expect(codeOf(await writeUserFile(path('folder'), 'x'))).toBe('not-written')
  expect(readdirSync(folder)).toEqual(['folder'])
})

test('says that a missing file can’t be read, and that a too large or non-text file is no export', async () => {
  expect(codeOf(await readQueueFile(path('nowhere')))).toBe('not-read')
  expect(codeOf(await readQueueFile(folder))).toBe('not-read')
  writeFileSync(path('bytes'), Buffer.from([0xff, 0xfe, 0x80]))
  expect(codeOf(await readQueueFile(path('bytes')))).toBe('bad-file')
  writeFileSync(path('large'), '')
  truncateSync(path('large'), MAX_QUEUE_FILE + 1)
  expect(codeOf(await readQueueFile(path('large')))).toBe('bad-file')
})

test.skipIf(process.platform === 'win32')('does not wait for a pipe without a writer', async () => {
  execFileSync('mkfifo', [path('pipe')])
  expect(codeOf(await readQueueFile(path('pipe')))).toBe('not-read')
})

test('says that a large file is too large for a certificate', async () => {
  writeFileSync(path('large'), '')
  truncateSync(path('large'), 1024 * 1024 + 1)
  expect(codeOf(await readCertificate(path('large')))).toBe('certificate-too-large')
  expect(codeOf(await readCertificate(path('nowhere')))).toBe('not-read')
})

/** Runs a command in its own namespace, with a file system of one megabyte. */
const onFullDisk = (...command: string[]) =>
  spawnSync(
    'unshare',
    ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=1m siteward "$1" && shift && exec "$@"', 'sh', folder, ...command],
    { encoding: 'utf8' },
  )

test('keeps the old file and leaves nothing behind on a full disk', ({ skip }) => {
  if (onFullDisk('true').status !== 0) skip()
  const script = `
    import { readFileSync, readdirSync } from 'node:fs'
    import { writeUserFile } from ${JSON.stringify(join(import.meta.dirname, '../../../src/main/shell/user-file.ts'))}
    const file = ${JSON.stringify(path('list.csv'))}
    await writeUserFile(file, 'before')
    const result = await writeUserFile(file, Array(3000).fill('x'.repeat(1000)))
    console.log(JSON.stringify({ result, content: readFileSync(file, 'utf8'), all: readdirSync(${JSON.stringify(folder)}) }))`
  const { stdout } = onFullDisk(process.execPath, '--input-type=module', '-e', script)
  expect(JSON.parse(stdout)).toMatchObject({
    result: { ok: false, error: { code: 'disk-full' } },
    content: 'before',
    all: ['list.csv'],
  })
})
