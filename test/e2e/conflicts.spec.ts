import { expect, test as base } from './support/app.ts'
import { hold, startFaultyService, type FaultyService } from './support/faulty.ts'
import { addWebsite, connect, goTo } from './support/screens.ts'

const test = base.extend<{ faulty: FaultyService }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from this pattern
  faulty: async ({}, use) => {
    const service = await startFaultyService(6)
    await use(service)
    service.close()
  },
})

test('a save while the create is being confirmed is queued behind it', async ({ page, faulty }) => {
  await connect(page, faulty)
  const posts = hold(faulty, 'POST')
  faulty.fault = posts
  const form = await addWebsite(page)
  await form.domain.fill('harbour-light.example')
  await form.save.click()
  await expect.poll(() => posts.held).toBe(1)
  await form.emailReports.click()
  await form.save.click()
  posts.release()
  await expect.poll(() => faulty.store.byDomain('harbour-light.example')).toMatchObject({ email: 1 })
  await goTo(page, 'Pending')
  await expect(page.getByText('Nothing is waiting')).toBeVisible()
})
