import type { ElectronApplication, Page } from '@playwright/test'
import { isAppPage } from '../../scripts/launch.mjs'
import { UNLOAD_AFTER } from '../../src/main/shell/unload-timer.ts'
import { expect, test } from './support/app.ts'
import { planted } from './support/planted.ts'
import { addWebsite, connect, editor, goTo, search, searchBox, websiteRow, websiteTable } from './support/screens.ts'
import { closeWindow, isWindowVisible, type Tray } from './support/tray.ts'

/** The values that the test adds to main's globals. `due`: the callback of the caught timer; missing if no timer has started. */
interface Waiting {
  due?: () => void
}

/** Catches the timer after which a hidden window is closed, so that the test can let it expire. */
const catchUnloadTimer = (app: ElectronApplication): Promise<void> =>
  app.evaluate((_electron, long) => {
    const real = globalThis.setTimeout
    globalThis.setTimeout = ((call: () => void, ms: number, ...more: []) => {
      if (ms === long) (globalThis as Waiting).due = call
      return real(call, ms, ...more)
    }) as typeof setTimeout
  }, UNLOAD_AFTER)

const expireUnloadTimer = (app: ElectronApplication): Promise<void> =>
  expect
    .poll(() =>
      app.evaluate(() => {
        const waiting = globalThis as Waiting
        const { due } = waiting
        delete waiting.due
        due?.()
        return due !== undefined
      }),
    )
    .toBe(true)

const windows = (app: ElectronApplication): Promise<number> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)

const kept = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const bridge = (window as unknown as { siteward: { getFormDrafts: () => Promise<unknown> } }).siteward
    return JSON.stringify(await bridge.getFormDrafts())
  })

async function hide(app: ElectronApplication): Promise<void> {
  await closeWindow(app)
  await expect.poll(() => isWindowVisible(app)).toBe(false)
}

/** Waits until the former window is closed, opens a window from the tray, and returns its page. */
async function comeBack(app: ElectronApplication, tray: Tray, former: Page): Promise<Page> {
  await expect.poll(() => former.isClosed()).toBe(true)
  await tray.choose('Open Siteward')
  const find = () => app.windows().find((page) => !page.isClosed() && isAppPage(page.url()))
  await expect.poll(() => find() !== undefined).toBe(true)
  const page = find() as Page
  page.on('dialog', () => {})
  return page
}

test('closes a window that was hidden for long, and restores the unsaved text in the next window', async ({
  siteward: { app, page },
  tray,
  service,
}) => {
  await connect(page, service)
  await catchUnloadTimer(app)
  const domain = service.store.all().at(-1)?.domain ?? '-'
  await websiteRow(page, domain).click()
  await editor(page).excludedIps.fill('203.0.113.7\nhalf-ty')
  await expect.poll(() => kept(page)).toContain('half-ty')
  await hide(app)
  await expireUnloadTimer(app)
  await expect.poll(() => windows(app)).toBe(0)

  const next = await comeBack(app, tray, page)
  await expect(editor(next).form).toContainText(domain)
  await expect(editor(next).excludedIps).toHaveValue('203.0.113.7\nhalf-ty')
  await editor(next).save.click()
  await expect.poll(() => service.store.byDomain(domain)?.exclude_ips).toBe('203.0.113.7\nhalf-ty')

  await goTo(next, 'Settings')
  await expect(next.getByRole('heading', { name: 'Settings', exact: true })).toBeVisible()
  await hide(app)
  await expireUnloadTimer(app)
  await expect.poll(() => windows(app)).toBe(0)
  await expect((await comeBack(app, tray, next)).getByRole('heading', { name: 'Settings', exact: true })).toBeVisible()
})

