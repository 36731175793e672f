import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startSampleService } from '../../src/main/sample/service.ts'
import { connectedData, emptyApp, startInTray, type Desktop, type Started } from './desktop.ts'
import { inTurn, type Figure } from './measure.ts'

const WEBSITES = 10_000
/** Number of websites of each account in {@link accounts}. */
const IN_EACH = 1_000
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

/**
 * Measures what three more accounts cost in the tray: the memory of all processes, their number, and the CPU time of five minutes
 * in which nothing is pending.
 */
export async function accounts(desktop: Desktop, quick: boolean): Promise<Figure[]> {
  if (!existsSync('/proc/self/smaps_rollup')) return []
  const start = () => startSampleService({ websites: IN_EACH, rate: 1_000_000 })
  const first = await start()
  const others = [await start(), await start(), await start()]
  const one = await connectedData(desktop, 'one-account', [first], IN_EACH)
  const four = await connectedData(desktop, 'four-accounts', [first, ...others], IN_EACH)
  // One after the other, as two apps at once share memory unevenly.
  const measured: { memory: number; processes: number; time: number }[] = []
  for (const data of [four, one]) {
    const { pid, quit } = await startInTray(desktop, data)
    await wait(quick ? 5000 : SETTLES)
    const before = cpuTimeOf(pid)
    await wait(quick ? 5000 : 300_000)
    measured.push({ memory: memoryOf(pid), processes: processesOf(pid).length, time: cpuTimeOf(pid) - before })
    await quit()
  }
  for (const service of [first, ...others]) await service.close()
  const figure = (what: string, unit: Figure['unit'], name: keyof (typeof measured)[number]): Figure => {
    const [ours = Number.NaN, baseline = Number.NaN] = measured.map((each) => each[name])
    return { what, ours: [ours], baseline: [baseline], against: 'Siteward with one account of 1,000 websites', unit }
  }
  return [
    figure('memory, in the tray, four accounts of 1,000 websites', 'MB', 'memory'),
    figure('the same: number of processes', 'processes', 'processes'),
    figure('the same: CPU time of five minutes', 'ms', 'time'),
  ]
}

/** Prepares the data of an app that has read its list, and an app with nothing in it. */
async function withBoth(
  desktop: Desktop,
  name: string,
  use: (startOurs: () => Promise<Started>, startEmpty: () => Promise<Started>) => Promise<Figure[]>,
): Promise<Figure[]> {
  const service = await startSampleService({ websites: WEBSITES, rate: 1_000_000 })
  const data = await connectedData(desktop, name, [service], WEBSITES)
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
  const pss = (one: number) => /^Pss:\s+(\d+) kB/m.exec(textOf(`/proc/${String(one)}/smaps_rollup`))?.[1] ?? 0
  return processesOf(pid).reduce((sum, one) => sum + Number(pss(one)) / 1024, 0)
}

/** Returns the CPU time in milliseconds that a process and all its descendants have taken. */
function cpuTimeOf(pid: number): number {
  // Linux counts in hundredths of a second, in the 14th and 15th field of the process.
  const ticks = (one: number) => Number(statOf(one)[11] ?? 0) + Number(statOf(one)[12] ?? 0)
  return processesOf(pid).reduce((sum, one) => sum + ticks(one) * 10, 0)
}

/** Returns the ids of a process and all its descendants. */
function processesOf(pid: number): number[] {
  const ids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))
  const parents = new Map(ids.map((id) => [Number(id), Number(statOf(Number(id))[1])]))
  const belongs = (one: number | undefined): boolean => one !== undefined && (one === pid || belongs(parents.get(one)))
  return [...parents.keys()].filter(belongs)
}

/** Returns what Linux says of a process, from its state on. */
function statOf(pid: number): string[] {
  const stat = textOf(`/proc/${String(pid)}/stat`)
  // The name before it may contain anything but ends with the last parenthesis.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Returns the text of a file, or '' if its process has ended. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
