import { expect, sharedTest as base } from './support/app.ts'
import { letSecondsPass, sendNow } from './support/clock.ts'
import { hold, startFaultyService, type FaultyService } from './support/faulty.ts'
import { command } from './support/keyboard.ts'
import { addWebsite, connect, goTo, openWebsite } from './support/screens.ts'

const test = base.extend<{ faulty: FaultyService }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from this pattern
  faulty: async ({}, use) => {
    const service = await startFaultyService(6)
    await use(service)
    service.close()
  },
})

test('queues a save behind a create that is being sent, while the user types on', async ({ page, faulty }) => {
  await connect(page, faulty)
  const posts = hold(faulty, 'POST')
  faulty.fault = posts
  const form = await addWebsite(page)
  await form.domain.fill('harbour-light.example')
  await form.save.click()
  await expect.poll(() => posts.held).toBe(1)
  await form.emailReports.click()
  await form.save.click()
  // The user continues to type while the create is confirmed.
  await form.excludedIps.focus()
  await page.keyboard.type('192.0.2')
  posts.release()
  await expect.poll(() => faulty.store.byDomain('harbour-light.example')).toMatchObject({ email: 1 })
  await expect(form.form.getByRole('tab', { name: 'History' })).toBeVisible()
  await page.keyboard.type('.7')
  await expect(form.excludedIps).toBeFocused()
  await page.keyboard.press('Control+s')
  await expect.poll(() => faulty.store.byDomain('harbour-light.example')).toMatchObject({ exclude_ips: '192.0.2.7' })
  await goTo(page, 'Pending')
  await expect(page.getByText('No pending changes')).toBeVisible()
})

test('queues a save behind a create that is confirmed at the same moment, and the form keeps the text', async ({
  page,
  faulty,
}) => {
  await connect(page, faulty)
  for (const domain of ['moment-one.example', 'moment-two.example', 'moment-three.example']) {
    const posts = hold(faulty, 'POST')
    faulty.fault = posts
    const form = await addWebsite(page)
    await form.domain.fill(domain)
    await form.save.click()
    await expect.poll(() => posts.held).toBe(1)
    await form.excludedIps.fill('192.0.2.7')
    const saved = form.save.click()
    posts.release()
    await saved
    await expect(form.excludedIps).toHaveValue('192.0.2.7')
    await expect.poll(() => faulty.store.byDomain(domain)).toMatchObject({ exclude_ips: '192.0.2.7' })
    await expect(form.form.getByRole('alert')).toHaveCount(0)
    await page.keyboard.press('Escape')
  }
  await goTo(page, 'Pending')
  await expect(page.getByText('No pending changes')).toBeVisible()
})

function newestWebsite({ store }: FaultyService) {
  const website = store.all().at(-1)
  if (website === undefined) throw new Error('The service has no websites.')
  return { website, before: website.exclude_ips === null ? [] : website.exclude_ips.split('\n') }
}

test('merges what another client wrote after the list was read, and reports what that client writes between our read and write', async ({
  siteward: { app, page },
  faulty,
}) => {
  const { website, before } = newestWebsite(faulty)
  await connect(page, faulty)
  const form = await openWebsite(page, website.domain)
  await form.excludedIps.fill([...before, '203.0.113.7'].join('\n'))
  await letSecondsPass(app, 3)
  faulty.store.update(website.id, { exclude_ips: [...before, '203.0.113.8'].join('\n') })
  faulty.fault = ({ method }) => {
    if (method === 'PUT') faulty.store.update(website.id, { email: website.email === 1 ? 0 : 1 })
    return false
  }
  await form.save.click()
  const lines = () => faulty.store.get(website.id)?.exclude_ips?.split('\n')
  await expect.poll(lines).toEqual([...before, '203.0.113.8', '203.0.113.7'])
  // One change was read before the PUT, the other is in its answer.
  await expect(page.getByRole('button', { name: 'Activity' })).toHaveAccessibleDescription('2')
})

test('undo takes back the later of two saves before it is sent, and then the earlier one after it was sent', async ({
  siteward: { app, page },
  faulty,
}) => {
  const { website, before } = newestWebsite(faulty)
  await connect(page, faulty)
  const puts = hold(faulty, 'PUT')
  faulty.fault = puts
  const form = await openWebsite(page, website.domain)
  await form.excludedIps.fill([...before, '203.0.113.7'].join('\n'))
  await form.save.click()
  await expect.poll(() => puts.held).toBe(1)
  await form.emailReports.click()
  await form.save.click()
  await form.form.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(`The change to ${website.domain} was undone.`).first()).toBeVisible()
  puts.release()
  const now = () => faulty.store.get(website.id)
  await expect.poll(now).toMatchObject({ email: website.email, exclude_ips: [...before, '203.0.113.7'].join('\n') })
  faulty.store.update(website.id, { exclude_ips: [...before, '203.0.113.7', '203.0.113.8'].join('\n') })
  await page.keyboard.press('Escape')
  await letSecondsPass(app, 3)
  await goTo(page, 'Activity')
  await page.getByRole('listitem', { name: website.domain }).getByRole('button', { name: 'Undo' }).first().click()
  await expect(page.getByText(`The change to ${website.domain} will be undone on the service.`).first()).toBeVisible()
  await expect.poll(now).toMatchObject({ email: website.email, exclude_ips: [...before, '203.0.113.8'].join('\n') })
})

