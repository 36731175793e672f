import { mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { errorOriginOf } from '../../../src/main/log/error-origin.ts'
import { createLogFile, readEarlierProblems } from '../../../src/main/log/file.ts'
import { createJournal, type LogLine } from '../../../src/main/log/log.ts'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'siteward-log-'))))
afterEach(() => rmSync(folder, { recursive: true }))

const at = Date.UTC(2026, 10, 12, 14, 1)
const run = {
  version: '0.1.0',
  electron: '45',
  node: '24',
  os: 'linux',
  release: '6',
  arch: 'x64',
  after: 'person',
} as const
const line = (text: string): LogLine => ({ at, level: 'info', text })

test('an entry is one line of codes, in a file that only its owner can read', () => {
  const file = join(folder, 'logs')
  const { log, recent } = createJournal(createLogFile(file, { console: false }), () => at)
  log('quitting', {})
  log('parked', { edits: 2, reasons: ['conflict', 'gone'] })
  const written = readFileSync(join(file, 'siteward.log'), 'utf8').trim().split(/\r?\n/)
  expect(written).toHaveLength(2)
  expect(written[1]).toMatch(/^2\d{3}-\d\d-\d\dT\S+ warn parked edits=2 reasons=conflict,gone$/)
  if (process.platform !== 'win32') expect(statSync(join(file, 'siteward.log')).mode & 0o077).toBe(0)
  expect(recent()).toEqual([{ at, level: 'warn', text: 'parked edits=2 reasons=conflict,gone' }])
})

test('the latest warnings and errors include the readable ones of earlier runs', async () => {
  // Each time the clock is read, it shows a minute earlier.
  let now = Date.now()
  const start = () => {
    const journal = createJournal(
      createLogFile(folder, { console: false }),
      () => (now -= 60_000),
      () => readEarlierProblems(folder),
    )
    journal.log('started', run)
    return journal
  }
  const { log } = start()
  log('quitting', {})
  log('parked', { edits: 2, reasons: ['conflict'] })
  const others = `half a li\n${new Date().toISOString()} error kestrel-press.example\n`
  writeFileSync(join(folder, 'siteward.log'), others, { flag: 'a' })
  const next = start()
  next.log('parked', { edits: 1, reasons: ['gone'] })
  const texts = next.recent().map(({ level, text }) => `${level} ${text}`)
  expect(texts).toEqual(['warn parked edits=2 reasons=conflict', 'warn parked edits=1 reasons=gone'])
  expect(Math.abs((next.recent()[0]?.at ?? 0) - Date.now())).toBeLessThan(60_000)
  expect(readEarlierProblems(join(folder, 'nowhere'))).toEqual([])
})

test('reads the warnings and errors of earlier runs from the rotated file too', () => {
  createJournal(createLogFile(folder, { console: false }), () => at).log('parked', { edits: 2, reasons: ['gone'] })
  renameSync(join(folder, 'siteward.log'), join(folder, 'siteward.old.log'))
  const write = createLogFile(folder, { console: false })
  createJournal(write, () => at).log('parked', { edits: 1, reasons: ['conflict'] })
  expect(readEarlierProblems(folder)).toEqual([])
  createJournal(write, () => at).log('started', run)
  expect(readEarlierProblems(folder).map(({ text }) => text)).toEqual([
    'parked edits=2 reasons=gone',
    'parked edits=1 reasons=conflict',
  ])
})

test('a value that isn’t a code isn’t written, even if its type is forced', () => {
  const lines: string[] = []
  const { log } = createJournal(
    ({ text }) => lines.push(text),
    () => at,
  )
  const forced = log as (name: string, fields: unknown) => void
  forced('key', { state: 'sk-live-0123456789' })
  forced('commandFailed', { command: 'connect', error: 'https://stats.example.com', at: [] })
  forced('commandFailed', { command: 'kestrel-press.example', error: 'Error', at: [] })
  forced('commandFailed', { command: 'connect', error: 'Error', at: ['kestrel-press.example'] })
  forced('updateFound', { version: '203.0.113.7' })
  forced('quitting', { domain: 'kestrel-press.example' })
  expect(lines).toEqual([
    'key [redacted]',
    'commandFailed [redacted]',
    'commandFailed [redacted]',
    'commandFailed [redacted]',
    'updateFound [redacted]',
    'quitting [redacted]',
  ])
})

test('a full file is rotated, one rotated file is kept, and both stay small', () => {
  const write = createLogFile(folder, { console: false })
  const long = 'x'.repeat(20_000)
  for (let n = 0; n < 80; n++) write(line(`${long}${String(n)}`))
  expect(readdirSync(folder).sort()).toEqual(['siteward.log', 'siteward.old.log'])
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).size).toBeLessThan(600 * 1024)
  expect(readFileSync(join(folder, 'siteward.log'), 'utf8').trim()).toMatch(/x79$/)
})

test('logging does not throw if its folder can’t be created', () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const write = createLogFile(join(file, 'logs'), { console: false })
  expect(() => write(line('quitting'))).not.toThrow()
})

test('an error is logged by its type, code and place, never its message', () => {
  class ParseError extends Error {}
  const lines = 'for kestrel-press.example\n    at secret (planted.js:1:1)\nkey=sk-live'
  const error = Object.assign(new ParseError(lines), { code: 'ECONNRESET' })
  error.stack = `Error: ${lines}\n    at run (file:///opt/Site ward/out/main/index.js:12:7)\n    at node:internal/timers:1:2`
  expect(errorOriginOf(error)).toEqual({ error: 'ParseError', code: 'ECONNRESET', at: ['index.js:12:7'] })
  expect(errorOriginOf('kestrel-press.example')).toEqual({ error: 'string', code: null, at: [] })
})
