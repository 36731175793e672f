import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { ElectronApplication, Page } from 'playwright'
import { launchApp, mainPage, quitApp } from '../../scripts/launch.mjs'
import type { SitewardBridge } from '../../src/preload/bridge.ts'
import { startSampleService } from '../../src/main/sample/service.ts'
import { connect, type Desktop } from './desktop.ts'
import type { Figure } from './figure.ts'

const WEBSITES = 100

/** MB that main's script and the page's have in memory, once what nobody holds any more has been collected. */
interface Held {
  /** Without what V8 has made of the script itself. */
  main: number
  /** That alone: bytecode, machine code, and what belongs to them. */
  compiled: number
  page: number
}

/** What is held after the work was done once, against what is held after it was done again. */
export async function growth(
  { folder, env }: Desktop,
  { edits, cycles }: { edits: number; cycles: number },
): Promise<Figure[]> {
  const service = await startSampleService({ websites: WEBSITES, rate: 6000 })
  const { app, page } = await launchApp({ userData: join(folder, 'growing'), env })
  try {
    await connect(page, service, WEBSITES)
    await service.close()
    const edited = await grown(app, edits, (from, to) => edit(page, from, to))
    const opened = await grown(app, cycles, (from, to) => openAndClose(app, from, to))
    return [figureOf(`${String(cycles)} times closed and opened`, opened), figureOf(`${String(edits)} changes`, edited)]
  } finally {
    await quitApp(app)
  }
}

const figureOf = (what: string, { before, after }: { before: Held; after: Held }): Figure => ({
  name: `growth over ${what}`,
  ratio: Math.max(0, Math.round(after.main - before.main + after.page - before.page)),
  unit: 'MB',
  bar: { most: 0 },
  of:
    `main ${after.main.toFixed(1)} MB after ${before.main.toFixed(1)} MB, ` +
    `page ${after.page.toFixed(1)} MB after ${before.page.toFixed(1)} MB; ` +
    `main’s compiled script ${after.compiled.toFixed(1)} MB after ${before.compiled.toFixed(1)} MB`,
})

/** As much before, which fills what is filled once: what was kept for a while goes, what is often done gets compiled. */
async function grown(
  app: ElectronApplication,
  count: number,
  work: (from: number, to: number) => Promise<void>,
): Promise<{ before: Held; after: Held }> {
  await work(0, count)
  const before = await held(app)
  await work(count, 2 * count)
  return { before, after: await held(app) }
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
  return { main: main / 2 ** 20, compiled: compiled / 2 ** 20, page: usedSize / 2 ** 20 }
}

/** Offline: they wait, those of one website in one edit. */
const edit = (page: Page, from: number, to: number): Promise<void> =>
  page.evaluate(
    async ([first, behind]) => {
      const { siteward } = window as never as { siteward: SitewardBridge }
      const listed = await siteward.listWebsites({ per_page: 100, page: 1 })
      if (!listed.ok) throw new Error(listed.error.code)
      const { websites } = listed.value
      for (let n = first; n < behind; n++) {
        const key = websites[n % websites.length]?.key ?? ''
        const answer = await siteward.updateWebsite({ key, changes: { exclude_ips: [`192.0.2.${String(n % 251)}`] } })
        if (!answer.ok) throw new Error(answer.error.code)
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
