import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** That axe finds nothing on what the window shows now, which is named `what`, and that nothing of it is cut at its side. */
export async function expectClean(page: Page, what: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze()
  expect(violations.map(({ id, nodes }) => `${what}: ${id} at ${nodes[0]?.html ?? ''}`)).toEqual([])
  expect(await page.evaluate(cutAtTheSide), what).toEqual([])
}

/** What has more in it than its width shows; nothing that is typed, only heard, or cut so that one sees it. */
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
