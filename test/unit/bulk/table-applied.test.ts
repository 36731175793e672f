import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readTable, type ReadTable } from '../../../src/main/bulk/table/read-table.ts'
import { compareTable } from '../../../src/main/bulk/table/compare-table.ts'
import { createWorkerReader } from '../../../src/main/worker.ts'
import { createDefaults } from '../../../src/shared/fields.ts'
import { codeOf, must } from '../outbox/rig.ts'
import { useBulk, WEBSITES } from './rig.ts'

const rig = useBulk()

const compared = async (table: string) => must(await compareTable(rig.app.view, must(readTable(Buffer.from(table)))))
const applied = async (table: string) => must(await rig.app.bulk.applyTable(await compared(table)))
const website = (domain: string) => rig.app.view.get(rig.app.keyOf(domain)) ?? expect.fail('it is gone')
const emails = () => [...rig.service.records.values()].map(({ email }) => email)

/** Changes `w0` and `w2`, leaves `w1` as it is, and adds two websites. */
const TABLE = `domain,email,privacy,exclude_ips
w0.example,on,public,"10.0.0.1
10.0.0.2"
w1.example,,private,(none)
w2.example,on,,10.0.0.3
new.example,on,,
n2.example,,,
`

test('a table gives each website its own values and adds the new websites, and all of it is sent', async () => {
  expect(await applied(TABLE)).toMatchObject({ changed: 2, created: 2, refused: [] })
  expect(rig.app.outcome.state()).toMatchObject({ kind: 'update', websites: 4, canUndo: true })
  expect(website('w0.example')).toMatchObject({ email: true, privacy: 0, exclude_ips: ['10.0.0.1', '10.0.0.2'] })
  await rig.app.online()
  expect(rig.counts()).toEqual({ sent: 4, waiting: 0, parked: 0, notSent: 0 })
  expect(rig.service.domains()).toContain('new.example')
  expect(emails()).toEqual([true, false, true, false, false, true, false])
})

describe('one undo takes back everything that a table did', () => {
  const websitesNow = () => rig.keys().map((key) => rig.app.view.get(key))

  test('before it is sent', async () => {
    const before = websitesNow()
    const { bulkChange } = await applied(TABLE)
    expect(must(await rig.app.bulk.undo(bulkChange))).toMatchObject({ changed: 4, refused: [] })
    expect(websitesNow()).toEqual(before)
    expect(rig.app.edits()).toEqual([])
  })

  test('after it is sent and the app was restarted, and the created websites only if the user agrees', async () => {
    const settings = () => websitesNow().map((one) => ({ ...one, state: null, updated_at: null }))
    const before = settings()
    const { bulkChange } = await applied(TABLE)
    await rig.app.online()
    await rig.restart()
    expect(must(await rig.app.bulk.undo(bulkChange))).toMatchObject({
      changed: 2,
      refused: [],
      sent: { kind: 'create', count: 2, domains: ['new.example', 'n2.example'] },
    })
    await rig.app.online()
    expect(settings().filter(({ domain }) => domain?.startsWith('w'))).toEqual(before)
    expect(rig.keys()).toHaveLength(WEBSITES + 2)
    expect(must(await rig.app.bulk.undo(bulkChange, true))).toMatchObject({
      changed: 2,
      queued: 2,
      same: 0,
      refused: [],
    })
    await rig.clock.advance(30_000)
    expect(settings()).toEqual(before)
  })

  test('only once: after a restart, the answer of the user concerns only the created websites, and later changes stay', async () => {
    const { bulkChange } = await applied(TABLE)
    await rig.app.online()
    must(await rig.app.bulk.undo(bulkChange))
    await rig.app.online()
    must(await rig.app.outbox.update(rig.app.keyOf('w0.example'), { email: true }))
    await rig.restart()
    expect(must(await rig.app.bulk.undo(bulkChange))).toMatchObject({ changed: 0, same: 0, sent: { count: 2 } })
    expect(must(await rig.app.bulk.undo(bulkChange, true))).toMatchObject({ changed: 2, refused: [] })
    expect(website('w0.example').email).toBe(true)
  })

  test('after a restart, before it is sent', async () => {
    const { bulkChange } = await applied('domain,email\nw0.example,on\nnew.example,on\n')
    await rig.restart()
    expect(must(await rig.app.bulk.undo(bulkChange))).toMatchObject({ changed: 2, refused: [] })
    expect(rig.keys()).toHaveLength(WEBSITES)
    expect(rig.app.edits()).toEqual([])
  })

  test('if it only adds websites', async () => {
    const { bulkChange } = await applied('domain\nnew.example\nn2.example\n')
    expect(rig.app.outcome.state()).toMatchObject({ kind: 'create', websites: 2 })
    expect(must(await rig.app.bulk.undo(bulkChange))).toMatchObject({
      changed: 2,
    })
    expect(rig.keys()).toHaveLength(WEBSITES)
  })
})

test('a table queues nothing at all if the disk is full before all of its edits are stored', async () => {
  const table = await compared(TABLE)
  const { addEdit } = rig.app.store
  let added = 0
  rig.app.store.addEdit = (edit) => {
    if (++added === 3) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
    return addEdit(edit)
  }
  expect(codeOf(await rig.app.bulk.applyTable(table))).toBe('disk-full')
  rig.app.store.addEdit = addEdit
  expect(rig.app.edits()).toEqual([])
  expect(rig.app.outcome.state()).toBeNull()
  expect(must(await rig.app.bulk.applyTable(table))).toMatchObject({ changed: 2, created: 2 })
})

