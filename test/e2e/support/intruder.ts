import type { ElectronApplication, Fixtures, Page } from '@playwright/test'
import { expect, sharedTest, test as base, type Fixtures as AppFixtures } from './app.ts'
import { startOutsider, type Outsider } from './outsider.ts'
import { connectForm } from './screens.ts'

const fixtures: Fixtures<{ outsider: Outsider }, object, AppFixtures> = {
  outsider: [
    async ({ page }, use) => {
      const outsider = await startOutsider()
      await connectForm(page)
      await use(outsider)
      outsider.close()
    },
    { auto: true },
  ],
}

/** The test function for attacks by a script in the page. The server `outsider` counts the requests that reach it. */
export const test = sharedTest.extend(fixtures)
/** Like {@link test}, but with an app for this test alone, for tests that change more of the app than its window. */
export const ownTest = base.extend(fixtures)

export const PAGE = 'app://bundle/index.html'

/** Returns the addresses of the windows without their fragments, which name the screen. */
export const windowsOf = (app: ElectronApplication): Promise<string[]> =>
  app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map(({ webContents }) => webContents.getURL().replace(/#[a-z]*$/, '')),
  )

/** Expects that the app has one window, which still shows the app's connect form and has a working bridge. */
export async function expectAtHome(app: ElectronApplication, page: Page): Promise<void> {
  expect(await windowsOf(app)).toEqual([PAGE])
  // Uses no locator, because Playwright delays locators while it takes a refused navigation for a pending one.
  await expect.poll(() => page.evaluate(() => document.body.innerText)).toContain('Try with sample data')
  const answer = await page.evaluate(() => (window as unknown as { siteward: Bridge }).siteward.getAbout())
  expect(answer).toMatchObject({ ok: true })
}
interface Bridge {
  getAbout(): Promise<unknown>
}

export { expect }
