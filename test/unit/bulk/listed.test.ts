import { expect, test } from 'vitest'
import { parseSearch } from '../../../src/shared/search.ts'
import { listQuerySchema } from '../../../src/shared/website.ts'
import { settled } from '../outbox/clock.ts'
import { draft, must } from '../outbox/rig.ts'
import { useMany, WEBSITES } from './rig.ts'

const many = useMany({}, 'other.example')

async function find(typed: string) {
  const { text, filters } = parseSearch(`${typed} `)
  const query = listQuerySchema.parse({ search: text, sort_by: 'domain', sort: 'asc', per_page: 100 })
  return must(await many.app.view.find({ ...query, page: 1, filters }))
}
const found = async (typed: string) =>
  Object.fromEntries((await find(typed)).websites.map(({ domain, batch }) => [domain, batch]))

/** One is taken back, one refused, the others are sent. */
async function mixed(): Promise<void> {
  await many.app.bulk.apply(many.keys('w'), { email: true })
  must(many.app.outbox.undo(many.app.edits().find(({ domain }) => domain === 'w0.example')?.id ?? ''))
  many.service.fail('update', { refuse: 'invalid', fields: { email: ['The plan has none.'] } })
  await many.app.online()
  await many.app.offline()
}

test('the websites of a batch are found as one list, each with what has come of it, after a restart too', async () => {
  expect(await found('batch:all')).toEqual({})
  await mixed()
  const parked = many.app.edits()[0]?.domain ?? expect.fail('nothing is parked')
  const all = Object.fromEntries(
    Array.from({ length: WEBSITES }, (_, n) => {
      const domain = `w${n}.example`
      return [domain, domain === parked ? 'parked' : n === 0 ? 'back' : 'sent']
    }),
  )
  for (const look of [() => settled(), many.restart]) {
    await look()
    expect(await found('batch:all')).toEqual(all)
    expect(await found('batch:"needs you"')).toEqual({ [parked]: 'parked' })
    expect(await found('batch:"not sent"')).toEqual({ 'w0.example': 'back' })
    expect(Object.keys(await found('batch:sent'))).toHaveLength(WEBSITES - 2)
    expect(await found('batch:waiting')).toEqual({})
    expect(await found('w0 batch:all')).toEqual({ 'w0.example': 'back' })
    expect(await found('-batch:all')).toEqual({ 'other.example': undefined })
    expect(Object.keys(await found('-batch:sent'))).toEqual(['other.example', 'w0.example', parked])
    expect((await find('batch:all')).gone).toBeUndefined()
    expect((await find('')).websites.every(({ batch }) => batch === undefined)).toBe(true)
  }
})

test('what is sent while it’s shown is shown as sent, and what is dismissed isn’t found', async () => {
  await many.app.bulk.apply(many.keys('w'), { email: true })
  expect(Object.values(await found('batch:all'))).toEqual(Array(WEBSITES).fill('waiting'))
  await many.app.online()
  await settled()
  expect(Object.values(await found('batch:all'))).toEqual(Array(WEBSITES).fill('sent'))
  must(many.app.outcome.dismiss())
  expect(await found('batch:all')).toEqual({})
})

test('those that aren’t in the list any more are counted and named', async () => {
  await many.app.batches.create(['a', 'b', 'c', 'd', 'e'].map((name) => draft(`${name}.example`)))
  for (const name of ['a', 'b', 'c', 'd']) must(await many.app.outbox.delete(many.app.keyOf(`${name}.example`)))
  await settled()
  const gone = { count: 4, domains: ['a.example', 'b.example', 'c.example'] }
  for (const look of [() => settled(), many.restart]) {
    await look()
    expect(await found('batch:all')).toEqual({ 'e.example': 'waiting' })
    expect((await find('batch:all')).gone).toEqual(gone)
    expect((await find('batch:"not sent"')).gone).toEqual(gone)
    expect((await find('batch:waiting')).gone).toBeUndefined()
    // Of these nobody can tell whether they'd fit.
    expect((await find('batch:all email:off')).gone).toBeUndefined()
    expect((await find('example batch:all')).gone).toBeUndefined()
  }
})

test('those that were deleted by it are gone once that is sent', async () => {
  await many.app.batches.delete(many.keys('w'))
  expect(Object.keys(await found('batch:waiting'))).toHaveLength(WEBSITES)
  await many.app.online(30_000)
  await settled()
  expect(await find('batch:sent')).toMatchObject({ matching: 0, gone: { count: WEBSITES } })
})

test('a new website in whose place one that is there is taken stays in the list of its batch', async () => {
  await many.app.online()
  await many.app.offline()
  await many.app.batches.create([draft('x.example'), draft('y.example')])
  many.service.add('x.example', { email: true })
  await many.app.online(30_000)
  await settled()
  const parked = many.app.edits().find(({ state }) => state === 'parked') ?? expect.fail('nothing is parked')
  must(await many.app.refresh.run())
  must(await many.app.outbox.resolve(parked.id, { way: 'adopt' }))
  await settled()
  expect(Object.keys(await found('batch:all'))).toEqual(['x.example', 'y.example'])
  expect((await find('batch:all')).gone).toBeUndefined()
})

test('of many others none is looked at, nor those of the batch where nothing else is sought', async () => {
  await many.app.bulk.apply(many.keys('w'), { email: true })
  const run = must(many.app.store.beginRun())
  const websites = Array.from({ length: 1000 }, (_, n) => ({ id: `m${n}`, domain: `m${n}.example`, extra: {} }))
  must(many.app.store.savePage({ run, mark: many.app.store.mark(), position: 10, websites }))
  const looked: string[] = []
  const { facts } = many.app.store
  many.app.store.facts = (key) => (looked.push(key), facts(key))
  expect((await find('batch:all bots:counted')).matching).toBe(0)
  expect(looked).toHaveLength(WEBSITES)
  expect((await find('batch:all')).matching).toBe(WEBSITES)
  expect((await find('-batch:all')).matching).toBe(1001)
  expect(looked).toHaveLength(WEBSITES)
})
