import { expect, test } from './support/app.ts'
import { connect, goToAdvancedSettings } from './support/screens.ts'
import { closeWindow, isWindowVisible } from './support/tray.ts'

test('the keys of the global shortcut open the search in a hidden window, and keys that another program uses are refused', async ({
  siteward: { app, page },
  service,
}) => {
  await app.evaluate(({ globalShortcut }) => {
    const held = new Map<string, () => void>()
    Object.assign(globalThis, { held })
    globalShortcut.register = (keys, run) => keys !== 'CommandOrControl+Alt+T' && Boolean(held.set(keys, run))
    globalShortcut.unregister = (keys) => void held.delete(keys)
  })
  const held = () => app.evaluate(() => [...(globalThis as unknown as { held: Map<string, () => void> }).held.keys()])
  await connect(page, service)
  await goToAdvancedSettings(page)
  const recorder = page.getByRole('button', { name: /^Open search from any app/ })
  await recorder.click()
  await page.keyboard.press('Control+Shift+K')
  await expect(recorder).toContainText('Ctrl+Shift+K')
  expect(await held()).toEqual(['CommandOrControl+Shift+K'])

  await recorder.click()
  await page.keyboard.press('Control+Alt+T')
  await expect(page.getByText('These keys are already in use.')).toBeVisible()
  expect(await held()).toEqual(['CommandOrControl+Shift+K'])

  await closeWindow(app)
  await expect.poll(() => isWindowVisible(app)).toBe(false)
  await app.evaluate(() => {
    for (const run of (globalThis as unknown as { held: Map<string, () => void> }).held.values()) run()
  })
  await expect.poll(() => isWindowVisible(app)).toBe(true)
  await expect(page.getByRole('combobox', { name: 'Search websites' })).toBeFocused()
})

test('registers the keys of the global shortcut again at the next start', async ({ launch, service }) => {
  const first = await launch()
  await connect(first.page, service)
  await goToAdvancedSettings(first.page)
  const recorder = first.page.getByRole('button', { name: /^Open search from any app/ })
  await recorder.click()
  await first.page.keyboard.press('Control+Shift+F9')
  await expect(recorder).toContainText('Ctrl+Shift+F9')
  await first.quit()

  const { app } = await launch()
  const isRegistered = () =>
    app.evaluate(({ globalShortcut }) => globalShortcut.isRegistered('CommandOrControl+Shift+F9'))
  await expect.poll(isRegistered).toBe(true)
})
