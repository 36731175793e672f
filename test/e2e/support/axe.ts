import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import type { RunOptions } from 'axe-core'
import { axeOptions, colorOptions } from '../../axe-options.ts'
import { expect } from './expect.ts'

/** Expects that axe finds no problem in the window, and that nothing is cut off at the side. `state` names it in errors. */
export async function expectClean(page: Page, state: string): Promise<void> {
  expect(await violationsIn(page, axeOptions, state)).toEqual([])
  expect(await page.evaluate(cutAtTheSide), state).toEqual([])
}

export async function expectCleanColors(page: Page, state: string): Promise<void> {
  expect(await violationsIn(page, colorOptions, state)).toEqual([])
}

/** Returns a text for each rule of axe that the window violates: the state, the rule and the first element. */
async function violationsIn(page: Page, options: RunOptions, state: string): Promise<string[]> {
  // axe stays in the page after its first check. The builder would send and run its source twice for each further check.
  const source = (await page.evaluate(() => 'axe' in window)) ? { axeSource: 'undefined' } : {}
  const builder = new AxeBuilder({ page, ...source }).options(options).setLegacyMode(true)
  const { violations } = await builder.analyze()
  return violations.map(({ id, nodes }) => `${state}: ${id} at ${nodes[0]?.html ?? ''}`)
}

/**
 * Returns the beginning of the HTML of each element that cuts off or scrolls its content sideways, except fields, elements less
 * than 2 px wide (hidden texts) and texts that end with an ellipsis.
 */
function cutAtTheSide(): string[] {
  const isCut = (element: Element) => {
    const { overflowX, textOverflow } = getComputedStyle(element)
    const isWhole = overflowX === 'visible' || textOverflow === 'ellipsis' || element.clientWidth < 2
    return !isWhole && element.scrollWidth > element.clientWidth + 1
  }
  return [...document.querySelectorAll(':root, body, body :not(input, textarea, select)')]
    .filter(isCut)
    .map((element) => element.outerHTML.slice(0, 200))
}
