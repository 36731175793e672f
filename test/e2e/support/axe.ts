import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** That axe finds nothing on what the window shows now, which is named `what`. */
export async function expectClean(page: Page, what: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze()
  expect(violations.map(({ id, nodes }) => `${what}: ${id} at ${nodes[0]?.html ?? ''}`)).toEqual([])
}
