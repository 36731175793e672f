import type { ElectronApplication } from '@playwright/test'
import { expect, test } from './support/app.ts'
import { addWebsite, confirmation, connect, connectForm, editor } from './support/screens.ts'
import { closeWindow, isWindowVisible } from './support/tray.ts'

/** As macOS hands a link over. */
const openUrl = (app: ElectronApplication, url: string): Promise<boolean> =>
  app.evaluate(async ({ app }, link) => {
    await new Promise(setImmediate) // in a turn of its own, as closeWindow
    return app.emit('open-url', { preventDefault: () => undefined }, link)
  }, url)

test('a link to a website opens it: in the running app, hidden or not, and at a cold start', async ({
  launch,
  startAgain,
  service,
}) => {
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
  await expect(first.page.getByText('This account doesn’t have the website nobodys.example.')).toBeVisible()
  await first.quit()

  const { page } = await launch([`siteward://website/${one}`])
  await expect(editor(page).form).toContainText(one)
})

test('a link for a new website begins its form, and neither saves nor sends anything', async ({
  siteward: { page },
  service,
  startAgain,
}) => {
  await connect(page, service)
  const before = service.store.all().length
  await startAgain(['siteward://add?domain=linked.example'])
  await expect(editor(page).domain).toHaveValue('linked.example')
  // Another one takes nothing from what is in the form.
  await startAgain(['siteward://add?domain=other.example'])
  await expect(confirmation(page)).toBeVisible()
  await confirmation(page).getByRole('button', { name: 'Keep editing' }).click()
  await expect(editor(page).domain).toHaveValue('linked.example')
  const writes = service.store.requests().filter(({ method }) => method !== 'GET')
  expect([service.store.all().length, writes]).toEqual([before, []])
  await editor(page).save.click()
  await expect.poll(() => service.store.byDomain('linked.example')).toBeTruthy()
})

test('what isn’t exactly a link does nothing, not even show the window', async ({
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
  // Of two nobody knows which was meant: it's a start like any other.
  await startAgain(['siteward://add?domain=a.example', 'siteward://add?domain=b.example'])
  await expect.poll(() => isWindowVisible(app)).toBe(true)
  await expect(typed.domain).toHaveValue('half-typed.example')
  expect(service.store.requests().filter(({ method }) => method !== 'GET')).toEqual([])
})

test('without a connection a link shows the form for one', async ({ siteward: { page }, startAgain }) => {
  await connectForm(page)
  await startAgain(['siteward://add?domain=linked.example'])
  await connectForm(page)
  await expect(editor(page).form).toHaveCount(0)
})
