import type { Locator, Page } from '@playwright/test'
import { expect } from './expect.ts'

export async function focusByTab(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor()
  for (let i = 0; i < 60; i++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('it isn’t reached by the Tab key')
}

/** Moves the focus to an element and presses Enter. Expects that some element has the focus afterwards. */
export async function press(page: Page, wanted: Locator): Promise<void> {
  await focusByTab(page, wanted)
  await keys(page, 'Enter')
}

/** Presses keys, one after the other. Expects that some element has the focus after each. */
export async function keys(page: Page, ...pressed: string[]): Promise<void> {
  for (const key of pressed) {
    await page.keyboard.press(key)
    await expect.poll(() => page.evaluate(() => document.activeElement?.localName), `after ${key}`).not.toBe('body')
  }
}

export async function command(page: Page, name: string): Promise<void> {
  await keys(page, 'Control+k')
  const commands = page.getByRole('dialog', { name: 'Commands' })
  await page.keyboard.type(name)
  await expect(commands.getByRole('option', { name, exact: true })).toHaveAttribute('aria-selected', 'true')
  await keys(page, 'Enter')
  await expect(commands).toHaveCount(0)
  await expect.poll(() => page.evaluate(() => document.activeElement?.localName), `after ${name}`).not.toBe('body')
}
