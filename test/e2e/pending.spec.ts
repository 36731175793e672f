import type { Page } from '@playwright/test'
import { startSampleService, type SampleService } from '../../src/main/sample/service.ts'
import { createSampleStore, type SampleStore } from '../../src/main/sample/store.ts'
import { expect, sharedTest as base } from './support/app.ts'
import { expectClean } from './support/axe.ts'
import { letSecondsPass, sendNow as sendAll } from './support/clock.ts'
import { press, focusByTab } from './support/keyboard.ts'
import { confirmation, connect, goTo, openWebsite, websiteRow } from './support/screens.ts'

/** A service that can be stopped and started again with its data, which another client may have changed. */
interface Elsewhere {
  readonly service: SampleService
  away(): Promise<void>
  /**
   * Changes a website as another client, while the service is stopped. For the app three seconds pass, so a record that the app
   * has read before is too old for a write.
   */
  write(change: (store: SampleStore) => void): Promise<void>
  /** Starts the service again, and sends what is pending. */
  back(): Promise<SampleService>
}

const test = base.extend<{ elsewhere: Elsewhere }>({
  elsewhere: async ({ userData, siteward: { app, page } }, use, { testId }) => {
    const kept = { websites: 6, file: `${userData}-${testId}.jsonl` }
    let service = await startSampleService({ ...kept, rate: 0 })
    const [port, key] = [Number(new URL(service.address).port), service.apiKey]
    await use({
      service,
      away: () => service.close(),
      async write(change) {
        await letSecondsPass(app, 3)
        change(createSampleStore(kept))
      },
      async back() {
        service = await startSampleService({ ...kept, port, key, rate: 0 })
        await sendAll(page)
        return service
      },
    })
    await service.close()
  },
})

const item = (page: Page, domain: string) => page.getByRole('listitem', { name: domain })
const button = (page: Page, domain: string, name: string) =>
  item(page, domain).getByRole('button', { name, exact: true })
const choice = (page: Page, field: string, name: string) =>
  page.getByRole('radiogroup', { name: field }).getByRole('radio', { name, exact: true })

const setBefore = ({ service }: Elsewhere, settings: Parameters<SampleStore['update']>[1]) =>
  service.store.update(service.store.all().at(-1)?.id ?? 0, settings)

/** Changes the same website in the app, offline, and on the service, reconnects, and waits until the edit needs attention. */
async function collide(
  { page, elsewhere }: { page: Page; elsewhere: Elsewhere },
  ours: (form: Awaited<ReturnType<typeof openWebsite>>) => Promise<void>,
  theirs: (store: SampleStore, id: number) => void,
) {
  const { id, domain } = elsewhere.service.store.all().at(-1) ?? { id: 0, domain: '-' }
  await connect(page, elsewhere.service)
  await expect(websiteRow(page, domain)).toBeVisible()
  await elsewhere.away()
  await ours(await openWebsite(page, domain))
  await expect(page.getByRole('status').filter({ hasText: /1 change pending/ })).toBeVisible()
  // Otherwise a write of the app that has already begun could arrive after that of the other client.
  await expect(page.getByRole('status').filter({ hasText: 'Offline' })).toBeVisible()
  await elsewhere.write((store) => theirs(store, id))
  const service = await elsewhere.back()
  await goTo(page, 'Pending')
  await expect(item(page, domain).getByText('Needs attention')).toBeVisible({ timeout: 30_000 })
  return { page, domain, service, record: () => service.store.get(id) }
}

const sendNow = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Send now', exact: true }).click()

/** Deletes a website in the app while it is offline. Another client changes the addresses of the website. */
const deleteWhatIsChanged = (fixtures: { page: Page; elsewhere: Elsewhere }) =>
  collide(
    fixtures,
    async (form) => {
      await form.choose('Delete…')
      await confirmation(fixtures.page).getByRole('button', { name: 'Delete' }).click()
      await goTo(fixtures.page, 'Pending')
      await sendNow(fixtures.page)
    },
    (store, id) => store.update(id, { exclude_ips: '192.0.2.77' }),
  )

test('resolves a conflict field by field: theirs for one field, lines of both for another', async ({
  page,
  elsewhere,
}) => {
  setBefore(elsewhere, {
    privacy: 1,
    email: 0,
    exclude_ips: '192.0.2.1\n192.0.2.2',
  })
  const { domain, record } = await collide(
    { page, elsewhere },
    async (form) => {
      await form.privacy('Public').click()
      await form.excludedIps.fill('')
      await form.emailReports.click()
      await form.save.click()
    },
    (store, id) =>
      store.update(id, { privacy: 2, password: 'theirs:x', exclude_ips: '192.0.2.1\n192.0.2.2\n192.0.2.3' }),
  )
  await expect(page.getByRole('radiogroup', { name: 'Privacy' })).toContainText('Password')
  await choice(page, 'Privacy', 'Keep theirs').click()
  await choice(page, 'Excluded IP addresses', 'Keep lines from both').click()
  await button(page, domain, 'Resolve').click()
  await expect.poll(() => record()?.exclude_ips, { timeout: 30_000 }).toBe('192.0.2.3')
  // Fields without a conflict are sent, and remote changes in others are kept.
  await expect.poll(() => record()).toMatchObject({ privacy: 2, email: 1 })
})

