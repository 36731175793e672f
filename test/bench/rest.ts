import { setTimeout as wait } from 'node:timers/promises'
import { join } from 'node:path'
import { startSampleService } from '../../src/main/sample/service.ts'
import { connectedData, emptyApp, startInTray, withDesktop, type Desktop, type Started } from './desktop.ts'
import type { Bench, Figure } from './figure.ts'
import { growth } from './growth.ts'
import { memoryOf, wakesOf } from './process-facts.ts'

const WEBSITES = 1000
const MINUTE = 60_000 // milliseconds

/** With nothing to do, nothing is done. */
export const rest: Bench = {
  name: 'rest',
  about:
    'The app stands in the tray for ten minutes without anything to do: once with the service there, once with it gone. Timers ' +
    'of its own, shorter than a minute, that come due; how often main’s thread is woken, and memory of all its processes (as ' +
    'Linux shares it out) beyond those of an app that is nothing but a tray with a menu, which stands there meanwhile. And ' +
    'whether what main’s script and the page’s have in memory grows, in whole MB, once it has been collected: over 1,000 times ' +
    'that the window is closed and opened (each tenth time with a new page), and over 10,000 changes; each after as many ' +
    'before them, and without the machine code that V8 makes of what is often run, which is told beside.',
  run: ({ quick }) =>
    withDesktop(async (desktop) => {
      const [there, gone] = [await startSampleService({ websites: WEBSITES, rate: 6000 }), await serviceThatGoes()]
      const data = {
        online: await connectedData(desktop, 'online', there, WEBSITES),
        offline: await connectedData(desktop, 'offline', gone, WEBSITES),
      }
      await gone.close()
      // Some hundred seconds after its start V8 collects once what the start has left.
      const time = quick ? { settle: 8000, rest: 8000 } : { settle: 135_000, rest: 10 * MINUTE }
      const many = quick ? { edits: 200, cycles: 20 } : { edits: 10_000, cycles: 1000 }
      // On a desktop of its own: on the same one each hears of the other.
      const growing = withDesktop((own) => growth(own, many))
      const [resting, grown] = await Promise.all([stand(desktop, data, time), growing])
      await there.close()
      return [...resting, ...grown]
    }),
}

const serviceThatGoes = () => startSampleService({ websites: WEBSITES, rate: 6000 })

type Which = 'empty' | 'online' | 'offline'

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
  data: Record<'online' | 'offline', string>,
  time: { settle: number; rest: number },
): Promise<Figure[]> {
  const started: Record<Which, Started> = {
    empty: await startInTray(desktop, join(desktop.folder, 'empty-data'), emptyApp(desktop)),
    online: await startInTray(desktop, data.online),
    offline: await startInTray(desktop, data.offline),
  }
  const each = async <T>(ask: (one: Started) => Promise<T>): Promise<Record<Which, T>> => ({
    empty: await ask(started.empty),
    online: await ask(started.online),
    offline: await ask(started.offline),
  })
  await wait(time.settle)
  const before = await each(report)
  await wait(time.rest)
  const rested = await each(report)
  await each(({ quit }) => quit())
  const lasted = `${(time.rest / MINUTE).toFixed(1)} min`
  return (['online', 'offline'] as const).flatMap((which) => {
    const wakes = (one: Which) => (rested[one].wakes ?? 0) - (before[one].wakes ?? 0)
    const short = rested[which].due.filter((ms) => ms < MINUTE)
    const [ours, empty] = [rested[which].memory, rested.empty.memory]
    const figures: Figure[] = [
      {
        name: `at rest, ${which}: timers shorter than a minute that came due`,
        ratio: short.length,
        unit: 'timers',
        bar: { most: 0 },
        of: `${String(rested[which].due.length)} in all in ${lasted}${short.length === 0 ? '' : `; ${short.slice(0, 8).join(', ')} ms`}`,
      },
    ]
    if (ours === null || empty === null) return figures
    figures.push({
      name: `at rest, ${which}: times that main woke, beyond an empty app’s`,
      ratio: Math.max(0, wakes(which) - wakes('empty')),
      unit: 'times',
      bar: { most: 0 },
      of: `${String(wakes(which))} to ${String(wakes('empty'))} in ${lasted}`,
    })
    const memory = `at rest, ${which}: memory beyond an empty app’s`
    const of = `${ours.toFixed(0)} MB to ${empty.toFixed(0)} MB`
    return [...figures, { name: memory, ratio: ours - empty, unit: 'MB', bar: { most: 60 }, of }]
  })
}

/** What the probe counts (probe.cjs), and what /proc says. */
async function report({ child, said }: Started): Promise<Rested> {
  child.kill('SIGUSR2')
  const { due } = JSON.parse(await said()) as { due: number[] }
  const pid = child.pid ?? 0
  return { due, wakes: wakesOf(pid), memory: memoryOf(pid) }
}
