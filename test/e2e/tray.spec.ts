import { expect, sharedTest as test, test as ownTest } from './support/app.ts'
import { confirmation, connect, editor, goTo, goToAdvancedSettings, saveWebsite } from './support/screens.ts'
import { closeWindow, isWindowVisible } from './support/tray.ts'

test('the tray shows the state by its picture and text, and which change was sent or discarded last', async ({
  siteward: { page },
  tray,
  service,
}) => {
  await expect.poll(tray.toolTip).toBe('Siteward: Not connected')
  expect(await tray.disabledLabels()).toEqual(['Not connected', 'Send now', 'Add website', 'Settings'])
  await connect(page, service)
  await expect.poll(tray.disabledLabels).toEqual(['All changes sent', 'Send now'])
  expect(await tray.picture()).toBe('idle')

  await saveWebsite(page, 'taken.example')
  await expect.poll(tray.toolTip).toBe('Siteward: 1 change needs attention')
  await expect.poll(tray.picture).toBe('attention')
  await goTo(page, 'Pending')
  await page.getByRole('button', { name: 'Discard…' }).click()
  await confirmation(page).getByRole('button', { name: 'Discard' }).click()
  await expect.poll(tray.toolTip).toBe('Siteward')
  expect((await tray.disabledLabels())[1]).toMatch(/^Discarded: taken\.example, .*\d/)

  await goTo(page, 'Websites')
  await saveWebsite(page, 'goes-out.example')
  await expect.poll(async () => (await tray.disabledLabels())[1]).toMatch(/^Sent: goes-out\.example, .*\d/)

  await service.close()
  await saveWebsite(page, 'waits-in-the-tray.example')
  await expect.poll(tray.toolTip).toBe('Siteward: Offline, 1 change pending')
  await expect.poll(tray.picture).toBe('offline')
  expect((await tray.menu())[1]).toContain('| Send now |')
})

test('the tray shows “Offline” while the window is open, but not while the window is hidden and nothing is pending', async ({
  siteward: { app, page },
  tray,
  service,
}) => {
  await connect(page, service)
  await expect.poll(tray.disabledLabels).toEqual(['All changes sent', 'Send now'])
  await service.close()
  await page.keyboard.press('F5')
  await expect.poll(tray.toolTip).toBe('Siteward: Offline')
  await closeWindow(app)
  await expect.poll(tray.picture).toBe('idle')
  expect(await tray.toolTip()).toBe('Siteward')
  await tray.choose('Open Siteward')
  await expect.poll(tray.picture).toBe('offline')
})

test('the tray’s Settings shows a closed window again, and its Add website asks before unsaved text is discarded', async ({
  siteward: { app, page },
  tray,
  service,
}) => {
  await connect(page, service)
  await closeWindow(app)
  await tray.choose('Settings')
  await expect.poll(() => isWindowVisible(app)).toBe(true)
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
  await tray.choose('Add website')
  await editor(page).domain.fill('half-typed.exa')
  await tray.choose('Add website')
  await expect(confirmation(page)).toBeVisible()
  await confirmation(page).getByRole('button', { name: 'Keep editing' }).click()
  await expect(editor(page).domain).toHaveValue('half-typed.exa')
})

test('does not draw the icon and the menu again if they are unchanged', async ({
  siteward: { page },
  tray,
  service,
}) => {
  await connect(page, service)
  await expect.poll(tray.disabledLabels).toEqual(['All changes sent', 'Send now'])
  tray.drawn.length = 0
  // A refresh changes the state, but nothing that the tray shows.
  await page.keyboard.press('F5')
  await expect
    .poll(() => service.store.requests().filter(({ path }) => path.includes('/websites')).length)
    .toBeGreaterThan(1)
  await expect(page.getByRole('status')).toContainText('All changes sent')
  expect(tray.drawn).toEqual([])
  await tray.choose('Pause sending')
  await expect.poll(() => new Set(tray.drawn)).toEqual(new Set(['NewIcon', 'NewToolTip', 'LayoutUpdated']))
})

