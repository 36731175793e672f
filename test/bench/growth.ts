import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { ElectronApplication, Page } from 'playwright'
import { launchApp, mainPage, quitApp } from '../../scripts/launch.mjs'
import type { SitewardBridge } from '../../src/preload/bridge.ts'
import { startSampleService } from '../../src/main/sample/service.ts'
import { connect, type Desktop } from './desktop.ts'
import type { Figure } from './figure.ts'
import { median } from './in-turn.ts'
import { memoryOf } from './process-facts.ts'

const WEBSITES = 100
/** So many looks, as far from each other, tell how it grows. */
const LOOKS = 10
/** More requests a minute than are made here: nothing waits for the rate. */
const RATE = 60_000

/** MB that main's script and the page's have in memory, once what nobody holds any more has been collected. */
interface Held {
  /** Without what V8 has made of the script itself. */
  main: number
  /** That alone: bytecode, machine code, and what belongs to them. */
  compiled: number
  page: number
  /** All processes of the app, as Linux shares it out; null elsewhere. */
  all: number | null
}

/** How what is held grows while the work is done, once it was done as often before. */
export async function growth(
  { folder, env }: Desktop,
  { edits, cycles }: { edits: number; cycles: number },
): Promise<Figure[]> {
  const service = await startSampleService({ websites: WEBSITES, rate: RATE })
  const { app, page } = await launchApp({ userData: join(folder, 'growing'), env })
  try {
    await connect(page, service, WEBSITES)
    const edited = await grown(app, edits, (from, to) => edit(page, from, to))
    const opened = await grown(app, cycles, (from, to) => openAndClose(app, from, to))
    return [
      figureOf(`${String(cycles)} times closed and opened`, opened),
      figureOf(`${String(edits)} changes, made and sent`, edited),
    ]
  } finally {
    await quitApp(app)
    await service.close()
  }
}

/** Tenths of a MB: what is less can't be told from what a look finds otherwise by chance. */
function figureOf(what: string, looks: readonly Held[]): Figure {
  const of = (name: keyof Held) =>
    `${looks.at(-1)?.[name]?.toFixed(1) ?? '?'} MB after ${looks[0]?.[name]?.toFixed(1) ?? '?'} MB`
  const grew = slopeOf(looks.map(({ main, page }) => main + page)) * (looks.length - 1)
  return {
    name: `growth over ${what}`,
    ratio: Math.max(0, Math.round(grew * 10) / 10),
    unit: 'MB',
    bar: { most: 0 },
    of: `main ${of('main')}, page ${of('page')}; main’s compiled script ${of('compiled')}, all processes ${of('all')}`,
  }
}

/** By how much each is more than the one before it: the median of the slopes between any two, which no odd look shifts. */
function slopeOf(numbers: readonly number[]): number {
  return median(numbers.flatMap((one, n) => numbers.slice(0, n).map((before, at) => (one - before) / (n - at))))
}

/** As much before, which fills what is filled once: what was kept for a while goes, what is often done gets compiled. */
async function grown(
  app: ElectronApplication,
  count: number,
  work: (from: number, to: number) => Promise<void>,
): Promise<Held[]> {
  await work(0, count)
  const looks = [await held(app)]
  for (let look = 0; look < LOOKS; look++) {
    const at = (nth: number): number => count + Math.round((nth * count) / LOOKS)
    await work(at(look), at(look + 1))
    looks.push(await held(app))
  }
  return looks
}

async function held(app: ElectronApplication): Promise<Held> {
  const page = await mainPage(app)
  const session = await page.context().newCDPSession(page)
  // What was on its way to the page has come.
  await wait(1000)
  for (let n = 0; n < 3; n++) await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  const { main, compiled } = await app.evaluate(async () => {
    const { getHeapSpaceStatistics, setFlagsFromString } = process.getBuiltinModule('node:v8')
    setFlagsFromString('--expose-gc')
    const collect = process.getBuiltinModule('node:vm').runInNewContext('gc') as () => void
    for (let n = 0; n < 3; n++) {
      collect()
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    const used = (which: (space: string) => boolean) =>
      getHeapSpaceStatistics().reduce((sum, space) => sum + (which(space.space_name) ? space.space_used_size : 0), 0)
    const isCompiled = (space: string) => /code|trusted/.test(space)
    return { main: used((space) => !isCompiled(space)), compiled: used(isCompiled) }
  })
  const MB = 2 ** 20
  return { main: main / MB, compiled: compiled / MB, page: usedSize / MB, all: memoryOf(app.process().pid ?? 0) }
}

/** One of each website, then all are waited for: each is an edit of its own, which is sent, and goes into the history. */
const edit = (page: Page, from: number, to: number): Promise<void> =>
  page.evaluate(
    async ([first, behind]) => {
      const { siteward } = window as never as { siteward: SitewardBridge }
      const value = <T>(answer: { ok: true; value: T } | { ok: false; error: { code: string } }): T => {
        if (!answer.ok) throw new Error(answer.error.code)
        return answer.value
      }
      const { websites } = value(await siteward.listWebsites({ per_page: 100, page: 1 }))
      const areSent = async (): Promise<boolean> => value(await siteward.getState()).waiting === 0
      for (let n = first; n < behind; n++) {
        const key = websites[n % websites.length]?.key ?? ''
        value(await siteward.updateWebsite({ key, changes: { exclude_ips: [`192.0.2.${String(n % 251)}`] } }))
        const isLast = n % websites.length === websites.length - 1 || n === behind - 1
        while (isLast && !(await areSent())) await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    [from, to] as const,
  )

/** As a person does; each tenth time the window has been hidden for so long that its page was let go. */
const openAndClose = (app: ElectronApplication, from: number, to: number): Promise<void> =>
  app.evaluate(
    async ({ app: electronApp, BrowserWindow }, [first, behind]) => {
      const until = async (there: () => boolean): Promise<void> => {
        for (const deadline = Date.now() + 30_000; !there(); await new Promise((resolve) => setTimeout(resolve, 5)))
          if (Date.now() > deadline) throw new Error('the window stays as it is')
      }
      const isShown = () => BrowserWindow.getAllWindows()[0]?.isVisible() === true
      for (let n = first; n < behind; n++) {
        BrowserWindow.getAllWindows()[0]?.close()
        await until(() => !isShown())
        if (n % 10 === 2) BrowserWindow.getAllWindows()[0]?.destroy()
        electronApp.emit('activate')
        await until(isShown)
      }
    },
    [from, to] as const,
  )
