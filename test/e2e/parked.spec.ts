import type { ElectronApplication, Locator, Page } from '@playwright/test'
import { revealHidden } from '../../src/shared/display/visible.ts'
import { expect, sharedTest as base } from './support/app.ts'
import { expectClean } from './support/axe.ts'
import { skipDelay } from './support/clock.ts'
import { lose, startFaultyService, type Fault, type FaultyService } from './support/faulty.ts'
import { press } from './support/keyboard.ts'
import { addWebsite, confirmation, connect, goTo, openWebsite, websiteRow } from './support/screens.ts'

const test = base.extend<{ faulty: FaultyService }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from this pattern
  faulty: async ({}, use) => {
    const service = await startFaultyService(6)
    await use(service)
    service.close()
  },
})

interface Running {
  app: ElectronApplication
  page: Page
}

const item = (page: Page, domain: string): Locator => page.getByRole('listitem', { name: domain })
const button = (page: Page, domain: string, name: string): Locator =>
  item(page, domain).getByRole('button', { name, exact: true })

/** Moves the app's monotonic clock forward by eleven minutes, and wakes the app. */
const letElevenMinutesPass = (app: ElectronApplication): Promise<void> =>
  app.evaluate(async ({ powerMonitor }) => {
    await new Promise(setImmediate) // In its own turn of the event loop, like closeWindow.
    const now = performance.now.bind(performance)
    performance.now = () => now() + 11 * 60_000
    powerMonitor.emit('resume')
  })

/** Lets an edit be lost several times, so that its next try is seconds away. */
async function waitUntilBetweenTries(siteward: Running, domain: string, fault: { taken: number }): Promise<void> {
  const { page } = siteward
  const taken = async (): Promise<number> => {
    if (fault.taken < 3) await skipDelay(siteward, 3)
    return fault.taken
  }
  await expect.poll(taken, { timeout: 20_000 }).toBeGreaterThanOrEqual(3)
  await expect(item(page, domain).getByText('Will try again')).toBeVisible()
}

async function skipDelaysUntil(siteward: Running, shown: Locator): Promise<void> {
  const isShown = async (): Promise<boolean> => {
    await skipDelay(siteward, 3)
    return shown.isVisible()
  }
  await expect.poll(isShown, { intervals: [300], timeout: 30_000 }).toBe(true)
}

const needsAttention = (page: Page, domain: string): Locator => item(page, domain).getByText('Needs attention')
const expectNeedsAttention = (siteward: Running, domain: string): Promise<void> =>
  skipDelaysUntil(siteward, needsAttention(siteward.page, domain))

const lastDomain = (service: FaultyService): string => service.store.all().at(-1)?.domain ?? '-'

async function add(page: Page, service: FaultyService, fault: Fault, domain: string): Promise<void> {
  service.fault = fault
  await connect(page, service)
  await expect(websiteRow(page, lastDomain(service))).toBeVisible()
  const form = await addWebsite(page)
  await form.domain.fill(domain)
  await form.emailReports.click()
  await form.save.click()
  await goTo(page, 'Pending')
}

test('keeps the website of an undone create that was applied late, with the user’s settings, by keyboard', async ({
  siteward,
  faulty,
}) => {
  const { app, page } = siteward
  const lost = lose('POST')
  await add(page, faulty, lost, 'late.example')
  await waitUntilBetweenTries(siteward, 'late.example', lost)
  await press(page, button(page, 'late.example', 'Undo'))
  await expect(confirmation(page)).toContainText(/statistics/)
  await press(page, confirmation(page).getByRole('button', { name: 'Delete' }))
  // After the ten seconds to undo the delete, the app looks for the website and finds none.
  await skipDelaysUntil(siteward, page.getByText('No pending changes').first())
  faulty.fault = null
  const { id } = faulty.store.create({ domain: 'late.example', email: 0 })
  await letElevenMinutesPass(app)
  await expect(needsAttention(page, 'late.example')).toBeVisible({ timeout: 30_000 })
  await expectClean(page, 'a create that was applied late')
  await expect(item(page, 'late.example')).toContainText('it was added to the service anyway')
  await expect(item(page, 'late.example').getByRole('group', { name: 'Email reports' })).toContainText('Off')
  await press(page, button(page, 'late.example', 'Keep and apply my settings'))
  await expect.poll(() => faulty.store.get(id)?.email, { timeout: 20_000 }).toBe(1)
  await expect(page.getByText('No pending changes').first()).toBeVisible()
})

test('reports an undone delete that was applied late, and “Add again” creates the website again', async ({
  siteward,
  faulty,
}) => {
  const { app, page } = siteward
  const domain = lastDomain(faulty)
  const before = faulty.store.byDomain(domain)
  faulty.store.update(before?.id ?? 0, { privacy: 1, exclude_ips: '192.0.2.8' })
  await connect(page, faulty)
  const form = await openWebsite(page, domain)
  const lost = lose('DELETE')
  faulty.fault = lost
  await form.choose('Delete…')
  await confirmation(page).getByRole('button', { name: 'Delete' }).click()
  await goTo(page, 'Pending')
  await press(page, page.getByRole('button', { name: 'Send now', exact: true }))
  await waitUntilBetweenTries(siteward, domain, lost)
  await press(page, button(page, domain, 'Undo'))
  await expect(page.getByText('No pending changes').first()).toBeVisible()
  faulty.fault = null
  faulty.store.delete(before?.id ?? 0)
  await letElevenMinutesPass(app)
  await expect(needsAttention(page, domain)).toBeVisible({ timeout: 30_000 })
  await expect(item(page, domain)).toContainText('the website no longer exists')
  await press(page, button(page, domain, 'Add again'))
  await expect
    .poll(() => faulty.store.byDomain(domain), { timeout: 20_000 })
    .toMatchObject({ exclude_ips: '192.0.2.8' })
  expect(faulty.store.byDomain(domain)?.id).not.toBe(before?.id)
})

