import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { axeOptions } from '../../axe-options.ts'

/** Expects that axe finds no problem in the window, and that no content is cut off. `state` describes the window in failures. */
export async function expectClean(page: Page, state: string): Promise<void> {
  // A page keeps axe. The builder would send and run its source twice for each check.
  const source = (await page.evaluate(() => 'axe' in window)) ? { axeSource: 'undefined' } : {}
  const builder = new AxeBuilder({ page, ...source }).options(axeOptions).setLegacyMode(true)
  const { violations } = await builder.analyze()
  expect(violations.map(({ id, nodes }) => `${state}: ${id} at ${nodes[0]?.html ?? ''}`)).toEqual([])
  expect(await page.evaluate(cutAtTheSide), state).toEqual([])
}

/**
 * Returns elements whose content is wider than they are, except fields, hidden texts and texts that are cut on purpose.
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
