import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { presentRuntime } from '../../scripts/runtime.mjs'
import { startSampleService } from '../../src/main/sample/service.ts'
import { connectedData, emptyApp, startInTray, withDesktop } from './desktop.ts'
import type { Bench } from './figure.ts'
import { median, ratio } from './in-turn.ts'

const WEBSITES = 1000

/** As it's started with the session: without a window. */
export const start: Bench = {
  name: 'start',
  about:
    `The app, connected and with ${String(WEBSITES)} websites, is started without a window, from the start of its process until ` +
    'its tray has a menu. Against an app that is nothing but a tray with a menu, in the same runtime.',
  run: ({ quick }) =>
    withDesktop(async (desktop) => {
      const service = await startSampleService({ websites: WEBSITES, rate: 6000 })
      const data = await connectedData(desktop, 'data', service, WEBSITES)
      const empty = emptyApp(desktop)
      const ways = {
        ours: () => startInTray(desktop, data),
        empty: () => startInTray(desktop, join(desktop.folder, 'empty-data'), { app: empty }),
      }
      const times = { ours: [] as number[], empty: [] as number[] }
      for (let round = -1; round < (quick ? 2 : 20); round++)
        for (const which of ['ours', 'empty'] as const) {
          const { took, quit } = await ways[which]()
          // What it still has to do at its start isn't cut off, and takes no time of the next one's.
          await wait(1000)
          await quit()
          if (round >= 0) times[which].push(took)
        }
      await service.close()
      const timed = (rounds: number[]) => ({ rounds, median: median(rounds) })
      return [
        {
          name: `start, until the tray is ready, on Electron ${presentRuntime().version}: an empty app`,
          ratio: ratio(timed(times.ours), timed(times.empty)),
          bar: { most: 1.3 },
          of: `${median(times.ours).toFixed(0)} ms to ${median(times.empty).toFixed(0)} ms`,
        },
      ]
    }),
}
