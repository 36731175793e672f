import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startSampleService } from '../../src/main/sample/service.ts'
import { connectedData, emptyApp, startInTray, type Desktop, type Started } from './desktop.ts'
import { inTurn, type Figure } from './measure.ts'

const WEBSITES = 10_000
/** V8 collects the garbage of the start within this time, in milliseconds. */
const SETTLES = 135_000

/** Measures from the start of the process until the tray icon has its menu, without a window. */
export async function start(desktop: Desktop, quick: boolean): Promise<Figure[]> {
  return withBoth(desktop, 'start', async (startOurs, startEmpty) => {
    const timed = (begin: () => Promise<Started>) => async () => {
      const { took, quit } = await begin()
      // The rest of the start's work is done before the app quits, so it doesn't slow down the next start.
      await wait(1000)
      await quit()
      return took
    }
    const times = await inTurn(timed(startOurs), timed(startEmpty), { rounds: quick ? 2 : 20 })
    const against = 'an app that is nothing but a tray icon with a menu'
    return [{ what: 'start, until the tray icon has its menu', ...times, against, unit: 'ms' }]
  })
}

/** Measures the memory of all processes: in the tray before a window was ever open, and with the window open. */
export async function memory(desktop: Desktop, quick: boolean): Promise<Figure[]> {
  if (!existsSync('/proc/self/smaps_rollup')) return []
  return withBoth(desktop, 'memory', async (startOurs, startEmpty) => {
    const apps = [await startOurs(), await startEmpty()]
    const figure = (what: string, against: string): Figure => {
      const [ours = Number.NaN, baseline = Number.NaN] = apps.map(({ pid }) => memoryOf(pid))
      return { what, ours: [ours], baseline: [baseline], against, unit: 'MB' }
    }
    await wait(quick ? 5000 : SETTLES)
    const inTray = figure('memory, in the tray', 'the same app with nothing but a tray icon')
    for (const { openWindow } of apps) openWindow()
    await wait(quick ? 5000 : SETTLES)
    const inWindow = figure('memory, with the window open', 'the same app with a blank window')
    for (const { quit } of apps) await quit()
    return [inTray, inWindow]
  })
}

/** Prepares the data of an app that has read its list, and an app with nothing in it. */
async function withBoth(
  desktop: Desktop,
  name: string,
  use: (startOurs: () => Promise<Started>, startEmpty: () => Promise<Started>) => Promise<Figure[]>,
): Promise<Figure[]> {
  const service = await startSampleService({ websites: WEBSITES, rate: 1_000_000 })
  const data = await connectedData(desktop, name, service, WEBSITES)
  const empty = emptyApp(desktop)
  try {
    return await use(
      () => startInTray(desktop, data),
      () => startInTray(desktop, join(desktop.folder, `${name}-empty`), empty),
    )
  } finally {
    await service.close()
  }
}

/** Returns the MB of a process and all its descendants, with shared pages divided among those that share them (PSS). */
function memoryOf(pid: number): number {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    // The state and the parent's id follow the name, which may contain anything but ends with the last parenthesis.
    const stat = textOf(`/proc/${name}/stat`)
    parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
  }
  const belongs = (one: number | undefined): boolean => one !== undefined && (one === pid || belongs(parents.get(one)))
  const pss = (one: number) => /^Pss:\s+(\d+) kB/m.exec(textOf(`/proc/${String(one)}/smaps_rollup`))?.[1] ?? 0
  return [...parents.keys()].filter(belongs).reduce((sum, one) => sum + Number(pss(one)) / 1024, 0)
}

/** Returns the text of a file, or '' if its process has ended. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
