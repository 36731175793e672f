import Database from 'better-sqlite3'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connectionFile } from '../../../src/main/storage/schema.ts'
import { openStore } from '../../../src/main/storage/store.ts'
import { fail, ok } from '../../../src/shared/result.ts'
import { memoryStore } from '../../simulation/disk/memory.ts'
import { Tables } from '../../simulation/disk/tables.ts'
import { codeOf, must } from '../outbox/rig.ts'
import { anEdit } from './filled.ts'
import { domains, file, folder, record, reopen, store, tamper, useStore, write } from './rig.ts'

useStore()

test('rolls back a write that returns a failure, on disk and in the simulated store', () => {
  const tables = new Tables()
  for (const at of [store, memoryStore(tables, () => 'new')]) {
    const refused = at.write(() => {
      at.addWebsite('k', 'x.example')
      at.addEdit(anEdit('e', 'k'))
      return fail('edit-gone')
    })
    expect(codeOf(refused)).toBe('edit-gone')
    expect([at.website('k'), at.edit('e'), at.total()]).toEqual([null, null, 0])
    expect(at.counts()).toEqual({ waiting: 0, parked: 0 })
  }
})

test.skipIf(process.platform === 'win32')('keeps the database and its journal from other users from the start', () => {
  const modes = () => readdirSync(folder).map((name) => (statSync(join(folder, name)).mode & 0o777).toString(8))
  expect(modes()).toEqual(['600', '600'])
  write(() => {
    store.addWebsite('k', 'a.example')
    expect(modes()).toEqual(['600', '600'])
  })
})

test('keeps an edit over a restart, with its sealed password and the fact that its request was in doubt', () => {
  write(() => {
    store.addWebsite('k', 'a.example')
    store.addEdit(
      anEdit('e', 'k', {
        sealed: Buffer.from('sealed'),
        standing: { state: 'inDoubt', error: { code: 'timeout', message: '' } },
        sent: { before: 'absent', date: 5, accepted: false, doubted: true },
      }),
    )
  })
  const before = store.edit('e')
  reopen()
  expect(store.edit('e')).toEqual(before)
  expect(Buffer.from(store.edit('e')?.sealed ?? []).toString()).toBe('sealed')
})

test('puts an edit in doubt that was being sent when the process ended', () => {
  write(() => {
    store.addWebsite('k', 'a.example')
    store.addEdit(anEdit('e', 'k', { standing: { state: 'sending' } }))
  })
  reopen()
  write(() => expect(store.markInterruptedInDoubt()).toBe(1))
  expect(store.edit('e')?.standing).toEqual({ state: 'inDoubt', error: null })
})

test('rolls back a write that fails half-way', () => {
  expect(() =>
    store.write(() => {
      store.addWebsite('k', 'a.example')
      throw new Error('a mistake')
    }),
  ).toThrow('a mistake')
  expect(store.website('k')).toBeNull()
  // An edit of a missing website returns an error, and throws nothing.
  expect(codeOf(store.write(() => ok(store.addEdit(anEdit('e', 'nobody')))))).toBe('storage')
  expect(codeOf(store.write(() => fail('website-gone')))).toBe('website-gone')
})

test('never reuses the sequence number of an edit', () => {
  write(() => {
    store.addWebsite('k', 'a.example')
    store.addEdit(anEdit('e1', 'k'))
  })
  const first = store.edit('e1')?.seq ?? 0
  write(() => store.removeEdit('e1'))
  reopen()
  write(() => store.addEdit(anEdit('e2', 'k')))
  expect(store.edit('e2')?.seq).toBeGreaterThan(first)
})

test('refuses to open a file that is already open', () => {
  expect(codeOf(openStore(file))).toBe('in-use')
})

test('refuses a file of a newer version and leaves it unchanged', () => {
  const newer = join(folder, 'newer.db')
  const db = new Database(newer)
  db.exec('CREATE TABLE edit (something TEXT)')
  db.pragma(`application_id = ${String(connectionFile.applicationId)}`)
  db.pragma('user_version = 99')
  db.close()
  const before = readFileSync(newer)
  expect(codeOf(openStore(newer))).toBe('newer-version')
  expect(readFileSync(newer)).toEqual(before)
  expect(readdirSync(folder).filter((name) => name.startsWith('newer'))).toEqual(['newer.db'])
})

