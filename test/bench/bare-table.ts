import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { buildPage } from './desktop.ts'
import type { Window } from './window.ts'

/** A baseline for the app's list: a second window of the same app, with only a table of the same rows. */
export interface BareTable {
  page: Page
  /** Shows one window and hides the other, so that only the measured one is drawn. */
  bringUp: (which: 'ours' | 'bare') => Promise<void>
}

export async function openBareTable({ app, copy, page: ours, websites }: Window): Promise<BareTable> {
  // The app serves files in `out/renderer` as `app://bundle/`.
  const outDir = join(copy, 'out', 'renderer', 'bare')
  await buildPage('bare-window', outDir)
  writeFileSync(
    join(outDir, 'shown.js'),
    `export const shown = ${JSON.stringify({ websites, ...(await sizesOf(ours)) })}`,
  )
  const opened = app.waitForEvent('window')
  await app.evaluate(async ({ BrowserWindow }) => {
    const [ours] = BrowserWindow.getAllWindows()
    await new BrowserWindow({ ...ours?.getBounds() }).loadURL('app://bundle/bare/index.html')
  })
  const page = await opened
  await page.locator('[role=row]').first().waitFor()
  return { page, bringUp: (which) => bringUpIn(app, which) }
}

const sizesOf = (page: Page): Promise<{ height: number; row: number }> =>
  page.evaluate(() => {
    let scroller = document.querySelector('[role=grid]')
    while (scroller && scroller.scrollHeight <= scroller.clientHeight) scroller = scroller.parentElement
    const row = document.querySelector('[role=grid] [aria-rowindex="2"]')
    return { height: scroller?.clientHeight ?? 0, row: row?.clientHeight ?? 0 }
  })

const bringUpIn = (app: Window['app'], which: 'ours' | 'bare'): Promise<void> =>
  app.evaluate(async ({ BrowserWindow }, wanted) => {
    // Playwright may run this function in the middle of other work of main, such as a query. Lets that work end first.
    await new Promise((resolve) => setImmediate(resolve))
    for (const window of BrowserWindow.getAllWindows()) {
      const isBare = window.webContents.getURL().includes('/bare/index.html')
      if (isBare === (wanted === 'bare')) window.show()
      else window.hide()
    }
    await new Promise((resolve) => setTimeout(resolve, 300))
  }, which)
