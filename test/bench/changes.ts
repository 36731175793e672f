import type { SitewardBridge } from '../../src/preload/bridge.ts'
import { inTurn, type Figure } from './measure.ts'
import { WEBSITES, type Windows } from './windows.ts'

/** Number of changes in one round. */
const CHANGES = 50
const PAGE = 100

/** Measures a change, from the call in the window until the answer that it's on disk. Nothing is sent meanwhile. */
export async function acknowledge({ ours, bare, bringUp, websites }: Windows, quick: boolean): Promise<Figure[]> {
  await setPaused(ours, true)
  const websiteOf = (round: number) => websites.slice(round, round + 1)
  const times = await inTurn(
    async (round) => {
      await bringUp('ours')
      return change(ours, changesTo(websiteOf(round), round))
    },
    async (round) => {
      await bringUp('bare')
      return bare.evaluate(
        async (row) => {
          const { bare } = window as never as { bare: { append: (text: string) => Promise<void> } }
          const begun = performance.now()
          await bare.append(row)
          return performance.now() - begun
          // As long as the row that the app writes.
        },
        JSON.stringify(changesTo(websiteOf(round), round)).padEnd(300),
      )
    },
    { rounds: quick ? 10 : 100, warm: 10 },
  )
  await sendAll(ours)
  const against = 'a bare call to main that appends 300 bytes to a file and syncs it'
  return [{ what: 'acknowledge a change, from the window to the disk and back', ...times, against, unit: 'ms' }]
}

/** Measures reading the whole list again, of which nothing has changed. */
export async function refresh(windows: Windows, quick: boolean): Promise<Figure[]> {
  const { ours, service } = windows
  await windows.bringUp('ours')
  const times = await inTurn(
    () => refreshOnce(ours),
    () =>
      askInMain(
        windows,
        Array.from({ length: WEBSITES / PAGE }, (_, n) => ({ path: pageAt(n + 1) })),
      ),
    { rounds: quick ? 2 : 10 },
  )
  const before = service.store.requests().length
  await refreshOnce(ours)
  const requests = service.store.requests().length - before
  const count = `${String(WEBSITES / PAGE)} requests by Node’s fetch, one after another, parsed and dropped`
  return [
    { what: `refresh of ${String(WEBSITES)} websites`, ...times, against: count, unit: 'ms' },
    {
      what: 'requests of a refresh, with the account',
      ours: [requests],
      baseline: [WEBSITES / PAGE],
      against: 'one for each page of 100',
      unit: 'requests',
    },
  ]
}

/** Measures the delivery of changes that were made while sending was paused, right after a refresh. */
export async function drain(windows: Windows, quick: boolean): Promise<Figure[]> {
  const { ours, service, websites } = windows
  const chosen = (round: number, from: number) => websites.slice(from + round * CHANGES, from + (round + 1) * CHANGES)
  const requests: number[] = []
  await windows.bringUp('ours')
  const times = await inTurn(
    async (round) => {
      await refreshOnce(ours)
      await setPaused(ours, true)
      await change(ours, changesTo(chosen(round, 2000), round + 100))
      const before = service.store.requests().length
      const took = await sendAll(ours)
      requests.push(service.store.requests().length - before)
      return took
    },
    (round) =>
      askInMain(
        windows,
        chosen(round, 4000).map(({ id }) => ({
          path: `/api/v1/websites/${String(id)}`,
          body: new URLSearchParams({ exclude_ips: addressOf(round + 100) }).toString(),
        })),
      ),
    { rounds: quick ? 2 : 12 },
  )
  const many = String(CHANGES)
  const against = `${many} PUT requests by Node’s fetch, one after another, each noted in a synced file before and after`
  return [
    { what: `drain of ${many} changes`, ...times, against, unit: 'ms' },
    {
      what: `requests of a drain of ${many} changes`,
      ours: requests,
      baseline: [CHANGES],
      against: 'one for each change',
      unit: 'requests',
    },
  ]
}

type Page = Windows['ours']
interface Change {
  key: string
  changes: { exclude_ips: string[] }
}

const addressOf = (round: number): string => `192.0.2.${String(round)}`
const changesTo = (websites: Windows['websites'], round: number): Change[] =>
  websites.map(({ key }) => ({ key, changes: { exclude_ips: [addressOf(round)] } }))

/** Makes changes one after another; returns how many milliseconds they took. */
const change = (page: Page, all: Change[]): Promise<number> =>
  page.evaluate(async (changes) => {
    const { siteward } = window as never as { siteward: SitewardBridge }
    const begun = performance.now()
    for (const one of changes) {
      const answer = await siteward.updateWebsite(one)
      if (!answer.ok) throw new Error(answer.error.code)
    }
    return performance.now() - begun
  }, all)

const setPaused = (page: Page, paused: boolean): Promise<unknown> =>
  page.evaluate(
    (value) => (window as never as { siteward: SitewardBridge }).siteward.setSettings({ paused: value }),
    paused,
  )

/** Continues sending; returns how many milliseconds pass until no change is pending. */
const sendAll = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const { siteward } = window as never as { siteward: SitewardBridge }
    const begun = performance.now()
    await new Promise<void>((resolve) => {
      const stop = siteward.on('state', ({ waiting }) => {
        if (waiting > 0) return
        stop()
        resolve()
      })
      void siteward.setSettings({ paused: false })
    })
    return performance.now() - begun
  })

/** Refreshes the list; returns how many milliseconds it takes. */
const refreshOnce = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const { siteward } = window as never as { siteward: SitewardBridge }
    const begun = performance.now()
    await new Promise<void>((resolve, reject) => {
      let ended: number | null = null
      const stop = siteward.on('state', ({ refresh }) => {
        if (ended === null || refresh.ended < ended) return
        stop()
        if (refresh.error === null) resolve()
        else reject(new Error(refresh.error.code))
      })
      void siteward.refresh().then((answer) => {
        if (answer.ok) ended = answer.value
        else reject(new Error(answer.error.code))
      })
    })
    return performance.now() - begun
  })

const pageAt = (page: number): string =>
  `/api/v1/websites?sort_by=id&sort=asc&per_page=${String(PAGE)}&page=${String(page)}`

/**
 * Makes requests from main, one after another; returns how many milliseconds they took. Those with a body are PUTs, which
 * are noted before and after in a file that is synced each time.
 */
const askInMain = (
  { app, log, service: { address, apiKey } }: Windows,
  requests: { path: string; body?: string }[],
): Promise<number> =>
  app.evaluate(
    async (_electron, given) => {
      const { closeSync, fdatasyncSync, openSync, writeSync } = process.getBuiltinModule('node:fs')
      const file = openSync(given.log, 'a')
      const note = (text: string): void => {
        writeSync(file, text)
        fdatasyncSync(file)
      }
      const headers = { Accept: 'application/json', Authorization: `Bearer ${given.apiKey}` }
      const form = { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' }
      const begun = performance.now()
      for (const { path, body } of given.requests) {
        if (body !== undefined) note(path + body)
        const answer = await fetch(
          given.address + path,
          body === undefined ? { headers } : { method: 'PUT', headers: form, body },
        )
        const text = JSON.stringify(await answer.json())
        if (!answer.ok) throw new Error(`HTTP ${String(answer.status)}`)
        if (body !== undefined) note(text)
      }
      const took = performance.now() - begun
      closeSync(file)
      return took
    },
    { address, apiKey, log, requests },
  )
