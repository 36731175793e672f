import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { buildPage } from './desktop.ts'
import type { Window } from './window.ts'

/** A second window with a bare table of the same rows, in the browser of the app. */
export interface BareTable {
  page: Page
  /** Shows one of the windows and hides the other, so that only one of them is drawn. */
  bringUp: (which: 'ours' | 'bare') => Promise<void>
}

/** Opens the second window, as large as the app's own. */
export async function openBareTable({ app, copy, page: ours, websites }: Window): Promise<BareTable> {
  // A folder that `app://bundle/` serves.
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

/** Returns the height of the list and of its rows. */
const sizesOf = (page: Page): Promise<{ height: number; row: number }> =>
  page.evaluate(() => {
    let scroller = document.querySelector('[role=grid]')
    while (scroller && scroller.scrollHeight <= scroller.clientHeight) scroller = scroller.parentElement
    const row = document.querySelector('[role=grid] [aria-rowindex="2"]')
    return { height: scroller?.clientHeight ?? 0, row: row?.clientHeight ?? 0 }
  })

const bringUpIn = (app: Window['app'], which: 'ours' | 'bare'): Promise<void> =>
  app.evaluate(async ({ BrowserWindow }, wanted) => {
    // The inspector may run this code in the middle of other work of main, such as a query. The wait gives it its own turn.
    await new Promise((resolve) => setImmediate(resolve))
    for (const window of BrowserWindow.getAllWindows()) {
      const isBare = window.webContents.getURL().includes('/bare/index.html')
      if (isBare === (wanted === 'bare')) window.show()
      else window.hide()
    }
    await new Promise((resolve) => setTimeout(resolve, 300))
  }, which)
