import { join } from 'node:path'
import type { SitewardBridge } from '../../src/preload/bridge.ts'
import { editor, openWebsite } from '../e2e/support/screens.ts'
import { painted, watch } from './bare-window/page.ts'
import { FRAME_TIME, inTurn, type Figure } from './measure.ts'
import type { Window } from './window.ts'

const PAGE_SIZE = 100
/** Number of websites at the top of the list that the rounds edit, one in each round. */
const EDITED = 15
const SERVICE_DELAY_MS = 50

export async function save(window: Window, quick: boolean): Promise<Figure> {
  const { page, websites } = window
  await setPaused(page, true)
  const times = await inTurn(
    async (round) => {
      const form = await openWebsite(page, websites[round % EDITED]?.domain ?? '')
      await form.excludedIps.fill(`192.0.2.${String(round)}`)
      await page.evaluate(watch, { event: 'click', shown: 'form footer p[aria-live]:not(:empty)' })
      await form.save.click()
      return (await page.evaluate(painted)) ?? Number.NaN
    },
    async () => (await commit(window, 1)) + FRAME_TIME,
    { rounds: quick ? 10 : 100, warm: 5 },
  )
  await page.keyboard.press('Escape')
  await editor(page).form.waitFor({ state: 'detached' })
  await sendAll(page)
  return {
    what: 'Save until the change is shown as pending, 95th percentile',
    ...times,
    against: 'one SQLite commit with fsync, plus one frame',
    unit: 'ms',
    percentile: 0.95,
    goal: { times: 2 },
  }
}

export async function bulkChange(window: Window, quick: boolean): Promise<Figure> {
  const { page, websites } = window
  await setPaused(page, true)
  const keys = websites.map(({ key }) => key)
  const times = await inTurn(
    (round) => changeAll(page, keys, `198.51.100.${String(round)}`),
    () => commit(window, keys.length),
    { rounds: quick ? 3 : 15 },
  )
  await setPaused(page, false)
  return {
    what: 'bulk change of 10,000 websites until it is acknowledged',
    ...times,
    against: 'one SQLite transaction that writes 10,000 rows',
    unit: 'ms',
    goal: { times: 3 },
  }
}

export async function refresh({ app, page, service, websites }: Window, quick: boolean): Promise<Figure> {
  service.setDelay(SERVICE_DELAY_MS)
  const pages = websites.length / PAGE_SIZE
  const times = await inTurn(
    () => refreshOnce(page),
    () =>
      app.evaluate(
        async (_electron, { address, apiKey, pages }) => {
          const headers = { Accept: 'application/json', Authorization: `Bearer ${apiKey}` }
          const begun = performance.now()
          for (let at = 1; at <= pages; at++) {
            const path = `/api/v1/websites?sort_by=id&sort=asc&per_page=100&page=${String(at)}`
            const answer = await fetch(address + path, { headers })
            if (!answer.ok) throw new Error(`HTTP ${String(answer.status)}`)
            await answer.json()
          }
          return performance.now() - begun
        },
        { address: service.address, apiKey: service.apiKey, pages },
      ),
    { rounds: quick ? 2 : 15 },
  )
  service.setDelay(0)
  return {
    what: 'refresh of 10,000 websites at 50 ms for each request',
    ...times,
    against: `the same ${String(pages)} requests by Node’s fetch, one after another, parsed and dropped`,
    unit: 'ms',
    goal: { times: 1.05 },
  }
}

type Page = Window['page']

/** Inserts rows of about the size of an edit in one transaction, as the app does. Returns the milliseconds. */
const commit = ({ app, copy, userData }: Window, rows: number): Promise<number> =>
  app.evaluate(
    (_electron, { copy, file, rows }) => {
      const require = process.getBuiltinModule('node:module').createRequire(copy)
      const Database = require('better-sqlite3') as typeof import('better-sqlite3')
      const db = new Database(file)
      for (const setting of [
        'locking_mode = EXCLUSIVE',
        'journal_mode = TRUNCATE',
        'secure_delete = ON',
        'synchronous = FULL',
      ])
        db.pragma(setting)
      db.exec(
        'CREATE TABLE IF NOT EXISTS edit (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, settings TEXT)',
      )
      const insert = db.prepare('INSERT INTO edit (id, settings) VALUES (?, ?)')
      const ids = Array.from({ length: rows }, () => crypto.randomUUID())
      const settings = 'x'.repeat(300)
      const writeAll = db.transaction(() => {
        for (const id of ids) insert.run(id, settings)
      })
      const begun = performance.now()
      writeAll()
      const took = performance.now() - begun
      db.exec('DELETE FROM edit')
      db.close()
      return took
    },
    { copy: join(copy, 'package.json'), file: join(userData, 'rows.db'), rows },
  )

/** Changes the excluded addresses of all websites, and undoes the change. Returns how many milliseconds the change took. */
const changeAll = (page: Page, keys: string[], address: string): Promise<number> =>
  page.evaluate(
    async ({ keys, address }) => {
      const { siteward } = window as never as { siteward: SitewardBridge }
      const begun = performance.now()
      const answer = await siteward.bulkUpdate({ keys, change: { exclude_ips: { how: 'set', lines: [address] } } })
      const took = performance.now() - begun
      if (!answer.ok) throw new Error(answer.error.code)
      if (answer.value.changed !== keys.length) throw new Error(`${String(answer.value.changed)} websites were changed`)
      const undone = await siteward.undoBulk({ bulkChange: answer.value.bulkChange })
      if (!undone.ok) throw new Error(undone.error.code)
      return took
    },
    { keys, address },
  )

export const setPaused = (page: Page, paused: boolean): Promise<unknown> =>
  page.evaluate(
    (value) => (window as never as { siteward: SitewardBridge }).siteward.setSettings({ paused: value }),
    paused,
  )

const sendAll = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const { siteward } = window as never as { siteward: SitewardBridge }
    await new Promise<void>((resolve) => {
      const stop = siteward.on('state', ({ waiting }) => {
        if (waiting > 0) return
        stop()
        resolve()
      })
      void siteward.setSettings({ paused: false })
    })
  })

/** Refreshes the list. Returns the milliseconds. */
export const refreshOnce = (page: Page): Promise<number> =>
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