test('reports an error instead of an empty list for a file that is not a database', () => {
  expect(codeOf(openStore(join(import.meta.dirname, 'store.test.ts')))).toBe('storage')
  expect(codeOf(openStore(folder))).toBe('storage')
  expect(codeOf(openStore(join(folder, 'nowhere', 'connection.db')))).toBe('storage')
})

test('reports an error for a file of this version without its tables', () => {
  const bare = join(folder, 'bare.db')
  const db = new Database(bare)
  db.pragma('user_version = 1')
  db.close()
  expect(codeOf(openStore(bare))).toBe('storage')
})

test('keeps an edit that this version does not understand unchanged on disk, and counts it as parked', () => {
  write(() => {
    store.addWebsite('k', 'a.example')
    store.addEdit(anEdit('e', 'k', { sealed: Buffer.from('sealed') }))
  })
  tamper(`UPDATE edit SET standing = '{"state":"delegated","to":"somebody"}'`)
  expect(store.counts()).toEqual({ waiting: 0, parked: 1 })
  expect(store.edit('e')).toMatchObject({ standing: { state: 'unreadable' }, settings: { email: true } })
  // This version can't read the state of the edit in the file, so the store refuses to overwrite it.
  const read = store.editsOf('k')[0]
  expect(codeOf(store.write(() => ok(read && store.saveEdit(read))))).toBe('storage')
  reopen(() => {
    const db = new Database(file)
    expect(db.prepare('SELECT standing, state FROM edit').get()).toEqual({
      standing: '{"state":"delegated","to":"somebody"}',
      state: 'queued',
    })
    db.close()
  })
})

test('treats a damaged record or meta value as missing', () => {
  const run = must(store.beginRun())
  must(store.savePage({ run, mark: store.mark(), position: 0, websites: [record('1')] }))
  must(store.completeRun(run, 5))
  must(store.saveAccount({ extra: {} }, 5))
  tamper(`UPDATE website SET record = '{"id":'; UPDATE meta SET value = 'x'`)
  expect(store.websitesOfDomain('1.example')).toMatchObject([{ id: '1', record: null }])
  expect(store.account()).toBeNull()
  expect(store.completeAt()).toBeNull()
})

test('erases a sealed password from the file with its edit', () => {
  const canary = Buffer.from('canary-sealed-bytes-0123456789')
  write(() => {
    store.addWebsite('k', 'a.example')
    store.addEdit(anEdit('e', 'k', { sealed: canary }))
  })
  write(() => store.removeEdit('e'))
  reopen(() => {
    for (const name of readdirSync(folder)) expect(readFileSync(join(folder, name)).includes(canary)).toBe(false)
  })
})

test('sorts numeric ids as numbers, and websites that are not created yet as the newest', () => {
  const run = must(store.beginRun())
  must(store.savePage({ run, mark: store.mark(), position: 0, websites: ['10', '9', '100'].map((id) => record(id)) }))
  write(() => store.addWebsite('new', 'new.example'))
  expect(domains('id', 'asc')).toEqual(['9.example', '10.example', '100.example', 'new.example'])
  expect(domains('id', 'desc')).toEqual(['new.example', '100.example', '10.example', '9.example'])
  expect(domains('domain', 'asc')).toEqual(['10.example', '100.example', '9.example', 'new.example'])
})

test('sorts ids that are not numbers in the order in which the service lists them', () => {
  const run = must(store.beginRun())
  must(store.savePage({ run, mark: store.mark(), position: 0, websites: ['f3', 'a1'].map((id) => record(id)) }))
  must(store.savePage({ run, mark: store.mark(), position: 2, websites: [record('c2')] }))
  expect(domains('id', 'asc')).toEqual(['f3.example', 'a1.example', 'c2.example'])
  write(() => {
    store.addWebsite('k', 'b0.example')
    store.acknowledge('k', record('b0'))
  })
  expect(domains('id', 'desc')[0]).toBe('b0.example')
})

test('a page of the list that was requested before an acknowledgment does not restore the old values', () => {
  const run = must(store.beginRun())
  must(store.savePage({ run, mark: store.mark(), position: 0, websites: [record('1'), record('2')] }))
  const mark = store.mark()
  const [one, two] = store.websites({ search: '', sort_by: 'id', sort: 'asc' }, 0, 2)
  write(() => {
    store.acknowledge(one?.key ?? '', { ...record('1'), privacy: 0 })
    store.acknowledgeDelete(two?.key ?? '')
  })
  must(store.savePage({ run, mark, position: 0, websites: [record('1'), record('2')] }))
  expect(store.website(one?.key ?? '')?.record?.privacy).toBe(0)
  expect(store.total()).toBe(1)
  must(store.savePage({ run, mark: store.mark(), position: 0, websites: [record('1')] }))
  expect(store.website(one?.key ?? '')?.record?.privacy).toBe(1)
})