test('reports a website that was deleted since the comparison, and a domain that was added since', async () => {
  const table = await compared(TABLE)
  must(await rig.app.outbox.delete(rig.app.keyOf('w0.example')))
  await rig.app.bulk.create([{ ...createDefaults, domain: 'new.example' }])
  expect(must(await rig.app.bulk.applyTable(table))).toMatchObject({
    ...{ changed: 1, created: 1 },
    refused: [
      { row: 2, domain: 'w0.example', error: { code: 'website-gone' } },
      { row: 5, domain: 'new.example', error: { code: 'invalid-input' } },
    ],
  })
})

test('a table keeps the lines that another client has added to a list since the comparison', async () => {
  const setLines = async (...exclude_params: string[]) => {
    for (const record of rig.service.records.values()) Object.assign(record, { exclude_params })
    await rig.app.online()
    must(await rig.app.refresh.run())
    await rig.app.offline()
  }
  await setLines('first')
  const table = await compared('domain,exclude_params\nw0.example,"first\nmine"\n')
  await setLines('first', 'theirs')
  must(await rig.app.bulk.applyTable(table))
  await rig.app.online()
  // Checks what was sent, because this test's service does not store `exclude_params`.
  expect(rig.app.history()[0]?.settings).toEqual({ exclude_params: ['first', 'theirs', 'mine'] })
})

test('asks before a table replaces a write-only list of a website that another client has changed since the comparison', async () => {
  const [record = expect.fail('there is no website')] = rig.service.records.values()
  const touchedNow = async (updated: { updated_at?: string } = {}) => {
    rig.service.touch(record, updated)
    await rig.app.online()
    must(await rig.app.refresh.run())
    await rig.app.offline()
  }
  await touchedNow({ updated_at: '1' })
  const table = await compared('domain,exclude_params\nw0.example,mine\n')
  await touchedNow()
  must(await rig.app.bulk.applyTable(table))
  await rig.app.online()
  expect(rig.service.writes()).toEqual([])
  expect(rig.app.edits()).toMatchObject([{ state: 'parked', reason: 'conflict' }])
})

describe('on a host that keeps domains as they were sent,', () => {
  const odd = useBulk({}, 'WWW.Shop.Example', 'münchen.example', 'Twin.example', 'twin.example')

  test('a table finds websites by any spelling of their domains, and adds none twice', async () => {
    const table = 'domain,email\nshop.example,on\nxn--mnchen-3ya.example,on\nnew.example,on\ntwin.example,on\n'
    const found = must(await compareTable(odd.app.view, must(readTable(Buffer.from(table)))))
    expect(found.changes.map(({ domain }) => domain)).toEqual(['WWW.Shop.Example', 'münchen.example'])
    expect(found.additions.map(({ draft }) => draft.domain)).toEqual(['new.example'])
    expect(found.problems).toMatchObject([{ row: 5, kind: 'ambiguous' }])
    for (const domain of ['shop.example', 'münchen.example', 'www.münchen.example'])
      expect(codeOf(await odd.app.outbox.create({ ...createDefaults, domain }))).toBe('invalid-input')
  })

  test('the undo of a delete restores the website although another one has its domain in another spelling', async () => {
    must(await odd.app.outbox.delete(odd.keys('Twin.example')[0] ?? ''))
    expect(must(odd.app.outbox.undo(odd.app.edits()[0]?.id ?? ''))).toBeDefined()
    expect(odd.app.edits()).toEqual([])
  })

  test('a new website waits for the delete of its domain in another spelling, and that delete can no longer be undone', async () => {
    must(await odd.app.outbox.delete(odd.app.keyOf('WWW.Shop.Example')))
    must(await odd.app.outbox.create({ ...createDefaults, domain: 'shop.example' }))
    const removal = odd.app.edits().find(({ kind }) => kind === 'delete')
    expect(codeOf(odd.app.outbox.undo(removal?.id ?? ''))).toBe('domain-listed')
    await odd.app.online()
    expect(odd.app.edits()).toMatchObject([{ kind: 'delete' }, { kind: 'create', reason: 'depends' }])
    await odd.app.online(30_000)
    expect(odd.service.domains()).toContain('shop.example')
    expect(odd.service.domains()).not.toContain('WWW.Shop.Example')
  })
})

test('reads, compares and applies ten thousand rows with progress, while other work goes on', async () => {
  const run = must(rig.app.store.beginRun())
  const lists = { exclude_ips: Array.from({ length: 5 }, (_, n) => `10.0.0.${n}`), exclude_params: ['ref'] }
  const many = Array.from({ length: 10_000 }, (_, n) => ({
    ...{ id: `m${n}`, domain: `m${n}.example`, privacy: 1 as const, email: false, exclude_bots: true, extra: {} },
    ...lists,
  }))
  must(rig.app.store.savePage({ run, mark: rig.app.store.mark(), position: 0, websites: many }))
  const rows = many.map(({ id, domain }) => `${id},${domain},private,on,on,"${lists.exclude_ips.join('\n')}",ref`)
  const text = Buffer.from(`id,domain,privacy,email,exclude_bots,exclude_ips,exclude_params\n${rows.join('\n')}`)
  const script = join(import.meta.dirname, '../../../src/main/table-worker.ts')
  const worker: ReadTable = createWorkerReader(script, 'not-a-table')
  const reported: number[] = []
  let turns = 0
  const other = setInterval(() => (turns += 1), 1)
  const table = must(await worker(text, (done) => reported.push(done)))
  const found = must(await compareTable(rig.app.view, table, (done) => reported.push(done)))
  clearInterval(other)
  expect(found).toMatchObject({ rows: 10_000, same: 0, problems: [] })
  expect(found.changes).toHaveLength(10_000)
  expect(reported).toHaveLength(40)
  expect(turns).toBeGreaterThan(100)
  expect(must(await rig.app.bulk.applyTable(found))).toMatchObject({ changed: 10_000, refused: [] })
}, 60_000)