test('undo takes back one save at a time of two that were sent together', async ({
  siteward: { app, page },
  tray,
  faulty,
}) => {
  const { website, before } = newestWebsite(faulty)
  await connect(page, faulty)
  await tray.choose('Pause sending')
  const form = await openWebsite(page, website.domain)
  await form.excludedIps.fill([...before, '203.0.113.7'].join('\n'))
  await form.save.click()
  await expect(form.save).toBeDisabled()
  await form.emailReports.click()
  await form.save.click()
  await expect(form.save).toBeDisabled()
  await tray.choose('Resume sending')
  const now = () => faulty.store.get(website.id)
  const email = website.email === 1 ? 0 : 1
  await expect.poll(now).toMatchObject({ email, exclude_ips: [...before, '203.0.113.7'].join('\n') })
  expect(faulty.store.requests().filter(({ method }) => method === 'PUT')).toHaveLength(1)
  await page.keyboard.press('Escape')
  await letSecondsPass(app, 3)
  await command(page, 'Undo the last change')
  await expect.poll(now).toMatchObject({ email: website.email, exclude_ips: [...before, '203.0.113.7'].join('\n') })
  await letSecondsPass(app, 3)
  await command(page, 'Undo the last change')
  await expect.poll(now).toMatchObject({ email: website.email, exclude_ips: website.exclude_ips })
})

test('undo takes back one save of a new website at a time, before and after it is created', async ({
  page,
  tray,
  faulty,
}) => {
  await connect(page, faulty)
  await tray.choose('Pause sending')
  const form = await addWebsite(page)
  await form.domain.fill('step-by-step.example')
  await form.save.click()
  await expect(form.form.getByRole('heading', { name: 'step-by-step.example' })).toBeVisible()
  for (const lines of ['192.0.2.1', '192.0.2.1\n192.0.2.2', '192.0.2.9']) {
    await form.excludedIps.fill(lines)
    await form.save.click()
    await expect(form.save).toBeDisabled()
  }
  await form.form.getByRole('button', { name: 'Undo' }).click()
  await expect(form.excludedIps).toHaveValue('192.0.2.1\n192.0.2.2')
  await tray.choose('Resume sending')
  const lines = () => faulty.store.byDomain('step-by-step.example')?.exclude_ips
  await expect.poll(lines).toBe('192.0.2.1\n192.0.2.2')
  await page.keyboard.press('Escape')
  for (const expected of ['192.0.2.1', null]) {
    await page.keyboard.press('Control+z')
    await expect.poll(lines).toBe(expected)
  }
  // Only the create can still be undone, which deletes the website.
  await page.keyboard.press('Control+z')
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('statistics')
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(faulty.store.byDomain('step-by-step.example')).toBeTruthy()
  await page.keyboard.press('Control+z')
  await question.getByRole('button', { name: 'Delete' }).click()
  await sendNow(page)
  await expect.poll(() => faulty.store.byDomain('step-by-step.example')).toBeUndefined()
})

test('sends the first password of a website although another client has changed another field', async ({
  siteward: { app, page },
  faulty,
}) => {
  const { website } = newestWebsite(faulty)
  faulty.store.update(website.id, { privacy: 1, email: 0 })
  await connect(page, faulty)
  const form = await openWebsite(page, website.domain)
  await form.privacy('Password').click()
  await form.password.fill('first-password')
  await letSecondsPass(app, 3)
  faulty.store.update(website.id, { email: 1 })
  await form.save.click()
  await expect.poll(() => faulty.store.get(website.id)).toMatchObject({ privacy: 2, email: 1 })
})

test('asks before an undo replaces a value that another client has set since', async ({
  siteward: { app, page },
  faulty,
}) => {
  const { website } = newestWebsite(faulty)
  faulty.store.update(website.id, { privacy: 1 })
  await connect(page, faulty)
  const form = await openWebsite(page, website.domain)
  await form.privacy('Public').click()
  await form.save.click()
  await expect.poll(() => faulty.store.get(website.id)?.privacy).toBe(0)
  await letSecondsPass(app, 3)
  faulty.store.update(website.id, { privacy: 2, password: 'theirs' })
  await form.form.getByRole('button', { name: 'Undo' }).click()
  await goTo(page, 'Pending')
  const question = page.getByRole('listitem', { name: website.domain })
  await expect(question.getByText('Needs attention')).toBeVisible()
  expect(faulty.store.get(website.id)).toMatchObject({ privacy: 2 })
  await question
    .getByRole('radiogroup', { name: 'Privacy' })
    .getByRole('radio', { name: 'Keep theirs', exact: true })
    .click()
  await question.getByRole('button', { name: 'Resolve', exact: true }).click()
  await expect(page.getByText('No pending changes')).toBeVisible()
  expect(faulty.store.get(website.id)).toMatchObject({ privacy: 2 })
})
