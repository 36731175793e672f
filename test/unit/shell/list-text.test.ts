import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readWebsiteListFile, readSettingsFile } from '../../../src/main/shell/user-file.ts'
import { MAX_LIST_FILE, decodeListFile } from '../../../src/shared/list-text.ts'
import { codeOf, must } from '../outbox/rig.ts'

let folder: string
const path = (name: string) => join(folder, name)

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'siteward-'))))
afterEach(() => rmSync(folder, { recursive: true }))

const utf16 = (text: string, end: 'le' | 'be'): Buffer => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
  return end === 'le' ? bytes : bytes.swap16()
}

test('reads the same text in each encoding in which a spreadsheet may save a list', async () => {
  const text = 'Domain\tPrivacy\r\nmünchen.example\tpublic\r\n'
  const written = [Buffer.from(text), Buffer.from(`\ufeff${text}`), utf16(text, 'le'), utf16(text, 'be')]
  for (const bytes of written) {
    writeFileSync(path('list'), bytes)
    expect(must(await readWebsiteListFile(path('list')))).toBe(text)
  }
})

test('rejects a list whose encoding is unknown, or that is not text', async () => {
  const latin1 = Buffer.from('m\u00fcnchen.example', 'latin1')
  const unmarked = Buffer.from('a.example', 'utf16le')
  const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0x0d])
  const half = Buffer.concat([utf16('a.example', 'le'), Buffer.from([0x61])])
  for (const bytes of [latin1, unmarked, picture, half]) {
    writeFileSync(path('list'), bytes)
    expect(codeOf(await readWebsiteListFile(path('list')))).toBe('not-text')
  }
})

test('reads a list as large as the export of ten thousand websites', async () => {
  writeFileSync(path('export'), `${'a'.repeat(400)}\n`.repeat(10_000))
  expect(must(await readWebsiteListFile(path('export')))).toHaveLength(4_010_000)
})

test('rejects a large list, or a folder, before reading it', async () => {
  writeFileSync(path('large'), '')
  truncateSync(path('large'), MAX_LIST_FILE + 1)
  expect(codeOf(await readWebsiteListFile(path('large')))).toBe('file-too-large')
  expect(codeOf(await readWebsiteListFile(path('nowhere')))).toBe('not-read')
  expect(codeOf(await readWebsiteListFile(folder))).toBe('not-read')
  if (process.platform === 'win32') return
  execFileSync('mkfifo', [path('pipe')])
  expect(codeOf(await readWebsiteListFile(path('pipe')))).toBe('not-read')
})

test('reads a settings file with tags and notes of very many websites', async () => {
  writeFileSync(path('settings'), '{}')
  truncateSync(path('settings'), 100 * 1024 * 1024)
  expect((await readSettingsFile(path('settings'))).ok).toBe(true)
})

test('rejects a settings file that is too large, or that is not text', async () => {
  writeFileSync(path('settings'), Buffer.from([0x7b, 0xff, 0x7d]))
  expect(codeOf(await readSettingsFile(path('settings')))).toBe('not-text')
  truncateSync(path('settings'), 128 * 1024 * 1024 + 1)
  expect(codeOf(await readSettingsFile(path('settings')))).toBe('file-too-large')
  expect(codeOf(await readSettingsFile(path('nowhere')))).toBe('not-read')
})

test('never throws, whatever the bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const read = decodeListFile(bytes)
      expect(read.ok || read.error.code === 'not-text').toBe(true)
    }),
  )
})