test('merges the two rows of a website that a refresh found before its create was acknowledged, with the edits of both', () => {
  const run = must(store.beginRun())
  write(() => store.addWebsite('mine', 'a.example'))
  must(store.savePage({ run, mark: store.mark(), position: 0, websites: [record('1', 'a.example')] }))
  const stranger = store.websitesOfDomain('a.example').find(({ id }) => id === '1')
  write(() => {
    store.addEdit(anEdit('e', stranger?.key ?? ''))
    store.acknowledge('mine', record('1', 'a.example'))
  })
  expect(store.websitesOfDomain('a.example')).toMatchObject([{ key: 'mine', id: '1' }])
  expect(store.editsOf('mine').map(({ id }) => id)).toEqual(['e'])
})

test('counts a website and the pending create of its domain as one, but as two once the website has an edit of its own', () => {
  const run = must(store.beginRun())
  write(() => store.addWebsite('mine', 'a.example'))
  const websites = [record('1', 'a.example'), record('2', 'b.example')]
  must(store.savePage({ run, mark: store.mark(), position: 0, websites }))
  const listed = () => store.websites({ search: '', sort_by: 'id', sort: 'asc' }, 0, 10).length
  expect([listed(), store.total(), store.matching(' '), store.matching('a.ex')]).toEqual([2, 2, 2, 1])
  write(() => store.addEdit(anEdit('e', store.websiteOfId('1')?.key ?? '')))
  expect([listed(), store.total(), store.matching(' '), store.matching('a.ex')]).toEqual([3, 3, 3, 2])
})

test('finds the first sendable edit and the counts among a thousand websites and edits', () => {
  const run = must(store.beginRun())
  const websites = Array.from({ length: 1_000 }, (_, n) => record(String(n + 1)))
  must(store.savePage({ run, mark: store.mark(), position: 0, websites }))
  const keys = store.websites({ search: '', sort_by: 'id', sort: 'asc' }, 0, 1_000).map(({ key }) => key)
  write(() => keys.forEach((key, n) => store.addEdit(anEdit(`e${String(n)}`, key))))
  // The loop stops after the first edit. The generator reads no more edits.
  for (const head of store.firstEdits(0)) {
    expect(head.id).toBe('e0')
    expect(store.editsOf(store.edit(head.id)?.website ?? '')).toHaveLength(1)
    break
  }
  expect(store.counts()).toEqual({ waiting: 1_000, parked: 0 })
  expect(store.missing(run + 1)).toEqual([])
})

test('the pages of edits begin with the parked ones, and the others follow in order', () => {
  const parked = { state: 'parked', reason: 'refused', error: null, theirs: null } as const
  write(() => {
    for (const [i, id] of ['a', 'b', 'c', 'd', 'e', 'f'].entries()) {
      store.addWebsite(id, `${id}.example`)
      store.addEdit(anEdit(id, id, i % 2 === 1 ? { standing: parked } : {}))
    }
  })
  const pages = [0, 2, 4, 6].map((offset) => store.editsPage(offset, 2).map(({ id }) => id))
  expect(pages).toEqual([['b', 'd'], ['f', 'a'], ['c', 'e'], []])
})

test('writes nothing for an unchanged website', () => {
  const websites = [record('1'), record('2')]
  must(store.savePage({ run: must(store.beginRun()), mark: store.mark(), position: 0, websites }))
  const before = store.changes()
  const run = must(store.beginRun())
  must(store.savePage({ run, mark: store.mark(), position: 0, websites }))
  expect(store.changes()).toBe(before)
  expect(store.missing(run)).toEqual([])
})

test('counts a website as missing from a refresh if only an earlier process has read it', () => {
  const websites = [record('1'), record('2')]
  must(store.savePage({ run: must(store.beginRun()), mark: store.mark(), position: 0, websites }))
  reopen()
  const run = must(store.beginRun())
  must(store.savePage({ run, mark: store.mark(), position: 0, websites: [record('2')] }))
  expect(store.missing(run).map(({ id }) => id)).toEqual(['1'])
})
