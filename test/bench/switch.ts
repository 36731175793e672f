import { createSampleStore } from '../../src/main/sample/store.ts'
import type { SitewardBridge } from '../../src/preload/bridge.ts'
import { painted, watch, type Wanted } from './bare-window/page.ts'
import { inTurn, type Figure } from './measure.ts'
import { startService, type Window } from './window.ts'

/** Every domain of the second account contains this text, and no domain of the first account does. */
const SECOND = 'second-account'

export async function switchAccount({ page, websites }: Window, quick: boolean): Promise<Figure> {
  const count = websites.length
  const store = createSampleStore({ websites: 0 })
  for (let n = 0; n < count; n++) store.create({ domain: `${SECOND}-${String(n)}.example` })
  const { address, apiKey, close } = await startService(store)
  const [first] = await page.evaluate(addAccount, { address, apiKey })
  if (first === undefined) throw new Error('There is no first account.')
  const whole = { shown: `[role=grid][aria-rowcount="${String(count + 1)}"]`, cells: '[role=gridcell]:first-child' }
  const table = page.locator(whole.shown)

  const timeOf = async (wanted: Wanted, act: () => Promise<void>): Promise<number> => {
    await page.evaluate(watch, wanted)
    await act()
    return (await page.evaluate(painted)) ?? Number.NaN
  }
  const back = async () => {
    await page.evaluate(
      (id) => (window as never as { siteward: SitewardBridge }).siteward.switchConnection({ id }),
      first,
    )
    await table.getByText(SECOND).first().waitFor({ state: 'hidden' })
    await table.waitFor()
  }
  const switched = async (): Promise<number> => {
    await back()
    await page.getByRole('button', { name: 'Switch account' }).click()
    const item = page.getByRole('menuitemradio').last()
    await item.hover()
    return timeOf({ event: 'pointerup', ...whole, text: SECOND }, () => item.click())
  }
  const cleared = async (): Promise<number> => {
    const box = page.getByLabel('Search websites')
    await box.fill('shop')
    await page.locator(`[role=grid]:not([aria-rowcount="${String(count + 1)}"])`).waitFor()
    await box.selectText()
    return timeOf({ event: 'keydown', ...whole }, () => page.keyboard.press('Delete'))
  }
  try {
    const times = await inTurn(switched, async () => (await back(), cleared()), { rounds: quick ? 2 : 15 })
    await back()
    const what = `switch between two accounts of ${count.toLocaleString('en')} websites until the list is painted`
    return { what, ...times, against: 'clearing the search of one of them', unit: 'ms', goal: { times: 2 } }
  } finally {
    close()
  }
}

/** Adds an account and reads its list. Returns the ids of all accounts. Runs in the page. */
async function addAccount({ address, apiKey }: { address: string; apiKey: string }): Promise<string[]> {
  const { siteward } = window as never as { siteward: SitewardBridge }
  await siteward.connect({ address, apiKey, keep: 'keychain' })
  await siteward.refresh()
  const list = await siteward.listConnections()
  return list.ok ? list.value.map(({ id }) => id) : []
}
