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
  await keys(page, 'Enter')
}

/** Presses keys, one after the other. Wherever each leads, the focus is somewhere afterwards. */
export async function keys(page: Page, ...pressed: string[]): Promise<void> {
  for (const key of pressed) {
    await page.keyboard.press(key)
    await expect.poll(() => page.evaluate(() => document.activeElement?.localName), `after ${key}`).not.toBe('body')
  }
}

/** Does what is called so in the commands. */
export async function command(page: Page, name: string): Promise<void> {
  await keys(page, 'Control+k')
  const commands = page.getByRole('dialog', { name: 'Commands' })
  await page.keyboard.type(name)
  await expect(commands.getByRole('option', { name, exact: true })).toHaveAttribute('aria-selected', 'true')
  await keys(page, 'Enter')
  await expect(commands).toHaveCount(0)
  await expect.poll(() => page.evaluate(() => document.activeElement?.localName), `after ${name}`).not.toBe('body')
}
