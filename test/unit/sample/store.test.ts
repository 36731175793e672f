import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSampleStore } from '../../../src/main/sample/store.ts'
import { startSample } from './calls.ts'

function journalFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'siteward-sample-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'sample.jsonl')
}

describe('sample data', () => {
  test.each([0, 1, 428, 100_000])('%i websites are always the same, each with its own domain', (websites) => {
    const list = createSampleStore({ websites }).all()
    expect(list).toHaveLength(websites)
    expect(new Set(list.map(({ domain }) => domain)).size).toBe(websites)
    expect(list.every(({ domain }) => /^[a-z0-9.-]+\.example$/.test(domain))).toBe(true)
    const times = list.map(({ created_at }) => created_at)
    expect(times).toEqual([...times].sort())
    if (websites < 1000) expect(createSampleStore({ websites }).all()).toEqual(list)
  })

  test('have all privacies, with and without reports and lists', () => {
    const list = createSampleStore({ websites: 428 }).all()
    for (const privacy of [0, 1, 2]) expect(list.filter((one) => one.privacy === privacy).length).toBeGreaterThan(30)
    expect(list.every(({ privacy, password }) => (privacy === 2) === (password !== null))).toBe(true)
    expect(new Set(list.map(({ email }) => email)).size).toBe(2)
    expect(list.some(({ exclude_ips }) => exclude_ips?.includes('\n'))).toBe(true)
  })
})

test('the log keeps the last 10,000 requests', () => {
  const store = createSampleStore({ websites: 0 })
  for (let n = 0; n <= 10_000; n++)
    store.log({ method: 'GET', path: `/${String(n)}`, query: '', form: {}, status: 200 })
  expect(store.requests()).toHaveLength(10_000)
  expect(store.requests()[0]?.path).toBe('/1')
})

describe('over a restart', () => {
  test('the user’s changes are kept', async () => {
    const file = journalFile()
    const first = await startSample({ file })
    await first.call('POST', '/websites', { domain: 'mine.example', privacy: '2', password: 'hush hush' })
    await first.call('PUT', '/websites/7', { exclude_params: 'a\nb' })
    await first.call('PUT', '/websites/8', { email: '1' })
    await first.call('DELETE', '/websites/8')
    await first.call('POST', '/websites', { domain: 'gone.example' })
    await first.call('DELETE', '/websites/32')

    const second = await startSample({ file })
    expect(second.store.all()).toEqual(first.store.all())
    expect(second.store.create({ domain: 'next.example' }).id).toBe(33)
    expect(readFileSync(file, 'utf8')).not.toContain('hush')
    expect(statSync(file).mode & 0o077).toBe(0)
  })

  test('a line of the journal that a crash cut short is skipped, and later lines are kept', () => {
    const file = journalFile()
    const first = createSampleStore({ websites: 5, file })
    first.delete(1)
    appendFileSync(file, '[2,{"id":2,"dom')
    const second = createSampleStore({ websites: 5, file })
    second.delete(3)
    const third = createSampleStore({ websites: 5, file })
    expect(third.all().map(({ id }) => id)).toEqual([2, 4, 5])
  })

  test('a website in the journal of an earlier version has the default of a field that was added in a later version', () => {
    const file = journalFile()
    createSampleStore({ websites: 5, file }).update(2, { exclude_bots: 0, exclude_ips: '192.0.2.9' })
    const journal = readFileSync(file, 'utf8')
    writeFileSync(file, journal.replace('"exclude_bots":0,', ''))
    expect(readFileSync(file, 'utf8')).not.toBe(journal)
    expect(createSampleStore({ websites: 5, file }).get(2)).toMatchObject({ exclude_bots: 1, exclude_ips: '192.0.2.9' })
  })

  test('unreadable lines of the journal are skipped at any place, and the other lines are kept', () => {
    const file = journalFile()
    createSampleStore({ websites: 5, file }).delete(1)
    const good = readFileSync(file)
    const garbage = Buffer.from([0x0a, 0xff, 0xfe, 0x00, 0x7b, 0x0a, 0x5b, 0x5d, 0x0a])
    writeFileSync(file, Buffer.concat([garbage, good, garbage, Buffer.from('[2,{"id":"2"}]\n[3,null]\n[1e99,null]')]))
    expect(
      createSampleStore({ websites: 5, file })
        .all()
        .map(({ id }) => id),
    ).toEqual([2, 4, 5])
  })

  test.each<[string, string, (file: string) => void]>([
    ['a folder', 'EISDIR', (file) => mkdirSync(file)],
    ['a link to itself', 'ELOOP', (file) => symlinkSync(file, file)],
    ['beside a folder with the name of its new copy', 'EISDIR', (file) => mkdirSync(`${file}.new`)],
  ])(
    'a file that is %s stops the start with an error that names the file and the reason',
    async (_what, code, make) => {
      const file = journalFile()
      make(file)
      await expect(startSample({ file })).rejects.toThrow(`can't be kept in ${file}: ${code}`)
    },
  )

  test('a website that the user added keeps its domain, even if larger sample data contains it', () => {
    const file = journalFile()
    const name = createSampleStore({ websites: 1 }).get(1)?.domain ?? ''
    createSampleStore({ websites: 0, file }).create({ domain: name })
    const store = createSampleStore({ websites: 5, file })
    expect(store.all().filter(({ domain }) => domain === name)).toHaveLength(1)
  })
})

describe('closing', () => {
  test('is idempotent', async () => {
    const sample = await startSample({ file: journalFile() })
    await Promise.all([sample.close(), sample.close()])
    await sample.close()
    await expect(sample.call('GET', '/websites')).rejects.toThrow()
  })
})

test('a client reads the changes that are made in the store', async () => {
  const { call, store } = await startSample()
  const { id } = store.create({ domain: 'other-writer.example', exclude_ips: '10.0.0.1' })
  store.update(7, { email: 1, exclude_bots: 0 })
  store.delete(8)
  expect((await call('GET', `/websites/${String(id)}`)).body.data.exclude_ips).toBe('10.0.0.1')
  expect((await call('GET', '/websites/7')).body.data).toMatchObject({ email: 1, exclude_bots: 0 })
  expect((await call('GET', '/websites/8')).status).toBe(404)
})
