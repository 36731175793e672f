import { startSampleService } from '../../src/main/sample/service.ts'
import { search } from './canary/search.ts'
import { expect, test } from './support/app.ts'
import { planted } from './support/planted.ts'
import { addWebsite, connect, goTo, openWebsite, websiteRow } from './support/screens.ts'

test('keeps offline changes over a restart, their password sealed, and sends them once the service is back', async ({
  launch,
  service,
  userData,
}) => {
  const first = await launch()
  await connect(first.page, service)
  const domain = service.store.all().at(-1)?.domain ?? '-'
  await expect(websiteRow(first.page, domain)).toBeVisible()
  const before = new Set(service.store.all().map((website) => website.domain))
  const port = Number(new URL(service.address).port)
  await service.close()

  await first.page.keyboard.press('F5')
  await expect(first.page.getByText(/^Couldn’t refresh the list/)).toBeVisible()
  await expect(websiteRow(first.page, domain)).toBeVisible()

  const added = await addWebsite(first.page)
  await added.domain.fill('made-in-a-train.example')
  await added.privacy('Password').click()
  await added.password.fill(planted.sealedPassword)
  await added.save.click()
  await expect(websiteRow(first.page, 'made-in-a-train.example')).toBeVisible()
  await first.page.keyboard.press('Escape')
  const changed = await openWebsite(first.page, domain)
  await changed.excludedIps.fill('192.0.2.1')
  await changed.save.click()
  await expect(first.page.getByRole('status').filter({ hasText: /2 changes pending/ })).toBeVisible()
  await goTo(first.page, 'Pending')
  await expect(first.page.getByText('New values: excluded IP addresses (1).')).toBeVisible()
  await expect(first.page.getByText(planted.sealedPassword)).toHaveCount(0)
  await first.quit()
  expect(search(userData, ['made-in-a-train.example'])).not.toEqual([])
  expect(search(userData, [planted.sealedPassword])).toEqual([])

  const back = await startSampleService({ websites: before.size, port, key: service.apiKey, rate: 0 })
  const second = await launch()
  await expect.poll(() => back.store.byDomain('made-in-a-train.example'), { timeout: 30_000 }).toBeTruthy()
  expect(back.store.byDomain('made-in-a-train.example')?.password).not.toBeNull()
  await expect.poll(() => back.store.byDomain(domain)?.exclude_ips).toBe('192.0.2.1')
  expect(back.store.requests().filter(({ method }) => method === 'POST')).toHaveLength(1)
  await goTo(second.page, 'Pending')
  await expect(second.page.getByText('No pending changes').first()).toBeVisible()
  await back.close()
})

test('undoes two pending saves one by one after a restart', async ({ launch, service }) => {
  const first = await launch()
  await connect(first.page, service)
  const {
    domain,
    exclude_ips: before,
    email,
  } = service.store.all().at(-1) ?? { domain: '-', exclude_ips: '', email: 0 }
  await expect(websiteRow(first.page, domain)).toBeVisible()
  await service.close()
  const form = await openWebsite(first.page, domain)
  await form.excludedIps.fill('192.0.2.1')
  await form.save.click()
  await expect(first.page.getByRole('status').filter({ hasText: /1 change pending/ })).toBeVisible()
  await form.emailReports.click()
  await form.save.click()
  await expect(form.save).toBeDisabled()
  await first.quit()

  const { page } = await launch()
  await websiteRow(page, domain).waitFor()
  const shown = async () => {
    const again = await openWebsite(page, domain)
    const values = {
      lines: await again.excludedIps.inputValue(),
      email: (await again.emailReports.isChecked()) ? 1 : 0,
    }
    await page.keyboard.press('Escape')
    return values
  }
  const switched = email === 1 ? 0 : 1
  expect(await shown()).toEqual({ lines: '192.0.2.1', email: switched })
  for (const left of [
    { lines: '192.0.2.1', email },
    { lines: before ?? '', email },
  ]) {
    await page.keyboard.press('Control+z')
    await expect(page.getByText(`The change to ${domain} was undone.`).first()).toBeVisible()
    await expect.poll(shown).toEqual(left)
  }
  await expect(page.getByRole('status').filter({ hasText: /pending/ })).toHaveCount(0)
})
