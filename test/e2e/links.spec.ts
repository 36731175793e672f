import type { ElectronApplication } from '@playwright/test'
import { expect, sharedTest as test, test as ownTest } from './support/app.ts'
import { addWebsite, confirmation, connect, connectForm, editor } from './support/screens.ts'
import { closeWindow, isWindowVisible } from './support/tray.ts'

/** Opens a link as macOS does. */
const openUrl = (app: ElectronApplication, url: string): Promise<boolean> =>
  app.evaluate(async ({ app }, link) => {
    await new Promise(setImmediate) // In its own turn of the event loop, like closeWindow.
    return app.emit('open-url', { preventDefault: () => undefined }, link)
  }, url)

test('a link for a new website opens its form, and neither saves nor sends anything', async ({
  siteward: { page },
  service,
  startAgain,
}) => {
  await connect(page, service)
  const before = service.store.all().length
  await startAgain(['siteward://add?domain=linked.example'])
  await expect(editor(page).domain).toHaveValue('linked.example')
  // Another link does not replace the text of the form.
  await startAgain(['siteward://add?domain=other.example'])
  await expect(confirmation(page)).toBeVisible()
  await confirmation(page).getByRole('button', { name: 'Keep editing' }).click()
  await expect(editor(page).domain).toHaveValue('linked.example')
  const writes = service.store.requests().filter(({ method }) => method !== 'GET')
  expect([service.store.all().length, writes]).toEqual([before, []])
  await editor(page).save.click()
  await expect.poll(() => service.store.byDomain('linked.example')).toBeTruthy()
})

test('a malformed link does nothing and does not show the window', async ({
  siteward: { app, page },
  service,
  startAgain,
}) => {
  await connect(page, service)
  const typed = await addWebsite(page)
  await typed.domain.fill('half-typed.example')
  await closeWindow(app)
  await expect.poll(() => isWindowVisible(app)).toBe(false)
  for (const link of [
    'siteward://add?domain=a.example&save=1',
    'siteward://website/a.example/delete',
    'siteward://connect?address=https://evil.example',
    'siteward://website/%E2%80%AEgro.elpmaxe',
  ]) {
    await openUrl(app, link)
  }
  await startAgain(['siteward://settings'])
  expect(await isWindowVisible(app)).toBe(false)
  // A start with two links counts as a start without one.
  await startAgain(['siteward://add?domain=a.example', 'siteward://add?domain=b.example'])
  await expect.poll(() => isWindowVisible(app)).toBe(true)
  await expect(typed.domain).toHaveValue('half-typed.example')
  expect(service.store.requests().filter(({ method }) => method !== 'GET')).toEqual([])
})

test('a link without a connection shows the connect form', async ({ siteward: { page }, startAgain }) => {
  await connectForm(page)
  await startAgain(['siteward://add?domain=linked.example'])
  await connectForm(page)
  await expect(editor(page).form).toHaveCount(0)
})

ownTest(
  'a link to a website opens it in the running app, hidden or not, and at a cold start',
  async ({ launch, startAgain, service }) => {
    const [one, other] = service.store.all().map(({ domain }) => domain)
    if (one === undefined || other === undefined) throw new Error('the service has too few websites')
    const first = await launch()
    await connect(first.page, service)
    await closeWindow(first.app)
    expect(await startAgain([`siteward://website/${one}`])).toBe(0)
    await expect.poll(() => isWindowVisible(first.app)).toBe(true)
    await expect(editor(first.page).form).toContainText(one)
    await openUrl(first.app, `siteward://website/${other}`)
    await expect(editor(first.page).form).toContainText(other)
    await openUrl(first.app, 'siteward://website/nobodys.example')
    await expect(
      first.page.getByText(
        'The website nobodys.example isn’t in this account. Refresh the list, or switch to another account.',
      ),
    ).toBeVisible()
    await first.quit()

    const { page } = await launch([`siteward://website/${one}`])
    await expect(editor(page).form).toContainText(one)
  },
)
