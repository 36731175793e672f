import type { Page } from '@playwright/test'
import { expect, test as base } from './support/app.ts'
import { expectClean } from './support/axe.ts'
import { sendNow } from './support/clock.ts'
import { hold, startFaultyService, type FaultyService } from './support/faulty.ts'
import { command, keys, press, focusByTab } from './support/keyboard.ts'
import { connect, goTo, websiteRow, websiteTable } from './support/screens.ts'

const WEBSITES = 8

const test = base.extend<{ faulty: FaultyService }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from this pattern
  faulty: async ({}, use) => {
    const service = await startFaultyService(WEBSITES)
    await use(service)
    service.close()
  },
})

test('lists the websites of a bulk change with their results, by keyboard, also after a restart', async ({
  launch,
  faulty,
}) => {
  for (const { id } of faulty.store.all()) faulty.store.update(id, { email: 0 })
  const [refused] = faulty.store.all()
  const domain = refused?.domain ?? '-'
  faulty.fault = ({ method, url }, response) => {
    if (method !== 'PUT' || url?.endsWith(`/${String(refused?.id)}`) !== true) return false
    const body = { message: 'The email field is wrong.', errors: { email: ['The plan has none.'] }, status: 422 }
    response.writeHead(422, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
    return true
  }
  const first = await launch()
  await connect(first.page, faulty)
  await expect(websiteTable(first.page)).toHaveAttribute('aria-rowcount', String(WEBSITES + 1))
  await changeAll(first.page)
  await expect(first.page.getByText('Last bulk change (8 websites): 7 sent, 1 needs attention.')).toBeVisible({
    timeout: 30_000,
  })

  await press(first.page, first.page.getByRole('button', { name: 'Show results' }))
  await expectResults(first.page, domain)
  await expectClean(first.page, 'the results of a bulk change')
  await first.quit()

  const { page } = await launch()
  await expect(websiteTable(page)).toHaveAttribute('aria-rowcount', String(WEBSITES + 1))
  await command(page, 'Show the last bulk change')
  await expectResults(page, domain)
  await press(page, panelOf(page).getByRole('button', { name: domain }))
  await expect(page.getByRole('form', { name: 'Website' })).toContainText('The plan has none.')

  // The result was dismissed, so there is none to show.
  await keys(page, 'Control+2')
  await press(page, page.getByRole('button', { name: 'Dismiss result' }))
  await expect(page.getByRole('button', { name: 'Show results' })).toHaveCount(0)
})

const PUBLIC = 0
const PRIVATE = 1

test('undoes a bulk change for all websites, except for those that another client has changed, which are named', async ({
  page,
  faulty,
}) => {
  const { store } = faulty
  for (const { id } of store.all()) store.update(id, { privacy: PRIVATE, password: null })
  const privacies = () => store.all().map(({ privacy }) => privacy)
  const messages = page.getByRole('region', { name: 'Messages' })
  const undo = messages.getByRole('button', { name: 'Undo' }).last()
  await connect(page, faulty)
  await expect(websiteTable(page)).toHaveAttribute('aria-rowcount', String(WEBSITES + 1))

  // The first request is in flight, and the others are not sent yet.
  const held = hold(faulty, 'PUT')
  faulty.fault = held
  await command(page, 'Select all websites in the list')
  await makeAllPublic(page)
  await expect.poll(() => held.held).toBe(1)
  await undo.click()
  await expect(messages.getByText(`The change was undone for ${String(WEBSITES - 1)} websites.`)).toBeVisible()
  await expect(messages.getByText('The change will be undone on the service for 1 website.')).toBeVisible()
  held.release()
  await expectNothingPending(page)
  expect(privacies()).toEqual(Array.from({ length: WEBSITES }, () => PRIVATE))
  expect(store.requests().filter(({ method }) => method === 'PUT')).toHaveLength(2)

  // All edits are sent, and another client changes one of the websites.
  await goTo(page, 'Websites')
  await makeAllPublic(page)
  await expectNothingPending(page)
  expect(privacies()).toEqual(Array.from({ length: WEBSITES }, () => PUBLIC))
  const [theirs] = store.all()
  store.update(theirs?.id ?? 0, { privacy: 2, password: 'theirs:x' })
  await goTo(page, 'Websites')
  await keys(page, 'F5')
  await expect(websiteRow(page, theirs?.domain ?? '-')).toContainText('Password')
  await command(page, 'Undo the last change')
  await expect(
    messages.getByText(`The change will be undone on the service for ${String(WEBSITES - 1)} websites.`),
  ).toBeVisible()
  await expect(messages.getByText('1 website has newer changes, which were kept.')).toBeVisible()
  await expect(messages.getByText(theirs?.domain ?? '-', { exact: true })).toBeVisible()
  await expectClean(page, 'the websites that an undo leaves')
  await expectNothingPending(page)
  expect(privacies()).toEqual(store.all().map(({ id }) => (id === theirs?.id ? 2 : PRIVATE)))
})

test('undoes a bulk change of lists line by line, whatever another client has changed in them since', async ({
  page,
  faulty,
}) => {
  const { store } = faulty
  for (const { id } of store.all())
    store.update(id, { privacy: PRIVATE, password: null, exclude_ips: '192.0.2.1\n192.0.2.2' })
  const lists = () => store.all().map(({ exclude_ips }) => (exclude_ips ?? '').split('\n').sort())
  const messages = page.getByRole('region', { name: 'Messages' })
  await connect(page, faulty)
  await expect(websiteTable(page)).toHaveAttribute('aria-rowcount', String(WEBSITES + 1))
  await command(page, 'Select all websites in the list')
  await keys(page, 'Control+e')
  const bulk = page.getByRole('dialog', { name: `Edit ${String(WEBSITES)} websites` })
  const list = bulk.getByRole('radiogroup', { name: 'Excluded IP addresses' })
  await list.getByRole('radio', { name: 'Add or remove' }).click()
  await bulk.getByRole('textbox', { name: 'Excluded IP addresses: lines to add' }).fill('192.0.2.9')
  await bulk.getByRole('textbox', { name: 'Excluded IP addresses: lines to remove' }).fill('192.0.2.1')
  await bulk.getByRole('button', { name: `Change ${String(WEBSITES)} websites` }).click()
  await expect(bulk).toHaveCount(0)
  await expectNothingPending(page)
  expect(lists()).toEqual(Array.from({ length: WEBSITES }, () => ['192.0.2.2', '192.0.2.9']))

  // Another client adds a line to one website, and has set another back already.
  const [longer, setBack] = store.all()
  store.update(longer?.id ?? 0, { exclude_ips: '192.0.2.2\n192.0.2.9\n198.51.100.7' })
  store.update(setBack?.id ?? 0, { exclude_ips: '192.0.2.1\n192.0.2.2', privacy: 2, password: 'theirs:x' })
  await goTo(page, 'Websites')
  await keys(page, 'F5')
  await expect(websiteRow(page, setBack?.domain ?? '-')).toContainText('Password')
  await command(page, 'Undo the last change')
  await expect(
    messages.getByText(`The change will be undone on the service for ${String(WEBSITES - 1)} websites.`),
  ).toBeVisible()
  await expect(messages.getByText('1 website already had its previous values.')).toBeVisible()
  await expectNothingPending(page)
  const [first, ...others] = lists()
  expect(first).toEqual(['192.0.2.1', '192.0.2.2', '198.51.100.7'])
  expect(others).toEqual(Array.from({ length: WEBSITES - 1 }, () => ['192.0.2.1', '192.0.2.2']))
})

test('undoes a bulk delete that is partly sent, and asks once before it creates the deleted websites again', async ({
  page,
  faulty,
}) => {
  const { store } = faulty
  const messages = page.getByRole('region', { name: 'Messages' })
  await connect(page, faulty)
  await expect(websiteTable(page)).toHaveAttribute('aria-rowcount', String(WEBSITES + 1))

  // The first request is in flight, and the others are not sent yet.
  const held = hold(faulty, 'DELETE')
  faulty.fault = held
  await command(page, 'Select all websites in the list')
  await command(page, 'Delete the selected websites…')
  const confirmation = page.getByRole('alertdialog', { name: `Delete ${String(WEBSITES)} websites?` })
  await press(page, confirmation.getByRole('button', { name: 'Delete' }))
  const heldNow = async (): Promise<number> => {
    await sendNow(page)
    return held.held
  }
  await expect.poll(heldNow, { timeout: 30_000 }).toBe(1)
  await command(page, 'Undo the last change')
  const question = page.getByRole('alertdialog', { name: 'Add 1 website again?' })
  await expect(question).toContainText('without its statistics')
  await expectClean(page, 'the question before a bulk change is undone')
  await press(page, question.getByRole('button', { name: 'Add again' }))
  await expect(messages.getByText(`The change was undone for ${String(WEBSITES - 1)} websites.`)).toBeVisible()
  await expect(messages.getByText('The change will be undone on the service for 1 website.')).toBeVisible()
  held.release()
  await expectNothingPending(page)
  expect(store.all()).toHaveLength(WEBSITES)
  const methods = store.requests().map(({ method }) => method)
  expect(methods.filter((method) => method === 'DELETE' || method === 'POST')).toEqual(['DELETE', 'POST'])
})

/** All websites must be selected. */
async function makeAllPublic(page: Page): Promise<void> {
  await keys(page, 'Control+e')
  const bulk = page.getByRole('dialog', { name: `Edit ${String(WEBSITES)} websites` })
  await bulk.getByRole('radiogroup', { name: 'Privacy' }).getByRole('radio', { name: 'Public' }).click()
  await bulk.getByRole('button', { name: `Change ${String(WEBSITES)} websites` }).click()
  await expect(bulk).toHaveCount(0)
}

async function expectNothingPending(page: Page): Promise<void> {
  await goTo(page, 'Pending')
  await expect(page.getByText('No pending changes')).toBeVisible({ timeout: 30_000 })
}

async function changeAll(page: Page): Promise<void> {
  await command(page, 'Select all websites in the list')
  await keys(page, 'Control+e')
  const bulk = page.getByRole('dialog', { name: `Edit ${String(WEBSITES)} websites` })
  await focusByTab(
    page,
    bulk.getByRole('radiogroup', { name: 'Email reports' }).getByRole('radio', { name: 'Don’t change' }),
  )
  await keys(page, 'ArrowRight')
  await press(page, bulk.getByRole('button', { name: `Change ${String(WEBSITES)} websites` }))
  await expect(bulk).toHaveCount(0)
}

const panelOf = (page: Page) => page.getByRole('dialog', { name: 'Last bulk change' })

/** Expects one website that needs attention, listed first with its reason, and that all other changes are sent. */
async function expectResults(page: Page, refused: string): Promise<void> {
  const rows = panelOf(page).getByRole('listitem')
  await expect(rows).toHaveCount(WEBSITES)
  await expect(rows.first()).toContainText(refused)
  await expect(rows.first()).toContainText('Needs attention')
  await expect(rows.first()).toContainText('The plan has none.')
  await expect(rows.filter({ hasText: 'Sent' })).toHaveCount(WEBSITES - 1)
}
