import type { Page } from '@playwright/test'
import { expect, sharedTest as test } from './support/app.ts'
import { loseAnswers, startFaultyService, type FaultyService } from './support/faulty.ts'
import { connect, goTo, saveWebsite } from './support/screens.ts'

/** The service writes its times five and a half hours ahead of UTC, without a zone. */
const ZONE = 5.5 * 3_600_000

let service: FaultyService
test.beforeEach(async () => void (service = await startFaultyService(6, { zone: ZONE })))
test.afterEach(() => service.close())

const posts = () => service.store.requests().filter(({ method }) => method === 'POST').length

async function loseAnswer(page: Page, domain: string): Promise<void> {
  service.fault = loseAnswers('POST')
  await saveWebsite(page, domain)
  await expect.poll(() => service.store.byDomain(domain)).toBeDefined()
  service.fault = null
}

test('recognizes a create whose answer is lost, once an earlier answer has shown the service’s time zone', async ({
  page,
}) => {
  await connect(page, service)
  await saveWebsite(page, 'first.example')
  await expect.poll(() => service.store.byDomain('first.example')).toBeDefined()
  await goTo(page, 'Pending')
  await expect(page.getByText('No pending changes')).toBeVisible()
  await goTo(page, 'Websites')

  await loseAnswer(page, 'own.example')
  await goTo(page, 'Pending')
  await expect(page.getByText('No pending changes')).toBeVisible({ timeout: 30_000 })
  expect(posts()).toBe(2)
})

test('asks the user about a create whose answer is lost, if nothing has shown the service’s time zone', async ({
  page,
}) => {
  await connect(page, service)
  await loseAnswer(page, 'own.example')
  await goTo(page, 'Pending')
  await expect(page.getByText('Needs attention').first()).toBeVisible({ timeout: 30_000 })
  await page.getByRole('button', { name: 'Use the existing website' }).click()
  await expect(page.getByText('No pending changes')).toBeVisible({ timeout: 30_000 })
  expect(posts()).toBe(1)
})
