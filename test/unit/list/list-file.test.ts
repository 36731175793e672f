import { afterEach, beforeEach, expect, test } from 'vitest'
import { formatListFile, type ListFileRequest } from '../../../src/main/replica/list-file.ts'
import { csvOfJson } from '../../../src/renderer/lib/table-of-json.ts'
import { columnsOf, rowsOf, parsePastedTable } from '../../../src/renderer/features/bulk/rows.ts'
import { parseSearch } from '../../../src/shared/search.ts'
import type { WebsiteRecord } from '../../../src/shared/website.ts'
import { fakeClock } from '../outbox/clock.ts'
import { codeOf, draft, must, startConnection } from '../outbox/rig.ts'
import { SimulatedService } from '../outbox/simulated-service.ts'

let app: ReturnType<typeof startConnection>

beforeEach(() => {
  app = startConnection({ service: new SimulatedService(), clock: fakeClock() })
})
afterEach(() => app.close())

/** Stores the websites as a refresh does, with the ids 1, 2 and so on. */
function read(...websites: Partial<WebsiteRecord>[]): void {
  const run = must(app.store.beginRun())
  const all = websites.map((website, n) => ({
    id: String(n + 1),
    domain: `site-${String(n)}.example`,
    extra: {},
    ...website,
  }))
  must(app.store.savePage({ run, mark: app.store.mark(), position: 0, websites: all }))
}

/** Returns the text of an export and its number of websites. `typed` is a search as the user types it. */
async function exported(format: ListFileRequest['format'], typed = '', chosen = { all: true, keys: [] as string[] }) {
  const { text: search, filters } = parseSearch(typed)
  const query = { search, filters, sort_by: 'domain', sort: 'asc' } as const
  const file = must(await formatListFile(app.view, { format, query, chosen }))
  if (file === null) throw new Error('Nobody has stopped it.')
  const { pieces, websiteCount: websites } = file
  return { text: pieces.join(''), websites }
}

const pasted = (text: string) => {
  const table = parsePastedTable(csvOfJson(text) ?? text)
  return rowsOf(table, columnsOf(table)).map(({ draft: read, errors }) => ({ ...read, errors }))
}

/** These websites have every field that the file contains and “Add multiple” reads. */
const shown = [
  { domain: 'a.example', privacy: 0, email: true, exclude_bots: false, exclude_ips: ['10.0.0.1', '2001:db8::/48'] },
  { domain: 'b.example', privacy: 2, password: true, email: false, exclude_bots: true, exclude_params: ['&', 'ref'] },
  {
    domain: 'c.example',
    privacy: 1,
    email: false,
    exclude_bots: true,
    exclude_ips: [],
    exclude_params: ['=1+1', "'a", '-b'],
  },
] as const satisfies Partial<WebsiteRecord>[]

test.each(['csv', 'json'] as const)(
  '“Add multiple” reads every setting from an exported %s file, and asks for the passwords, which no file contains',
  async (format) => {
    read(...(structuredClone(shown) as unknown as Partial<WebsiteRecord>[]))
    const { text, websites } = await exported(format)
    expect(websites).toBe(3)
    const nothing = { exclude_ips: [], exclude_params: [], errors: [] }
    expect(pasted(text)).toEqual(
      shown.map((website) => {
        const { password, ...settings } = { password: false, ...website }
        void password
        // The privacy “password” needs a password, which no file contains.
        return { ...nothing, ...settings, errors: settings.privacy === 2 ? [expect.any(String)] : [] }
      }),
    )
  },
)

test('exports pending values, the state, and the fields that only the service sets', async () => {
  const times = { created_at: '2026-01-02T03:04:05Z', updated_at: '2026-02-03 04:05:06' }
  read({ privacy: 1, ...times, extra: { api_token: 'not-ours-to-tell' } })
  const [first] = app.list()
  must(await app.outbox.update(first?.key ?? '', { privacy: 0, exclude_ips: ['192.0.2.1'] }))
  must(await app.outbox.create(draft('new.example', { privacy: 2, password: 'hunter2' })))
  const json = await exported('json')
  expect(JSON.parse(json.text)).toEqual({
    format: 'siteward-websites',
    version: 1,
    about: expect.any(String) as string,
    websites: [
      {
        ...{ domain: 'new.example', privacy: 2, password_set: true, email: 0, exclude_bots: 1 },
        ...{ exclude_ips: [], exclude_params: [], id: null, state: 'new' },
        pending: ['domain', 'privacy', 'password', 'email', 'exclude_bots', 'exclude_ips', 'exclude_params'],
      },
      {
        ...{ domain: 'site-0.example', privacy: 0, exclude_ips: ['192.0.2.1'], id: '1', state: 'changed' },
        ...times,
        pending: ['privacy', 'exclude_ips'],
      },
    ],
  })
  const csv = await exported('csv')
  const heads =
    'domain,privacy,email,exclude_bots,exclude_ips,exclude_params,id,password_set,created_at,updated_at,state,pending'
  expect(csv.text.split('\r\n')).toEqual([
    `\uFEFF${heads}`,
    'new.example,password,off,on,,,,on,,,new,"domain\nprivacy\npassword\nemail\nexclude_bots\nexclude_ips\nexclude_params"',
    `site-0.example,public,,,192.0.2.1,,1,,'2026-01-02T03:04:05Z,'2026-02-03 04:05:06,changed,"privacy\nexclude_ips"`,
    '',
  ])
  for (const { text } of [json, csv]) expect(text).not.toMatch(/hunter2|not-ours-to-tell/)
})

