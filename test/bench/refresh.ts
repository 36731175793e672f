import { must } from './connection.ts'
import { openBare } from './enqueue.ts'
import type { Bench, Figure } from './figure.ts'
import { inTurn, ratio } from './in-turn.ts'
import { askByFetch, askOnward, byLibraries, type Ask } from './least.ts'
import { startServed, type Served } from './served.ts'

const WEBSITES = 10_000
const PAGES = WEBSITES / 100
const BARS = new Map([
  [0, 1.5],
  [50, 1.05],
])

/** All websites are read anew, and saved (sync.md, "Reading"). */
export const refresh: Bench = {
  name: 'refresh',
  about:
    `${WEBSITES} websites are read again from a service in another process and saved, against as many bare requests with ` +
    'their JSON parsed, one after another; with so many milliseconds added to each answer. The floors are the same requests, ' +
    'whose records are brought into the app’s own form and held against those that are kept, which are as they were; while ' +
    'one page is looked at, the next one is on its way. Nothing is checked, cleaned, counted, noted or told. Once by Node’s plain ' +
    'HTTP; once by the libraries that the app stands on. Each refresh of ours reads the account too, beside the list.',
  async run({ quick }) {
    const served = await startServed(WEBSITES)
    const { connection } = served
    const kept = openKept(served.folder)
    let asked = { pages: 0, accounts: 0 }
    const figures: Figure[] = []
    for (const [delay, most] of BARS) {
      served.delay(delay)
      const times = await inTurn(
        {
          ours: {
            before: () => void served.asked(),
            async run() {
              must(await connection.refresh.run())
              asked = served.asked()
            },
          },
          bare: { run: () => readBare(served) },
          least: { run: () => readLeast(served, kept, askOnward) },
          libraries: { run: () => readLeast(served, kept, byLibraries(askOnward)) },
        },
        { rounds: quick ? 2 : 12, warm: 1 },
      )
      const figure = (name: string, one: keyof typeof times, other: keyof typeof times, bar: Figure['bar'] = null) => ({
        name: `refresh of ${WEBSITES} websites, ${delay} ms: ${name}`,
        ratio: ratio(times[one], times[other]),
        bar,
        of: `${times[one].median.toFixed(0)} ms to ${times[other].median.toFixed(0)} ms`,
      })
      figures.push(
        figure('bare requests', 'ours', 'bare', { most }),
        figure('the floor, what the least takes of bare requests', 'least', 'bare'),
        figure('the floor, the same by the libraries that the app stands on', 'libraries', 'bare'),
      )
    }
    figures.push({
      name: 'refresh: requests for the list',
      ratio: asked.pages / PAGES,
      bar: { most: 1 },
      of: `${asked.pages} to ${PAGES}, and ${asked.accounts} for the account beside them`,
    })
    kept.end()
    await served.end()
    return figures
  },
}

const pageOf = (page: number) =>
  ({ method: 'GET', path: `/api/v1/websites?sort_by=id&sort=asc&per_page=100&page=${page}` }) as const

async function readBare(served: Served): Promise<void> {
  for (let page = 1; page <= PAGES; page++) {
    const { data } = JSON.parse(await askByFetch(served, pageOf(page))) as { data: unknown[] }
    if (data.length !== 100) throw new Error('a page isn’t whole')
  }
}

type Told = Record<'id' | 'email' | 'exclude_bots' | 'exclude_ips' | 'object' | 'favorite' | 'favorited_at', unknown>

/** A table of records as they were first seen, and whether one is still so. */
function openKept(folder: string) {
  const db = openBare(folder)
  db.exec('CREATE TABLE website (id TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT, WITHOUT ROWID')
  const kept = db.prepare<[string], { record: string }>('SELECT record FROM website WHERE id = ?')
  const add = db.prepare<[string, string]>('INSERT INTO website (id, record) VALUES (?, ?)')
  return {
    isKept(record: { id: string }): boolean {
      const text = JSON.stringify(record)
      const row = kept.get(record.id)
      if (row === undefined) add.run(record.id, text)
      return row === undefined || row.record === text
    },
    end: () => void db.close(),
  }
}

/** What nobody can leave out who is to know what has changed: each record is held against the one that is kept. */
async function readLeast(served: Served, { isKept }: ReturnType<typeof openKept>, ask: Ask): Promise<void> {
  let asking = ask(served, pageOf(1))
  for (let page = 1; page <= PAGES; page++) {
    const { data } = JSON.parse(await asking) as { data: Told[] }
    // It's awaited in the next round.
    if (page < PAGES) asking = ask(served, pageOf(page + 1))
    if (data.length !== 100 || !data.map(formed).every(isKept)) throw new Error('it isn’t as it was')
  }
}

/** As this service writes it; whoever reads them all has to look for how it's written. */
const formed = ({ id, email, exclude_bots, exclude_ips: lines, object, favorite, favorited_at, ...told }: Told) => ({
  ...told,
  id: String(id),
  email: email === 1,
  exclude_bots: exclude_bots === 1,
  exclude_ips: typeof lines === 'string' ? lines.split('\n') : [],
  extra: { object, favorite, favorited_at },
})