test('shows in the activity which remote values were knowingly overwritten, and offers to restore them', async ({
  page,
  elsewhere,
}) => {
  setBefore(elsewhere, { privacy: 1 })
  const { domain, record } = await collide(
    { page, elsewhere },
    async (form) => {
      await form.privacy('Public').click()
      await form.save.click()
    },
    (store, id) => store.update(id, { privacy: 2, password: 'theirs:x' }),
  )
  await choice(page, 'Privacy', 'Keep mine').click()
  await button(page, domain, 'Resolve').click()
  await expect.poll(() => record()?.privacy, { timeout: 30_000 }).toBe(0)
  await goTo(page, 'Activity')
  await expect(item(page, domain).first()).toContainText(
    'These values on the service were overwritten: privacy (Password).',
  )
  await expect(button(page, domain, 'Restore')).toBeVisible()
})

test('resolves a conflict by keyboard, offline, to be sent later', async ({ page, elsewhere }) => {
  setBefore(elsewhere, { privacy: 1 })
  const { domain } = await collide(
    { page, elsewhere },
    async (form) => {
      await form.privacy('Public').click()
      await form.save.click()
    },
    (store, id) => store.update(id, { privacy: 2, password: 'theirs:x' }),
  )
  await elsewhere.away()
  await page.keyboard.press('Control+1')
  await page.keyboard.press('Control+2')
  await focusByTab(page, page.getByRole('radiogroup', { name: 'Privacy' }).getByRole('radio').first())
  await page.keyboard.press('Space')
  while (!(await choice(page, 'Privacy', 'Keep mine').isChecked())) await page.keyboard.press('ArrowDown')
  await press(page, button(page, domain, 'Resolve'))
  await expect(item(page, domain).getByText('Needs attention')).toHaveCount(0)
  const service = await elsewhere.back()
  await expect.poll(() => service.store.byDomain(domain)?.privacy, { timeout: 30_000 }).toBe(0)
})

test('creates a website again that was deleted remotely', async ({ page, elsewhere }) => {
  const { domain, service } = await collide(
    { page, elsewhere },
    async (form) => {
      await form.privacy('Private').click()
      await form.excludedIps.fill('192.0.2.9')
      await form.save.click()
    },
    (store, id) => void store.delete(id),
  )
  await expect(item(page, domain)).toContainText('This website and its statistics were deleted on the service')
  await button(page, domain, 'Add again').click()
  await expect
    .poll(() => service.store.byDomain(domain), { timeout: 30_000 })
    .toMatchObject({ exclude_ips: '192.0.2.9' })
})

test('deletes a website that was changed remotely only after the user has confirmed the delete again', async ({
  page,
  elsewhere,
}) => {
  const { domain, record } = await deleteWhatIsChanged({ page, elsewhere })
  await expectClean(page, 'a delete of what was changed')
  await press(page, button(page, domain, 'Delete anyway…'))
  await expect(confirmation(page)).toContainText('all its statistics')
  // Pressing Enter right away keeps the website.
  await expect(confirmation(page).getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(confirmation(page)).toHaveCount(0)
  await press(page, button(page, domain, 'Delete anyway…'))
  expect(record()).toBeTruthy()
  await press(page, confirmation(page).getByRole('button', { name: 'Delete anyway' }))
  await sendNow(page)
  await expect.poll(record, { timeout: 30_000 }).toBeUndefined()
})

test('asks a second time only about what was changed after the answer, and says so', async ({ page, elsewhere }) => {
  const { domain, record } = await deleteWhatIsChanged({ page, elsewhere })
  const { id } = record() ?? { id: 0 }
  await elsewhere.away()
  await press(page, button(page, domain, 'Delete anyway…'))
  await press(page, confirmation(page).getByRole('button', { name: 'Delete anyway' }))
  await expect(item(page, domain).getByText('Needs attention')).toHaveCount(0)
  await expect(page.getByRole('status').filter({ hasText: 'Offline' })).toBeVisible()
  await elsewhere.write((store) => store.update(id, { exclude_ips: '192.0.2.78' }))
  const { store } = await elsewhere.back()
  await expect(item(page, domain)).toContainText('again after you made your choice', { timeout: 30_000 })
  await expect(item(page, domain)).toContainText('192.0.2.78')
  expect(store.get(id)).toBeTruthy()
  await press(page, button(page, domain, 'Delete anyway…'))
  await press(page, confirmation(page).getByRole('button', { name: 'Delete anyway' }))
  await sendNow(page)
  await expect.poll(() => store.get(id), { timeout: 30_000 }).toBeUndefined()
})

test('undoes a sent change in the editor, and then this undo in the activity', async ({ page, service }) => {
  const { id, domain } = service.store.all().at(-1) ?? { id: 0, domain: '-' }
  service.store.update(id, { exclude_ips: '' })
  await connect(page, service)
  const form = await openWebsite(page, domain)
  await form.excludedIps.fill('192.0.2.5')
  await form.save.click()
  await expect.poll(() => service.store.get(id)?.exclude_ips).toBe('192.0.2.5')
  await form.form.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => service.store.get(id)?.exclude_ips ?? '').toBe('')
  await goTo(page, 'Activity')
  await button(page, domain, 'Undo').first().click()
  await expect.poll(() => service.store.get(id)?.exclude_ips).toBe('192.0.2.5')
})