test('writes no cell that begins like a formula, whatever domain the service returns', async () => {
  const domains = ['=cmd|calc', '+1', '-1', '@a', '\tx', '\rx', "'quoted", '＝1', '"=1"']
  read(...domains.map((domain) => ({ domain })))
  const { text } = await exported('csv')
  const first = text
    .split('\r\n')
    .slice(1, -1)
    .map((row) => row.replace(/^"/, '')[0])
  expect(first.filter((sign) => /[=+\-@\t\r＝]/.test(sign ?? ''))).toEqual([])
  const back = pasted(text).map(({ domain }) => domain.trim())
  expect(back.toSorted()).toEqual(domains.map((domain) => domain.trim()).toSorted())
})

test('exports either the chosen websites, or all that match the search without the unchecked ones, in the order of the list', async () => {
  read({ domain: 'b.example', privacy: 0 }, { domain: 'a.example', privacy: 0 }, { domain: 'c.other', privacy: 1 })
  const domains = async (...args: Parameters<typeof exported>) =>
    pasted((await exported(...args)).text).map(({ domain }) => domain)
  expect(await domains('csv', 'privacy:public')).toEqual(['a.example', 'b.example'])
  expect(await domains('csv', 'other')).toEqual(['c.other'])
  const [a, b, c] = ['a.example', 'b.example', 'c.other'].map((domain) => app.keyOf(domain)) as [string, string, string]
  expect(await domains('csv', '', { all: false, keys: [b, a] })).toEqual(['a.example', 'b.example'])
  expect(await domains('json', '', { all: true, keys: [b] })).toEqual(['a.example', 'c.other'])
  // A chosen website is exported even if the search does not match it.
  expect(await domains('csv', 'example', { all: false, keys: [c, a, 'gone'] })).toEqual(['a.example', 'c.other'])
  expect(await exported('json', 'nowhere')).toMatchObject({ websites: 0 })
  expect(JSON.parse((await exported('json', 'nowhere')).text)).toMatchObject({ websites: [] })
})

test('lets other work run between the slices of an export of 3,000 websites', async () => {
  read(...Array.from({ length: 3_000 }, () => ({ exclude_ips: ['10.0.0.1'], privacy: 1 as const })))
  let turns = 0
  let going = true
  const others = () => void (turns++, going && setImmediate(others))
  setImmediate(others)
  const { websites, text } = await exported('csv')
  going = false
  expect(websites).toBe(3_000)
  expect(text.split('\r\n')).toHaveLength(3_002)
  expect(turns).toBeGreaterThan(45)
})

test('reports the progress of a long export, and stops reading when it is canceled', async () => {
  read(...Array.from({ length: 1200 }, () => ({})))
  const query: ListFileRequest['query'] = { search: '', filters: [], sort_by: 'id', sort: 'desc' }
  const list: ListFileRequest = { format: 'csv', query, chosen: { all: true, keys: [] } }
  const progress: number[][] = []
  const whole = must(await formatListFile(app.view, list, (...counts) => progress.push(counts) > 0))
  expect(whole?.websiteCount).toBe(1200)
  expect(progress).toEqual([
    [500, 1200],
    [1000, 1200],
  ])
  const slices: number[] = []
  const view = {
    ...app.view,
    websites: (keys: readonly string[]) => (slices.push(keys.length), app.view.websites(keys)),
  }
  expect(must(await formatListFile(view, list, (done) => done < 1000))).toBeNull()
  expect(slices).toHaveLength(20)
})

test('an export reports an error if the database can’t be read', async () => {
  read({})
  app.store.close()
  const query: ListFileRequest['query'] = { search: '', filters: [], sort_by: 'id', sort: 'desc' }
  expect(codeOf(await formatListFile(app.view, { format: 'csv', query, chosen: { all: true, keys: [] } }))).toBe(
    'storage',
  )
})
