import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Fixtures, Page } from '@playwright/test'
import { startSampleService, type SampleService } from '../../src/main/sample/service.ts'
import { expect, sharedTest, test as base } from './support/app.ts'
import { expectClean } from './support/axe.ts'
import { press } from './support/keyboard.ts'
import { planted } from './support/planted.ts'
import { addWebsite, confirmation, connect, goTo, saveWebsite, websiteRow, websiteTable } from './support/screens.ts'
import { closeWindow, isWindowVisible } from './support/tray.ts'

const fixtures: Fixtures<{ other: SampleService }> = {
  // eslint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from this pattern
  other: async ({}, use) => {
    const other = await startSampleService({ websites: 3, rate: 0, key: planted.apiKey })
    await use(other)
    await other.close()
  },
}
const test = sharedTest.extend(fixtures)
const ownTest = base.extend(fixtures)

const entries = (page: Page) => page.getByRole('list', { name: 'Accounts' }).getByRole('listitem')

const shows = (page: Page, service: SampleService) =>
  expect(websiteTable(page).getByRole('row')).toHaveCount(1 + service.store.all().length)

async function connectBoth(page: Page, first: SampleService, second: SampleService): Promise<void> {
  await connect(page, first)
  await shows(page, first)
  await goTo(page, 'Settings')
  await page.getByRole('button', { name: 'Add account…' }).click()
  await connect(page, second)
  await shows(page, second)
}

async function switchTo(page: Page, service: SampleService): Promise<void> {
  await page.getByRole('button', { name: /Switch account$/ }).click()
  const { host } = new URL(service.address)
  await page.getByRole('menuitemradio').filter({ hasText: host }).click()
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(page.getByRole('banner')).toContainText(host)
  await websiteTable(page).waitFor()
}

async function add(page: Page, domain: string): Promise<void> {
  await saveWebsite(page, domain)
  await expect(websiteRow(page, domain)).toBeVisible()
}

test('adds a second connection, and switches between both without a key', async ({ page, service, other }) => {
  await connectBoth(page, service, other)
  await goTo(page, 'Settings')
  await expect(entries(page)).toHaveCount(2)
  await expect(entries(page).filter({ hasText: other.address })).toContainText('Current')
  await expect(entries(page).filter({ hasText: service.address })).toContainText('All changes sent')
  await expectClean(page, 'connections')
  await switchTo(page, service)
  await shows(page, service)
  await add(page, 'for-the-first.example')
  await expect.poll(() => service.store.byDomain('for-the-first.example')).toBeTruthy()
  expect(other.store.byDomain('for-the-first.example')).toBeUndefined()
})

test('the tray has a sub-menu for each account with its pending changes, and “Open” in it asks about unsaved text first', async ({
  siteward: { app },
  page,
  tray,
  service,
  other,
}) => {
  await connectBoth(page, service, other)
  const idle = [expect.stringMatching(/: All changes sent$/), ['Open', '(All changes sent) | (Send now)']]
  await expect.poll(tray.subMenus).toEqual([idle, idle])
  await saveWebsite(page, 'taken.example')
  await expect
    .poll(tray.subMenus)
    .toEqual([idle, [expect.stringMatching(/: 1 change needs attention$/), expect.anything()]])
  await tray.choose('Pause sending')
  await add(page, 'one.example')
  await add(page, 'two.example')
  await switchTo(page, service)
  await add(page, 'three.example')
  await closeWindow(app)
  await expect.poll(() => isWindowVisible(app)).toBe(false)
  await expect.poll(tray.subMenus).toEqual([
    [expect.stringMatching(/1 change pending$/), ['Open', expect.stringMatching(/1 change pending/)]],
    [
      expect.stringMatching(/: 1 change needs attention$/),
      ['Open', expect.stringMatching(/^\(1 change needs attention\) \| \(2 changes pending\) \| /)],
    ],
  ])
  await tray.choose('Open', /1 change needs attention/)
  await expect.poll(() => isWindowVisible(app)).toBe(true)
  await expect(page.getByRole('banner')).toContainText(new URL(other.address).host)
  await expect(websiteRow(page, 'two.example')).toBeVisible()

  const unsaved = await addWebsite(page)
  await unsaved.domain.fill('half-typed.exa')
  await tray.choose('Open', /1 change pending/)
  await confirmation(page).getByRole('button', { name: 'Keep editing' }).click()
  await expect(unsaved.domain).toHaveValue('half-typed.exa')
  await expect(page.getByRole('banner')).toContainText(new URL(other.address).host)
})

