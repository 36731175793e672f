import { expect, type Locator, type Page } from '@playwright/test'

/** Goes on with the Tab key until this has the focus, as somebody without a mouse does. */
export async function reach(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor()
  for (let i = 0; i < 60; i++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('it isn’t reached by the Tab key')
}

/** The same, and presses Enter. Whatever goes away by that, the focus is somewhere afterwards. */
export async function press(page: Page, wanted: Locator): Promise<void> {
  await reach(page, wanted)
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.localName)).not.toBe('body')
}