test('adopts a website that may be ours, by keyboard', async ({ siteward, faulty }) => {
  const { page } = siteward
  let id = 0
  // The answer to the create is lost, and the service tells no time, so the app can't know whose website it finds.
  const timeless: Fault = (request, response) => {
    response.sendDate = false
    if (request.method !== 'POST') return false
    id = faulty.store.create({ domain: 'unclear.example', email: 1 }).id
    response.destroy()
    return true
  }
  await add(page, faulty, timeless, 'unclear.example')
  await expectNeedsAttention(siteward, 'unclear.example')
  await expect(item(page, 'unclear.example')).toContainText('already exists. It may be the one you added')
  faulty.fault = null
  await press(page, button(page, 'unclear.example', 'Use the existing website'))
  await expect(page.getByText('No pending changes').first()).toBeVisible()
  expect(faulty.store.get(id)).toMatchObject({ email: 1 })
  expect(faulty.store.all().filter(({ domain }) => domain === 'unclear.example')).toHaveLength(1)
})

test('parks a change that the service fails on five times, and sends it again on request', async ({
  siteward,
  faulty,
}) => {
  const { page } = siteward
  const domain = lastDomain(faulty)
  const { id } = faulty.store.byDomain(domain) ?? { id: 0 }
  await connect(page, faulty)
  const form = await openWebsite(page, domain)
  let tries = 0
  faulty.fault = (request, response) => {
    if (request.method !== 'PUT') return false
    tries += 1
    response.writeHead(500, { 'Content-Type': 'application/json' }).end('{"message":"Server Error","status":500}')
    return true
  }
  await form.excludedIps.fill('192.0.2.44')
  await form.save.click()
  await goTo(page, 'Pending')
  await expect.poll(() => tries, { timeout: 20_000 }).toBe(1)
  await expect(item(page, domain).getByText('Will try again')).toBeVisible()
  await press(page, page.getByRole('button', { name: 'Send now', exact: true }))
  await expect.poll(() => tries, { timeout: 20_000 }).toBe(2)
  await expectNeedsAttention(siteward, domain)
  await expectClean(page, 'a change that failed five times')
  await expect(item(page, domain)).toContainText('This change was sent five times')
  await item(page, domain).getByText('Details').click()
  await expect(item(page, domain)).toContainText('Server Error')
  expect(tries).toBe(5)
  faulty.fault = null
  await press(page, button(page, domain, 'Send again'))
  await expect.poll(() => faulty.store.get(id)?.exclude_ips, { timeout: 20_000 }).toBe('192.0.2.44')
})

test('shows one row for a website whose create lost its answer and which another client changed, and adopts it as previewed', async ({
  siteward,
  faulty,
}) => {
  const { page } = siteward
  const domain = 'one-row.example'
  const { store } = faulty
  const website = () => store.byDomain(domain)
  await add(
    page,
    faulty,
    ({ method }, response) => {
      if (method !== 'POST') return false
      store.create({ domain, email: 0, exclude_ips: '192.0.2.1\n192.0.2.2\n192.0.2.3' })
      response.destroy()
      return true
    },
    domain,
  )
  await expectNeedsAttention(siteward, domain)
  faulty.fault = null
  await page.keyboard.press('Control+r')
  await goTo(page, 'Websites')
  await expect(websiteRow(page, domain)).toHaveCount(1)
  const form = await openWebsite(page, domain)
  await form.excludedIps.fill('192.0.2.9')
  await form.save.click()
  await expect(form.form.getByText(/already in this account/)).toHaveCount(0)
  await goTo(page, 'Pending')
  await expect(item(page, domain)).toContainText('Use the existing website, or discard yours.')
  await expect(item(page, domain).getByRole('group', { name: 'Excluded IP addresses' })).toContainText('192.0.2.9')
  store.update(website()?.id ?? 0, { exclude_ips: '192.0.2.1\n192.0.2.2\n192.0.2.3\n192.0.2.4' })
  await goTo(page, 'Websites')
  await goTo(page, 'Pending')
  await item(page, domain).getByText('Details').click()
  const preview = item(page, domain).getByText(/exclude_ips=/)
  await expect(preview).toContainText('192.0.2.4⏎192.0.2.9')
  const shown = await preview.textContent()
  // A field that the preview lacks is not sent either.
  const exclude_bots = website()?.exclude_bots === 1 ? 0 : 1
  store.update(website()?.id ?? 0, { exclude_bots })
  await press(page, button(page, domain, 'Use the existing website'))
  await expect
    .poll(website, { timeout: 20_000 })
    .toMatchObject({ email: 1, exclude_bots, exclude_ips: '192.0.2.1\n192.0.2.2\n192.0.2.3\n192.0.2.4\n192.0.2.9' })
  const { form: sent = {} } = store.requests().findLast(({ method }) => method === 'PUT') ?? {}
  const fields = Object.entries(sent).map(([name, value]) => `${name}=${revealHidden(value)}`)
  expect(fields.join(' & ')).toBe(shown)
  await goTo(page, 'Websites')
  await expect(websiteRow(page, domain)).toHaveCount(1)
  expect(store.all().filter((one) => one.domain === domain)).toHaveLength(1)
})
