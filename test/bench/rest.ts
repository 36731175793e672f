import { setTimeout as wait } from 'node:timers/promises'
import { join } from 'node:path'
import { startSampleService } from '../../src/main/sample/service.ts'
import { CLOSED_LONG } from '../../src/main/shell/let-go.ts'
import { connectedData, emptyApp, startInTray, withDesktop, type Desktop, type Started } from './desktop.ts'
import type { Bench, Figure } from './figure.ts'
import { growth } from './growth.ts'
import { memoryOf, wakesOf } from './process-facts.ts'

const WEBSITES = 10_000
const MINUTE = 60_000 // milliseconds
/** Some hundred seconds after its start V8 collects once what the start has left. */
const SETTLES = 135_000

/** With nothing to do, nothing is done. */
export const rest: Bench = {
  name: 'rest',
  about:
    `The app stands in the tray for ten minutes with ${String(WEBSITES)} websites and nothing to do: once with the service there, once ` +
    'with it gone, and once after its window was open, all websites were read, and the window, closed for ten minutes, was let go. Timers that its ' +
    'script has set, by whichever of Node’s ways, shorter than a minute, that come due; how often main’s thread is woken; and memory of all its ' +
    'processes (as Linux shares it out) beyond that of an app that is nothing but a tray with a menu and never had a window, which stands ' +
    'there meanwhile. And whether memory grows over 1,000 times that the window is closed and opened (each tenth time with a new page), and over ' +
    '10,000 changes that are made, sent and noted in the history: what main’s script and the page’s have in memory once it has been ' +
    'collected, by the line through eleven looks, behind as many times before them; without the machine code that V8 makes ' +
    'of what is often run, which is told beside, with all processes’ memory.',
  run: ({ quick }) =>
    withDesktop(async (desktop) => {
      const [there, gone] = [await startSampleService({ websites: WEBSITES, rate: 6000 }), await serviceThatGoes()]
      const data = {
        online: await connectedData(desktop, 'online', there, WEBSITES),
        offline: await connectedData(desktop, 'offline', gone, WEBSITES),
        used: await connectedData(desktop, 'used', there, WEBSITES),
      }
      await gone.close()
      const time = quick ? { settle: 8000, rest: 8000 } : { settle: SETTLES, rest: 10 * MINUTE }
      const many = quick ? { edits: 500, cycles: 100 } : { edits: 10_000, cycles: 1000 }
      // On a desktop of its own: on the same one each hears of the other.
      const growing = withDesktop((own) => growth(own, many))
      const [resting, grown] = await Promise.all([stand(desktop, data, time), growing])
      await there.close()
      return [...resting, ...grown]
    }),
}

const serviceThatGoes = () => startSampleService({ websites: WEBSITES, rate: 6000 })

const shown = ['online', 'offline', 'used'] as const
type Which = 'empty' | (typeof shown)[number]
/** What is told of each. */
const words: Record<Exclude<Which, 'empty'>, string> = {
  online: 'online',
  offline: 'offline',
  used: 'once its window was used',
}

interface Rested {
  /** Milliseconds of each timer of ours that came due. */
  due: number[]
  /** How often main's thread has gone to sleep, and so been woken; null: only Linux tells. */
  wakes: number | null
  /** MB; null: only Linux tells. */
  memory: number | null
}

async function stand(
  desktop: Desktop,
  data: Record<(typeof shown)[number], string>,
  time: { settle: number; rest: number },
): Promise<Figure[]> {
  const start = (which: (typeof shown)[number]) =>
    startInTray(desktop, data[which], { env: { SITEWARD_BENCH_TIMERS: 'yes' } })
  const used = await start('used')
  await useWindow(used)
  // From here on its window is closed.
  const closedAt = performance.now()
  const started: Record<Which, Started> = {
    empty: await startInTray(desktop, join(desktop.folder, 'empty-data'), { app: emptyApp(desktop) }),
    online: await start('online'),
    offline: await start('offline'),
    used,
  }
  const each = async <T>(ask: (one: Started) => Promise<T>): Promise<Record<Which, T>> => ({
    empty: await ask(started.empty),
    online: await ask(started.online),
    offline: await ask(started.offline),
    used: await ask(started.used),
  })
  await wait(time.settle)
  const before = await each(report)
  await wait(time.rest)
  const rested = await each(report)
  // Its window has gone meanwhile: it stands for as long as the others did before they were looked at.
  if (time.settle === SETTLES) {
    await wait(Math.max(0, closedAt + CLOSED_LONG + SETTLES - performance.now()))
    rested.used = { ...rested.used, memory: memoryOf(used.child.pid ?? 0) }
    rested.empty = { ...rested.empty, memory: memoryOf(started.empty.child.pid ?? 0) }
  }
  await each(({ quit }) => quit())
  const lasted = `${(time.rest / MINUTE).toFixed(1)} min`
  return shown.flatMap((which) => {
    const wakes = (one: Which) => (rested[one].wakes ?? 0) - (before[one].wakes ?? 0)
    const short = rested[which].due.filter((ms) => ms < MINUTE)
    const [ours, empty] = [rested[which].memory, rested.empty.memory]
    const name = `at rest, ${words[which]}`
    const figures: Figure[] = [
      {
        name: `${name}: timers shorter than a minute that came due`,
        ratio: short.length,
        unit: 'timers',
        bar: { most: 0 },
        of: `${String(rested[which].due.length)} in all in ${lasted}${short.length === 0 ? '' : `; ${short.slice(0, 8).join(', ')} ms`}`,
      },
    ]
    if (ours === null || empty === null) return figures
    // As its window is let go, it's woken.
    if (which !== 'used')
      figures.push({
        name: `${name}: times that main woke, beyond an empty app’s`,
        ratio: Math.max(0, wakes(which) - wakes('empty')),
        unit: 'times',
        bar: { most: 0 },
        of: `${String(wakes(which))} to ${String(wakes('empty'))} in ${lasted}`,
      })
    const of = `${ours.toFixed(0)} MB to ${empty.toFixed(0)} MB`
    return [
      ...figures,
      { name: `${name}: memory beyond an empty app’s`, ratio: ours - empty, unit: 'MB', bar: { most: 60 }, of },
    ]
  })
}

/** Opened by the icon, until all websites have been read anew, and closed. */
async function useWindow({ child }: Started): Promise<void> {
  child.kill('SIGWINCH')
  await wait(20_000)
  child.kill('SIGWINCH')
}

/** What the probe counts (probe.cjs), and what /proc says. */
async function report({ child, said }: Started): Promise<Rested> {
  child.kill('SIGUSR2')
  const { due } = JSON.parse(await said()) as { due: number[] }
  const pid = child.pid ?? 0
  return { due, wakes: wakesOf(pid), memory: memoryOf(pid) }
}
