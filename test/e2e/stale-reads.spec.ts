import { expect, sharedTest as test } from './support/app.ts'
import { connect, editor, goTo, openWebsite } from './support/screens.ts'
import { startStaleService, type StaleService } from './support/stale.ts'

/**
 * The service applies an update, its answer is lost, and reads lag behind. Whatever the user then undoes must be undone
 * on the service too. One lag is shorter than the two seconds that the app waits for a reliable read, the other longer.
 */
const CASES = [
  { way: 'Undo', name: 'a switch', lag: 1_000 },
  { way: 'a change back', name: 'a line of a list', lag: 1_000 },
  { way: 'a change back', name: 'a switch', lag: 4_000 },
  { way: 'Undo', name: 'a line of a list', lag: 4_000 },
] as const
const LINE = '203.0.113.77'

let service: StaleService
test.beforeEach(async () => void (service = await startStaleService(12)))
test.afterEach(() => service.close())

const fields = {
  'a switch': {
    change: (form: ReturnType<typeof editor>) => form.excludeBots.click(),
    setBack: (form: ReturnType<typeof editor>) => form.excludeBots.click(),
  },
  'a line of a list': {
    change: async (form: ReturnType<typeof editor>) =>
      form.excludedIps.fill(`${await form.excludedIps.inputValue()}\n${LINE}`),
    setBack: async (form: ReturnType<typeof editor>) =>
      form.excludedIps.fill((await form.excludedIps.inputValue()).replace(LINE, '').trim()),
  },
}

for (const { way, name, lag } of CASES)
  test(`${way} of ${name} reaches the service although the answer to the change is lost and reads lag ${lag} ms`, async ({
    page,
  }) => {
    await connect(page, service)
    const website = service.store.all().at(-1)
    if (website === undefined) throw new Error('The service has no websites.')
    const settings = () => {
      const { exclude_bots, exclude_ips } = service.store.get(website.id) ?? website
      return { exclude_bots, exclude_ips: exclude_ips ?? '' }
    }
    const before = settings()
    const { change, setBack } = fields[name]
    const form = await openWebsite(page, website.domain)
    service.loseNextAnswer(lag)
    await change(form)
    await form.save.click()
    await expect.poll(settings).not.toEqual(before)

    if (way === 'Undo') await page.getByRole('button', { name: 'Undo' }).first().click()
    else {
      await setBack(form)
      await form.save.click()
    }
    await goTo(page, 'Pending')
    await expect(page.getByText('No pending changes')).toBeVisible({ timeout: 30_000 })
    expect(settings()).toEqual(before)
  })
