import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Filter } from '../../../src/shared/search.ts'
import { parseSearch } from '../../../src/shared/search.ts'
import { listQuerySchema } from '../../../src/shared/website.ts'
import { fakeClock } from '../outbox/clock.ts'
import { draft, must, startConnection } from '../outbox/rig.ts'
import { SimulatedService } from '../outbox/simulated-service.ts'

let app: ReturnType<typeof startConnection>

beforeEach(() => {
  app = startConnection({ service: new SimulatedService(), clock: fakeClock() })
})
afterEach(() => app.close())

function read(count: number): void {
  const run = must(app.store.beginRun())
  const websites = Array.from({ length: count }, (_, n) => ({
    id: String(n + 1),
    domain: `site-${String(n)}.example`,
    privacy: (n % 3) as 0 | 1 | 2,
    email: n % 2 === 0,
    exclude_bots: n % 5 !== 0,
    exclude_ips: n % 4 === 0 ? ['10.1.2.3', '192.168.0.0/16'] : [],
    exclude_params: n % 7 === 0 ? ['utm_source'] : [],
    created_at: `20${String(n % 20).padStart(2, '0')}-06-15 12:00:00`,
    extra: {},
  }))
  must(app.store.savePage({ run, mark: app.store.mark(), position: 0, websites }))
}

/** Returns a page of up to 100 websites. `typed` is a search as the user types it. */
async function find(typed: string, page = 1) {
  const { text, filters } = parseSearch(typed)
  return must(await app.view.find({ ...listQuerySchema.parse({ search: text, per_page: 100 }), page, filters }))
}

test.each<[string, (n: number) => boolean]>([
  ['privacy:public', (n) => n % 3 === 0],
  ['-privacy:public reports:on', (n) => n % 3 !== 0 && n % 2 === 0],
  ['bots:counted ip:10.0.0.0/8', (n) => n % 5 === 0 && n % 4 === 0],
  ['-ip:192.168.7.1', (n) => n % 4 !== 0],
  ['parameters:some', (n) => n % 7 === 0],
  ['-parameters:some created:2005-01-01..2006-06-15', (n) => n % 7 !== 0 && (n % 20 === 5 || n % 20 === 6)],
  ['created:..2000-06-15', (n) => n % 20 === 0],
  ['-created:2000-06-16..', (n) => n % 20 === 0],
  ['site-1 privacy:private', (n) => n % 3 === 1 && `site-${String(n)}`.includes('site-1')],
])('finds the matching websites for %s, in the requested order', async (typed, fits) => {
  read(1000)
  const expected = Array.from({ length: 1000 }, (_, n) => n)
    .filter(fits)
    .map((n) => `site-${String(n)}.example`)
    .toReversed()
  const first = await find(typed)
  expect(first).toMatchObject({ matching: expected.length, total: 1000, pages: Math.ceil(expected.length / 100) })
  const rest = await Promise.all(Array.from({ length: first.pages }, (_, at) => find(typed, at + 1)))
  expect(rest.flatMap(({ websites }) => websites.map(({ domain }) => domain))).toEqual(expected)
})

test('tests a website again for the same filter only after something was written to the database', async () => {
  read(300)
  const facts = vi.spyOn(app.store, 'facts')
  expect((await find('site-1 privacy:public')).matching).toBe(36)
  const tested = facts.mock.calls.length
  expect((await find('site-12 privacy:public')).matching).toBe(5)
  expect(facts).toHaveBeenCalledTimes(tested)
  read(301)
  expect((await find('site privacy:public')).matching).toBe(101)
  expect(facts.mock.calls.length).toBeGreaterThan(tested + 300)
})

test('counts found websites and their pages, and shows the last page if a later one is requested', async () => {
  read(230)
  const pages = async (typed: string, page: number) => {
    const { websites, ...counts } = await find(typed, page)
    return { ...counts, shown: websites.length }
  }
  expect(await pages('site-22', 1)).toMatchObject({ matching: 11, page: 1, pages: 1, shown: 11 })
  expect(await pages('site', 3)).toMatchObject({ matching: 230, page: 3, pages: 3, shown: 30 })
  expect(await pages('site', 1)).toMatchObject({ matching: 230, page: 1, pages: 3, shown: 100 })
  expect(await pages('site', 9)).toMatchObject({ matching: 230, page: 3, pages: 3, shown: 30 })
  expect(await pages('nothing', 1)).toMatchObject({ matching: 0, page: 1, pages: 1, shown: 0 })
})

test('finds domains that contain all words in any order, together with filters', async () => {
  read(300)
  const found = async (typed: string) => (await find(typed)).websites.map(({ domain }) => domain)
  expect(await found('EXAMPLE 99 site-2')).toEqual(['site-299.example'])
  expect(await found('99 site-2 privacy:password')).toEqual(['site-299.example'])
  expect(await found('99 site-2 privacy:private')).toEqual([])
  expect(await found('site-29 elsewhere')).toEqual([])
})

test('finds websites by their pending values, and by being pending', async () => {
  read(10)
  const [first] = (await find('privacy:public')).websites
  must(await app.outbox.update(first?.key ?? '', { privacy: 1 }))
  must(await app.outbox.create(draft('new.example')))
  expect((await find('privacy:public')).websites.map(({ key }) => key)).not.toContain(first?.key)
  expect((await find('state:pending')).websites.map(({ domain }) => domain)).toEqual(['new.example', first?.domain])
  expect((await find('-state:pending')).matching).toBe(9)
})

test('finds websites that were added in the last 7 or 30 days, including those that are still to be created', async () => {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString()
  const run = must(app.store.beginRun())
  const websites = [3, 20, 400].map((ago) => ({
    id: `${ago}`,
    domain: `d${ago}.example`,
    created_at: day(ago),
    extra: {},
  }))
  const unknown = [{ id: '1', domain: 'unknown.example', extra: {} }]
  must(app.store.savePage({ run, mark: app.store.mark(), position: 0, websites: [...websites, ...unknown] }))
  must(await app.outbox.create(draft('new.example')))
  const found = async (typed: string) => (await find(typed)).websites.map(({ domain }) => domain).toSorted()
  expect(await found('created:7d')).toEqual(['d3.example', 'new.example'])
  expect(await found('created:30d')).toEqual(['d20.example', 'd3.example', 'new.example'])
  expect(await found('-created:30d')).toEqual(['d400.example'])
})

test('finds a website by its new values after a remote change', async () => {
  read(10)
  expect((await find('reports:on')).matching).toBe(5)
  const run = must(app.store.beginRun())
  const record = { id: '2', domain: 'site-1.example', email: true, extra: {} }
  must(app.store.savePage({ run, mark: app.store.mark(), position: null, websites: [record] }))
  expect((await find('reports:on')).matching).toBe(6)
})

test('a field that the service doesn’t show matches neither a filter nor its negation', async () => {
  const run = must(app.store.beginRun())
  const websites = [{ id: '1', domain: 'bare.example', extra: {} }]
  must(app.store.savePage({ run, mark: app.store.mark(), position: 0, websites }))
  const both: Filter[] = [
    { name: 'bots', value: 'excluded', not: false },
    { name: 'bots', value: 'excluded', not: true },
  ]
  for (const filter of both) {
    const query = { ...listQuerySchema.parse({}), page: 1, filters: [filter] }
    expect(must(await app.view.find(query)).matching).toBe(0)
  }
})
