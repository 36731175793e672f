import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SitewardBridge } from '../../src/preload/bridge.ts'
import type { Figure } from './measure.ts'
import type { Window } from './window.ts'

const GOAL_MS = 2000

export function preview(window: Window, quick: boolean): Promise<Figure> {
  const what = `preview of a table that changes ${window.websites.length.toLocaleString('en')} websites`
  return measure(window, quick, ({ took }) => took, { what, baseline: [GOAL_MS], against: 'two seconds' })
}

export function previewFrames(window: Window, quick: boolean): Promise<Figure> {
  const what = 'longest time between two frames of the window during the same'
  return measure(window, quick, ({ gap }) => gap, { what, baseline: [100], against: 'a tenth of a second' })
}

async function measure(
  { app, page, websites, userData }: Window,
  quick: boolean,
  valueOf: (measured: { took: number; gap: number }) => number,
  about: Pick<Figure, 'what' | 'baseline' | 'against'>,
): Promise<Figure> {
  const file = join(userData, 'table.csv')
  const rows = websites.map(({ domain }, n) => `${domain},192.0.2.${String(n % 250)}`)
  writeFileSync(file, ['domain,exclude_ips', ...rows].join('\r\n'))
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] })
  }, file)
  const ours: number[] = []
  for (let round = 0; round < (quick ? 3 : 15); round++) {
    const measured = await page.evaluate(openTable, websites.length)
    // Round 0 only warms up caches and compiled code.
    if (round > 0) ours.push(valueOf(measured))
  }
  return { ...about, ours, unit: 'ms', goal: { times: 1 } }
}

/** Runs in the page. Returns the duration of the preview and the longest time between two frames in it, in milliseconds. */
async function openTable(changes: number): Promise<{ took: number; gap: number }> {
  const { siteward } = window as never as { siteward: SitewardBridge }
  let gap = 0
  let before = performance.now()
  let isOpen = false
  const look = (now: number): void => {
    gap = Math.max(gap, now - before)
    before = now
    if (!isOpen) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
  const begun = performance.now()
  const answer = await siteward.openTable()
  const took = performance.now() - begun
  isOpen = true
  if (!answer.ok) throw new Error(answer.error.code)
  if (answer.value?.changes !== changes) throw new Error(`${String(answer.value?.changes)} websites would change`)
  await siteward.closeTable()
  return { took, gap }
}