test('shows the number of changes that need attention on the icon of the app', async ({
  siteward: { app, page },
  service,
}) => {
  await app.evaluate(({ app }) => {
    const shown: number[] = []
    Object.assign(globalThis, { shown })
    app.setBadgeCount = (count = 0) => shown.push(count) > 0
  })
  const shown = () => app.evaluate(() => (globalThis as unknown as { shown: number[] }).shown)
  await connect(page, service)
  await saveWebsite(page, 'taken.example')
  await expect.poll(shown).toEqual([1])
  await goTo(page, 'Pending')
  await page.getByRole('button', { name: 'Discard…' }).click()
  await confirmation(page).getByRole('button', { name: 'Discard' }).click()
  await expect.poll(shown).toEqual([1, 0])
})

ownTest('Open and a click show the hidden window, and Quit ends the app', async ({ siteward: { app }, tray }) => {
  for (const open of [() => tray.choose('Open Siteward'), () => tray.click()]) {
    await closeWindow(app)
    await expect.poll(() => isWindowVisible(app)).toBe(false)
    await open()
    await expect.poll(() => isWindowVisible(app)).toBe(true)
  }
  // The second click of a double click does not hide the window.
  await tray.click()
  expect(await isWindowVisible(app)).toBe(true)
  const process = app.process()
  const closed = app.waitForEvent('close')
  await tray.choose('Quit Siteward').catch(() => undefined) // The app may end before it answers.
  await closed
  expect(process.exitCode).toBe(0)
})

ownTest(
  'Quit shows the hidden window and asks there about typed text that is kept nowhere',
  async ({ siteward: { app, page }, tray, service }) => {
    await connect(page, service)
    await page.keyboard.press('Control+Shift+N')
    await page.getByRole('dialog', { name: 'Add multiple websites' }).getByRole('textbox').first().fill('one.example')
    const isReported = () => page.evaluate(() => window.siteward?.getFormDrafts())
    await expect.poll(isReported).toMatchObject({ value: { typed: true } })
    await closeWindow(app)
    await expect.poll(() => isWindowVisible(app)).toBe(false)
    await tray.choose('Quit Siteward')
    await expect.poll(() => isWindowVisible(app)).toBe(true)
    const closed = app.waitForEvent('close')
    await confirmation(page).getByRole('button', { name: 'Leave without saving' }).click()
    await closed
  },
)

ownTest('pauses and resumes sending from the tray, also over a restart', async ({ launch, tray, service }) => {
  const first = await launch()
  await connect(first.page, service)
  await tray.choose('Pause sending')
  await saveWebsite(first.page, 'paused.example')
  await expect.poll(tray.toolTip).toBe('Siteward: Sending is paused, 1 change pending')
  expect(await tray.picture()).toBe('paused')
  await expect(first.page.getByRole('status')).toContainText('Sending is paused')
  await first.quit()

  const { page } = await launch()
  await expect.poll(tray.toolTip).toBe('Siteward: Sending is paused, 1 change pending')
  await expect(page.getByRole('status')).toContainText('1 change pending until you resume sending')
  expect(service.store.byDomain('paused.example')).toBeUndefined()
  await tray.choose('Resume sending')
  await expect.poll(() => service.store.byDomain('paused.example')).toBeTruthy()
  await expect.poll(tray.picture).toBe('idle')
})

ownTest(
  'a setting hides and shows the tray icon, and closing the window while the icon is hidden quits the app',
  async ({ siteward: { app, page }, shownPanel: panel, service }) => {
    await connect(page, service)
    await expect.poll(() => panel?.count()).toBe(1)
    await goToAdvancedSettings(page)
    const hide = page.getByRole('switch', { name: 'Hide the tray icon' })
    await hide.click()
    await expect.poll(() => panel?.count()).toBe(0)
    await hide.click()
    await expect.poll(() => panel?.count()).toBe(1)
    await hide.click()
    await expect.poll(() => panel?.count()).toBe(0)

    const process = app.process()
    const closed = app.waitForEvent('close')
    await closeWindow(app).catch(() => undefined) // The app may end before it answers.
    await closed
    expect(process.exitCode).toBe(0)
    expect(panel?.count()).toBe(0)
  },
)
