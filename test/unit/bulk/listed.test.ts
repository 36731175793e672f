import { expect, test } from 'vitest'
import { parseSearch } from '../../../src/shared/search.ts'
import { listQuerySchema } from '../../../src/shared/website.ts'
import { settled } from '../outbox/clock.ts'
import { draft, must } from '../outbox/rig.ts'
import { useBulk, WEBSITES } from './rig.ts'

const rig = useBulk({}, 'other.example')

async function find(typed: string) {
  const { text, filters } = parseSearch(`${typed} `)
  const query = listQuerySchema.parse({ search: text, sort_by: 'domain', sort: 'asc', per_page: 100 })
  return must(await rig.app.view.find({ ...query, page: 1, filters }))
}
const found = async (typed: string) =>
  Object.fromEntries((await find(typed)).websites.map(({ domain, bulkResult }) => [domain, bulkResult]))

/** One is taken back, one refused, the others are sent. */
async function mixed(): Promise<void> {
  await rig.app.bulk.apply(rig.keys('w'), { email: true })
  must(rig.app.outbox.undo(rig.app.edits().find(({ domain }) => domain === 'w0.example')?.id ?? ''))
  rig.service.fail('update', { refuse: 'invalid', fields: { email: ['The plan has none.'] } })
  await rig.app.online()
  await rig.app.offline()
}

test('lists the websites of a bulk change with their results, also after a restart', async () => {
  expect(await found('bulk:all')).toEqual({})
  await mixed()
  const parked = rig.app.edits()[0]?.domain ?? expect.fail('nothing is parked')
  const all = Object.fromEntries(
    Array.from({ length: WEBSITES }, (_, n) => {
      const domain = `w${n}.example`
      return [domain, domain === parked ? 'parked' : n === 0 ? 'back' : 'sent']
    }),
  )
  for (const look of [() => settled(), rig.restart]) {
    await look()
    expect(await found('bulk:all')).toEqual(all)
    expect(await found('bulk:needs-attention')).toEqual({ [parked]: 'parked' })
    expect(await found('bulk:not-sent')).toEqual({ 'w0.example': 'back' })
    expect(Object.keys(await found('bulk:sent'))).toHaveLength(WEBSITES - 2)
    expect(await found('bulk:pending')).toEqual({})
    expect(await found('w0 bulk:all')).toEqual({ 'w0.example': 'back' })
    expect(await found('-bulk:all')).toEqual({ 'other.example': undefined })
    expect(Object.keys(await found('-bulk:sent'))).toEqual(['other.example', 'w0.example', parked])
    expect((await find('bulk:all')).gone).toBeUndefined()
    expect((await find('')).websites.every(({ bulkResult }) => bulkResult === undefined)).toBe(true)
  }
})

test('updates the list when edits are sent, and lists nothing after it is dismissed', async () => {
  await rig.app.bulk.apply(rig.keys('w'), { email: true })
  expect(Object.values(await found('bulk:all'))).toEqual(Array(WEBSITES).fill('waiting'))
  await rig.app.online()
  await settled()
  expect(Object.values(await found('bulk:all'))).toEqual(Array(WEBSITES).fill('sent'))
  must(rig.app.outcome.dismiss())
  expect(await found('bulk:all')).toEqual({})
})

test('counts and names the websites that are no longer in the list', async () => {
  await rig.app.bulkChanges.create(['a', 'b', 'c', 'd', 'e'].map((name) => draft(`${name}.example`)))
  for (const name of ['a', 'b', 'c', 'd']) must(await rig.app.outbox.delete(rig.app.keyOf(`${name}.example`)))
  await settled()
  const gone = { count: 4, domains: ['a.example', 'b.example', 'c.example'] }
  for (const look of [() => settled(), rig.restart]) {
    await look()
    expect(await found('bulk:all')).toEqual({ 'e.example': 'waiting' })
    expect((await find('bulk:all')).gone).toEqual(gone)
    expect((await find('bulk:not-sent')).gone).toEqual(gone)
    expect((await find('bulk:pending')).gone).toBeUndefined()
    // Of these nobody can tell whether they'd fit.
    expect((await find('bulk:all reports:off')).gone).toBeUndefined()
    expect((await find('example bulk:all')).gone).toBeUndefined()
  }
})

test('removes deleted websites from the list once the delete is sent', async () => {
  await rig.app.bulkChanges.delete(rig.keys('w'))
  expect(Object.keys(await found('bulk:pending'))).toHaveLength(WEBSITES)
  await rig.app.online(30_000)
  await settled()
  expect(await find('bulk:sent')).toMatchObject({ matching: 0, gone: { count: WEBSITES } })
})

test('keeps an adopted website in the list of its bulk change', async () => {
  await rig.app.online()
  await rig.app.offline()
  await rig.app.bulkChanges.create([draft('x.example'), draft('y.example')])
  rig.service.add('x.example', { email: true })
  await rig.app.online(30_000)
  await settled()
  const parked = rig.app.edits().find(({ state }) => state === 'parked') ?? expect.fail('nothing is parked')
  must(await rig.app.refresh.run())
  must(await rig.app.outbox.resolve(parked.id, { way: 'adopt' }))
  await settled()
  expect(Object.keys(await found('bulk:all'))).toEqual(['x.example', 'y.example'])
  expect((await find('bulk:all')).gone).toBeUndefined()
})

test('reads only the websites of the bulk change, and none for another search', async () => {
  await rig.app.bulk.apply(rig.keys('w'), { email: true })
  const run = must(rig.app.store.beginRun())
  const websites = Array.from({ length: 1000 }, (_, n) => ({ id: `m${n}`, domain: `m${n}.example`, extra: {} }))
  must(rig.app.store.savePage({ run, mark: rig.app.store.mark(), position: 10, websites }))
  const looked: string[] = []
  const { facts } = rig.app.store
  rig.app.store.facts = (key) => (looked.push(key), facts(key))
  expect((await find('bulk:all bots:counted')).matching).toBe(0)
  expect(looked).toHaveLength(WEBSITES)
  expect((await find('bulk:all')).matching).toBe(WEBSITES)
  expect((await find('-bulk:all')).matching).toBe(1001)
  expect(looked).toHaveLength(WEBSITES)
})
