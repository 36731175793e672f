import { setTimeout as wait } from 'node:timers/promises'
import type { SitewardBridge } from '../../src/preload/bridge.ts'
import { refreshOnce, setPaused } from './changes.ts'
import { start } from './desktop.ts'
import { key } from './list.ts'
import { percentileOf } from './measure.ts'
import { settledMemory } from './start.ts'
import { withWindow } from './window.ts'

const SIZES = [100, 1_000, 10_000, 100_000].map((websites) => ({ websites, pending: 0 }))
const QUEUES = [10, 1_000, 20_000].map((pending) => ({ websites: 20_000, pending }))

/** Returns a Markdown table that shows how the app grows with its websites and its pending edits. */
export async function growthTable(quick: boolean): Promise<string> {
  const rows = [
    '| websites | pending | start | memory | a key | refresh |',
    '| ---: | ---: | ---: | ---: | ---: | ---: |',
  ]
  for (const size of [...SIZES, ...QUEUES]) {
    const { starts, memories, keys, refreshes } = await measure(size, quick)
    const median = (values: number[]): string => percentileOf(values, 0.5).toFixed(0)
    const values = [`${median(starts)} ms`, `${median(memories)} MB`, `${median(keys)} ms`, `${median(refreshes)} ms`]
    rows.push(`| ${[size.websites, size.pending, ...values].join(' | ')} |`)
    console.log(rows.at(-1))
  }
  return rows.join('\n')
}

function measure({ websites, pending }: (typeof SIZES)[number], quick: boolean) {
  return withWindow(websites, async (window, desktop) => {
    const { page, userData } = window
    await setPaused(page, true)
    if (pending > 0)
      await queueEdits(
        page,
        window.websites.slice(0, pending).map((website) => website.key),
      )
    const { ours } = await key(window, quick)
    const figures = { keys: [...ours], refreshes: [] as number[], starts: [] as number[], memories: [] as number[] }
    for (let round = 0; round < (quick ? 1 : 5); round++) figures.refreshes.push(await refreshOnce(page))
    await window.quit()
    const begin = async () => {
      const running = await start(desktop, { userData })
      figures.starts.push(running.took)
      return running
    }
    for (let round = 0; round < (quick ? 1 : 5); round++) {
      figures.memories.push(await settledMemory(begin))
      await wait(500)
    }
    return figures
  })
}

const queueEdits = (page: Parameters<typeof refreshOnce>[0], keys: string[]): Promise<void> =>
  page.evaluate(async (keys) => {
    const { siteward } = window as never as { siteward: SitewardBridge }
    const answer = await siteward.bulkUpdate({ keys, change: { exclude_ips: { how: 'set', lines: ['192.0.2.1'] } } })
    if (!answer.ok) throw new Error(answer.error.code)
  }, keys)