ownTest(
  'an account that is not shown keeps its pending changes and sends them, also after a restart',
  async ({ siteward, page, launch, service, other }) => {
    await connectBoth(page, service, other)
    const port = Number(new URL(other.address).port)
    await other.close()
    await add(page, 'waits.example')
    await switchTo(page, service)
    await goTo(page, 'Settings')
    await expect(entries(page).filter({ hasText: other.address })).toContainText('1 change pending')
    await siteward.quit()

    const back = await startSampleService({ websites: 3, port, rate: 0, key: planted.apiKey })
    const next = await launch()
    await shows(next.page, service)
    await expect.poll(() => back.store.byDomain('waits.example')).toBeTruthy()
    expect(service.store.byDomain('waits.example')).toBeUndefined()
    await goTo(next.page, 'Settings')
    await expect(entries(next.page).filter({ hasText: other.address })).toContainText('All changes sent')
    await back.close()
  },
)

test('Cancel leaves the form for another connection, and changes nothing', async ({ page, service }) => {
  await connect(page, service)
  await goTo(page, 'Settings')
  await page.getByRole('button', { name: 'Add account…' }).click()
  await expect(page.getByLabel('Service address')).toBeFocused()
  await expectClean(page, 'adding')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(entries(page)).toHaveCount(1)
})

ownTest('renames a connection by keyboard, everywhere', async ({ siteward, page, launch, service }) => {
  await connect(page, service)
  await goTo(page, 'Settings')
  const rename = page.getByRole('button', { name: /^Rename/ })
  await rename.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  await page.keyboard.type('x'.repeat(101))
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Name', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await expectClean(page, 'renaming')
  await page.getByLabel('Name', { exact: true }).fill('Studio Nord')
  await page.keyboard.press('Enter')
  await expect(entries(page)).toContainText('Studio Nord')
  await expect(rename).toBeFocused()
  await expect(page.getByRole('banner')).toContainText('Studio Nord')
  await siteward.quit()
  const next = await launch()
  await expect(next.page.getByRole('banner')).toContainText('Studio Nord')

  await goTo(next.page, 'Settings')
  await press(next.page, next.page.getByRole('button', { name: 'Rename Studio Nord' }))
  await next.page.keyboard.press('Delete')
  await next.page.keyboard.press('Enter')
  await expect(next.page.getByRole('banner')).toContainText('Northwind Agency')
})

test('removes a connection with its file and the unsent changes that were named first', async ({
  page,
  userData,
  service,
  other,
}) => {
  const files = () => readdirSync(join(userData, 'connections')).filter((name) => name.endsWith('.db'))
  await connectBoth(page, service, other)
  await other.close()
  await add(page, 'never-sent.example')
  await switchTo(page, service)
  await goTo(page, 'Settings')
  expect(files()).toHaveLength(2)
  const row = entries(page).filter({ hasText: other.address })
  await row.getByRole('button', { name: /^Remove/ }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog.getByRole('list', { name: 'Pending changes' })).toContainText('never-sent.example')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectClean(page, 'removing')
  await page.keyboard.press('Escape')
  await expect(row).toContainText('1 change pending')
  await row.getByRole('button', { name: /^Remove/ }).click()
  await dialog.getByRole('button', { name: 'Remove and discard 1 change' }).click()
  await expect(entries(page)).toHaveCount(1)
  await expect(entries(page)).toContainText(service.address)
  expect(files()).toHaveLength(1)
})

test('shows the connect form after removing the active connection, and continues with another one without typing', async ({
  page,
  service,
  other,
}) => {
  await connectBoth(page, service, other)
  await goTo(page, 'Settings')
  await entries(page)
    .filter({ hasText: other.address })
    .getByRole('button', { name: /^Remove/ })
    .click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByLabel('API key', { exact: true })).toHaveValue('')
  await expect(page.getByText(/was removed/)).toBeVisible()
  await expectClean(page, 'connect')
  await page.getByRole('button', { name: /^Open/ }).click()
  await shows(page, service)
})

test('the palette finds the websites of every account, and opens them there', async ({ page, service, other }) => {
  await connectBoth(page, service, other)
  await add(page, 'only-in-the-second.example')
  await switchTo(page, service)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('only-in-the-second')
  await page.getByRole('option', { name: /only-in-the-second/ }).click()
  await expect(page.getByRole('heading', { name: /only-in-the-second/ })).toBeVisible()
  await expect(page.getByRole('banner')).toContainText(new URL(other.address).host)
})
