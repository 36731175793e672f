import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Expects that axe finds no problem in the window, and that no content is cut off. `state` describes the window in failures. */
export async function expectClean(page: Page, state: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze()
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
