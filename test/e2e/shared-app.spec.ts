import type { ElectronApplication, Page } from '@playwright/test'
import { defaultSettings } from '../../src/shared/state.ts'
import { expect, sharedTest as test } from './support/app.ts'
import { choose } from './support/dialogs.ts'
import { addWebsite, connect, connectForm, editor, goTo, saveWebsite, websiteTable } from './support/screens.ts'
import { closeWindow, isWindowVisible } from './support/tray.ts'
import { boundsOf } from './support/window.ts'

/** The tests run in this order: every second one checks what the test before it has left. */
/** Process id of the app in the set-up; 0 if that has not run. */
let former = 0
const processId = (app: ElectronApplication): number => app.process().pid ?? 0

test('(set-up of the next test) leaves many changes in the shared app', async ({
  siteward: { app, page },
  service,
}) => {
  former = processId(app)
  await connect(page, service)
  // Together with the connect, this reaches the limit of requests to an address.
  for (let left = 4; left > 0; left--) {
    await page.evaluate(() => window.siteward?.checkAddress({ address: '127.0.0.1:9' }))
  }
  await goTo(page, 'Settings')
  await page.getByRole('radio', { name: 'Dark' }).click()
  await page.getByRole('switch', { name: 'Pause sending' }).click()
  await goTo(page, 'Websites')
  await saveWebsite(page, 'left.example')
  await page.keyboard.press('Escape')
  await (await addWebsite(page)).domain.fill('half-typed.exa')
  await page.evaluate(() => Object.assign(window, { left: true }))
  await app.evaluate(({ clipboard }) => clipboard.writeText('left'))
  await choose(app, { filePath: 'left' })
})

test('a test finds the shared app as after its first start, whatever the test before has left', async ({
  siteward: { app, page },
  service,
}) => {
  // 0 if this test runs without the one before it.
  expect([0, processId(app)]).toContain(former)
  await connectForm(page)
  const inPage = await page.evaluate(async () => ({
    settings: await window.siteward?.getSettings(),
    connections: await window.siteward?.listConnections(),
    left: 'left' in window,
  }))
  expect(inPage).toEqual({
    settings: { ok: true, value: defaultSettings },
    connections: { ok: true, value: [] },
    left: false,
  })
  const inMain = await app.evaluate(({ clipboard }) => {
    const { choices } = globalThis as unknown as { choices: unknown[] }
    return { clipboard: clipboard.readText(), choices: choices.length }
  })
  expect(inMain).toEqual({ clipboard: '', choices: 0 })
  await connect(page, service)
  await expect(editor(page).form).toHaveCount(0)
  await goTo(page, 'Pending')
  await expect(page.getByText('No pending changes')).toBeVisible()
  expect(service.store.byDomain('left.example')).toBeUndefined()
})

const uncleared = {
  async 'the sample data'(_app: ElectronApplication, page: Page) {
    await page.getByRole('button', { name: 'Try with sample data' }).click()
    await websiteTable(page).waitFor()
  },
  async 'a window of another size'(app: ElectronApplication) {
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setSize(900, 600))
    await expect.poll(() => boundsOf(app)).toMatchObject({ width: 900, height: 600 })
  },
  async 'a window that was closed'(app: ElectronApplication) {
    await closeWindow(app)
    await expect.poll(() => isWindowVisible(app)).toBe(false)
  },
}
for (const [leftover, leave] of Object.entries(uncleared)) {
  test.describe(`an app left with ${leftover}`, () => {
    test('(set-up of the next test) is left behind', async ({ siteward: { app, page } }) => {
      former = processId(app)
      await leave(app, page)
    })

    test('the next test gets another app', ({ siteward: { app } }) => {
      expect(processId(app)).not.toBe(former)
    })
  })
}
