import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { startSampleService } from '../../src/main/sample/service.ts'
import { inProject } from '../../scripts/setup/project.mjs'
import { connectedData, startInTray, withDesktop, type Desktop } from './desktop.ts'
import type { Bench, Figure } from './figure.ts'
import { median, ratio } from './in-turn.ts'
import { copyOfApp } from './running-app.ts'

const WEBSITES = 10_000

/** As open-within.cjs measures them. */
type Way = 'blank' | 'kept' | 'ours' | 'words' | 'bare' | 'still'

/** What is seen as the window is asked for, whether its page is there still, or was let go (design.md, "The window"). */
export const open: Bench = {
  name: 'open',
  about:
    `The window is asked for by a click on the icon, until the last known list of ${String(WEBSITES)} websites is painted: once as it was put ` +
    'away within the last ten minutes, and once as it was let go, with its page, since nobody had looked for longer. Against a window with ' +
    'nothing in its page, in the same browser, until that is painted. The floors are the same window, let go, over other pages from where ' +
    'the app’s comes: some words without style or script; a page without framework or style that asks main for a page of the list ' +
    'and paints thirty domains; and the same elements and styles as ours, with the rows in them, written down, without a script.',
  run: ({ quick }) =>
    withDesktop(async (desktop) => {
      const service = await startSampleService({ websites: WEBSITES, rate: 6000 })
      const data = await connectedData(desktop, 'data', service, WEBSITES)
      // What is shown is the last known list.
      await service.close()
      return figuresOf(await openAgain(desktop, data, quick ? 4 : 40))
    }),
}

/** Milliseconds of each round, of each way. */
export async function openAgain(
  desktop: Desktop,
  data: string,
  rounds: number,
  ways?: readonly Way[],
): Promise<Record<Way, number[]>> {
  const { folder, pages } = copyOfApp(mkdtempSync(join(desktop.folder, 'copy-')))
  const { said, quit } = await startInTray(desktop, data, {
    app: folder,
    env: { SITEWARD_BENCH_OPEN: JSON.stringify({ pages, rounds, ways }) },
    required: inProject('test', 'bench', 'open-within.cjs'),
  })
  try {
    const { times, failure } = JSON.parse(await said()) as { times: Record<Way, number[]>; failure?: string }
    if (failure !== undefined) throw new Error(failure)
    return times
  } finally {
    await quit()
  }
}

function figuresOf(times: Record<Way, number[]>): Figure[] {
  const timed = (way: Way) => ({ rounds: times[way], median: median(times[way]) })
  const figure = (name: string, one: Way, other: Way, bar: Figure['bar'] = null) => ({
    name: `open, ${String(WEBSITES)} websites, ${name}`,
    ratio: ratio(timed(one), timed(other)),
    bar,
    of: `${median(times[one]).toFixed(0)} ms to ${median(times[other]).toFixed(0)} ms`,
  })
  return [
    figure('put away before: a blank page', 'kept', 'blank', { most: 1.5 }),
    figure('let go before: a blank page', 'ours', 'blank', { most: 1.5 }),
    figure('the floor, what some words from where the page comes take of a blank one', 'words', 'blank'),
    figure('the floor, what the least page with a list takes of a blank one', 'bare', 'blank'),
    figure('the floor, what its own elements without a script take of a blank one', 'still', 'blank'),
    figure('let go before: its own elements without a script', 'ours', 'still'),
  ]
}
