import type { ElectronApplication, Page } from '@playwright/test'
import { expect, test as base } from './app.ts'
import { startOutsider, type Outsider } from './outsider.ts'
import { connectForm } from './screens.ts'

/** For what a script would try that got into the page in spite of everything; `outsider` sees what comes of it. */
export const test = base.extend<{ outsider: Outsider }>({
  outsider: [
    async ({ page }, use) => {
      const outsider = await startOutsider()
      await connectForm(page)
      await use(outsider)
      outsider.close()
    },
    { auto: true },
  ],
})

export const PAGE = 'app://bundle/index.html'

/** Without their fragment, which names the screen. */
export const windowsOf = (app: ElectronApplication): Promise<string[]> =>
  app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map(({ webContents }) => webContents.getURL().replace(/#[a-z]*$/, '')),
  )

/** The page is where it was, and its bridge answers. */
export async function expectAtHome(app: ElectronApplication, page: Page): Promise<void> {
  expect(await windowsOf(app)).toEqual([PAGE])
  // Not by a locator: Playwright holds those back as long as it takes a refused navigation for a pending one.
  await expect.poll(() => page.evaluate(() => document.body.innerText)).toContain('Try with sample data')
  const answer = await page.evaluate(() => (window as unknown as { siteward: Bridge }).siteward.getAbout())
  expect(answer).toMatchObject({ ok: true })
}
interface Bridge {
  getAbout(): Promise<unknown>
}

export { expect }