test.describe('with 300 websites', () => {
  test.use({ websites: 300 })

  test('restores the search, the order, the visible rows and the selection of the list after a hidden window was closed', async ({
    siteward: { app, page },
    tray,
    service,
  }) => {
    await connect(page, service)
    await catchUnloadTimer(app)
    await search(page, '.example')
    await websiteTable(page).getByRole('button', { name: 'Domain' }).click()
    const matching = service.store.sortedByDomain().filter(({ domain }) => domain.includes('.example'))
    const [first, seen] = [matching[0]?.domain ?? '-', matching.at(-1)?.domain ?? '-']
    await expect(websiteTable(page).getByRole('row').nth(1)).toContainText(first)
    await websiteRow(page, first).getByRole('button').focus()
    await page.keyboard.press('End')
    await expect(websiteRow(page, seen).getByRole('button')).toBeFocused()
    await page.keyboard.press('Space')
    await expect(websiteRow(page, seen)).toHaveAttribute('aria-selected', 'true')
    await expect.poll(() => kept(page)).toMatch(/"active":299.*"keys":\["/)
    await hide(app)
    await expireUnloadTimer(app)
    await expect.poll(() => windows(app)).toBe(0)

    const next = await comeBack(app, tray, page)
    await expect(websiteRow(next, seen)).toBeInViewport()
    await expect(websiteRow(next, seen)).toHaveAttribute('aria-selected', 'true')
    await expect(websiteRow(next, first)).toHaveCount(0)
    await expect(searchBox(next)).toHaveValue('.example')
    await goTo(next, 'Settings')
    await goTo(next, 'Websites')
    await expect(websiteRow(next, seen)).toBeInViewport()
    await search(next, '')
    await expect(websiteRow(next, service.store.sortedByDomain()[0]?.domain ?? '-')).toBeInViewport()
  })
})

test('does not close a window in which a secret is being typed, and stores the secret nowhere', async ({
  siteward: { app, page },
  service,
}) => {
  await connect(page, service)
  await catchUnloadTimer(app)
  const added = await addWebsite(page)
  await added.domain.fill('secretive.example')
  await added.privacy('Password').click()
  await added.password.fill(planted.password)
  await expect.poll(() => kept(page)).toContain('"held":true')
  expect(await kept(page)).not.toContain(planted.password)
  await hide(app)
  await expireUnloadTimer(app)
  expect(await windows(app)).toBe(1)
  await expect(added.password).toHaveValue(planted.password)

  await added.password.fill('')
  await expect.poll(() => kept(page)).toContain('"held":false')
  await expireUnloadTimer(app)
  await expect.poll(() => windows(app)).toBe(0)
})

test('restores unsaved text after a restart until it is discarded', async ({ launch, service }) => {
  const first = await launch()
  await connect(first.page, service)
  const domain = service.store.all().at(-1)?.domain ?? '-'
  await websiteRow(first.page, domain).click()
  await editor(first.page).excludedIps.fill('203.0.113.7\nhalf-ty')
  await expect.poll(() => kept(first.page)).toContain('half-ty')
  await first.quit()

  const second = await launch()
  await expect(editor(second.page).excludedIps).toHaveValue('203.0.113.7\nhalf-ty')
  await expect(editor(second.page).form).toContainText(domain)
  await editor(second.page).cancel.click()
  await expect(editor(second.page).form).toBeHidden()
  await expect.poll(() => kept(second.page)).not.toContain('half-ty')
  await second.quit()

  const third = await launch()
  await expect(websiteRow(third.page, domain)).toBeVisible()
  await expect(editor(third.page).form).toBeHidden()
})

test('a restored draft is kept aside when another form is opened, also across restarts', async ({
  launch,
  service,
}) => {
  const first = await launch()
  await connect(first.page, service)
  const domain = service.store.all().at(-1)?.domain ?? '-'
  await websiteRow(first.page, domain).click()
  await editor(first.page).excludedIps.fill('203.0.113.7\nhalf-ty')
  await expect.poll(() => kept(first.page)).toContain('half-ty')
  await first.quit()

  const second = await launch()
  await expect(editor(second.page).excludedIps).toHaveValue('203.0.113.7\nhalf-ty')
  const added = await addWebsite(second.page)
  await expect(added.excludedIps).toHaveValue('')
  await expect(second.page.getByText(`Your unsaved changes to ${domain} are kept`).first()).toBeVisible()
  await added.domain.fill('beside.example')
  await added.save.click()
  await expect.poll(() => service.store.byDomain('beside.example')).toBeTruthy()
  await added.form.page().keyboard.press('Escape')
  await expect.poll(() => kept(second.page)).toContain('"aside":[{')
  await second.quit()

  const third = await launch()
  await websiteRow(third.page, domain).click()
  await expect(editor(third.page).excludedIps).toHaveValue('203.0.113.7\nhalf-ty')
  await editor(third.page).save.click()
  await expect.poll(() => service.store.byDomain(domain)?.exclude_ips).toBe('203.0.113.7\nhalf-ty')
  await expect.poll(() => kept(third.page)).not.toContain('half-ty')
})

test('restores the form after the page is reloaded', async ({ siteward: { page }, service }) => {
  await connect(page, service)
  const added = await addWebsite(page)
  await added.domain.fill('half-typed.exa')
  await expect.poll(() => kept(page)).toContain('half-typed.exa')
  await page.reload()
  await expect(editor(page).domain).toHaveValue('half-typed.exa')
})
