import { cpSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { launchApp, quitApp } from '../../scripts/launch.mjs'
import type { SitewardBridge } from '../../src/preload/bridge.ts'
import { startSampleService } from '../../src/main/sample/service.ts'
import { connectedData, startInTray, withDesktop, type Desktop } from './desktop.ts'
import { median } from './in-turn.ts'
import { painted, watch } from './list-page.ts'
import { openAgain } from './open.ts'

/** How many websites there are where what waits grows. */
const QUEUED_OF = 10_000
/** More requests a minute than are made: nobody waits for the rate. */
const RATE = 60_000
const LETTERS = ['a', 'e', 'k', 'o', 's', 'y']

/** What the person waits for: until the tray is there, until the window has the list, until a key has its rows. */
const seenActs = ['tray', 'window, let go', 'window, put away', 'key'] as const
type SeenAct = (typeof seenActs)[number]
/** Milliseconds, the median of each, by how many there are. */
type Medians = Map<number, Record<SeenAct, number>>

/** The app as it's started, opened and searched, with so many websites, and with so many changes that wait. */
export function measureSeen(quick: boolean): Promise<{ websites: Medians; queued: Medians }> {
  return withDesktop(async (desktop) => {
    const websites = new Map<number, string>()
    for (const count of quick ? [10, 1000] : [10, 100, 1000, 10_000, 100_000])
      websites.set(count, await dataOf(desktop, count))
    const whole = websites.get(quick ? 1000 : QUEUED_OF) ?? ''
    const queued = new Map<number, string>()
    for (const count of quick ? [1, 100] : [1, 10, 100, 1000, 10_000])
      queued.set(count, await queuedData(desktop, whole, count))
    return { websites: await measure(desktop, websites, quick), queued: await measure(desktop, queued, quick) }
  })
}

/** Data of an app that has read so many websites. What answered isn't there any more. */
async function dataOf(desktop: Desktop, websites: number): Promise<string> {
  const service = await startSampleService({ websites, rate: RATE })
  const data = await connectedData(desktop, `websites-${String(websites)}`, service, websites)
  await service.close()
  return data
}

async function queuedData({ folder, env }: Desktop, from: string, count: number): Promise<string> {
  const data = join(folder, `queued-${String(count)}`)
  cpSync(from, data, { recursive: true })
  const { app, page } = await launchApp({ userData: data, env })
  await page.evaluate(async (edits) => {
    const { siteward } = window as never as { siteward: SitewardBridge }
    for (let made = 0, at = 1; made < edits; at++) {
      const listed = await siteward.listWebsites({ per_page: 100, page: at })
      if (!listed.ok) throw new Error(listed.error.code)
      for (const { key } of listed.value.websites.slice(0, edits - made)) {
        const answer = await siteward.updateWebsite({ key, changes: { exclude_ips: ['192.0.2.7'] } })
        if (!answer.ok) throw new Error(answer.error.code)
        made += 1
      }
    }
  }, count)
  await quitApp(app)
  return data
}

/** All sizes in turn, so that a slow minute of the machine meets each of them. */
async function measure(desktop: Desktop, levels: Map<number, string>, quick: boolean): Promise<Medians> {
  const times = new Map(
    [...levels].map(([count]) => [count, { tray: [], 'window, let go': [], 'window, put away': [], key: [] } as Times]),
  )
  for (let round = 0; round < (quick ? 1 : 4); round++)
    for (const [count, data] of levels) {
      const taken = times.get(count)
      if (taken === undefined) continue
      for (let start = 0; start < 2; start++) taken.tray.push(await startOnce(desktop, data))
      const opened = await openAgain(desktop, data, quick ? 2 : 4, ['ours', 'kept'])
      taken['window, let go'].push(...opened.ours)
      taken['window, put away'].push(...opened.kept)
      taken.key.push(...(await pressKeys(desktop, data)))
    }
  return new Map(
    [...times].map(([count, taken]) => [
      count,
      Object.fromEntries(seenActs.map((act) => [act, median(taken[act])])) as Record<SeenAct, number>,
    ]),
  )
}

type Times = Record<SeenAct, number[]>

async function startOnce(desktop: Desktop, data: string): Promise<number> {
  const { took, quit } = await startInTray(desktop, data)
  await quit()
  return took
}

/** One letter in the search, and none again; of those that find something else than all. */
async function pressKeys({ env }: Desktop, userData: string): Promise<number[]> {
  const { app, page } = await launchApp({ userData, env })
  try {
    const box = page.getByLabel('Search websites')
    await box.focus()
    const all = await matching(page, '')
    const times: number[] = []
    for (const letter of LETTERS) {
      const found = await matching(page, letter)
      if (found === 0 || found === all) continue
      times.push(await press(page, letter, { text: letter, rows: found }))
      await box.selectText()
      times.push(await press(page, 'Delete', { text: '', rows: all }))
    }
    return times
  } finally {
    await quitApp(app)
  }
}

async function press(page: Page, key: string, wanted: { text: string; rows: number }): Promise<number> {
  await page.evaluate(watch, wanted)
  await page.keyboard.press(key)
  const taken = await page.evaluate(painted)
  if (taken === undefined) throw new Error('the key wasn’t seen')
  return taken
}

const matching = (page: Page, search: string): Promise<number> =>
  page.evaluate(async (text) => {
    const { siteward } = window as never as { siteward: SitewardBridge }
    const listed = await siteward.listWebsites({ search: text, per_page: 10, page: 1 })
    if (!listed.ok) throw new Error(listed.error.code)
    return listed.value.matching
  }, search)
