import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSampleService } from '../../src/main/sample/service.ts'
import type { ElectronApplication, Page } from '@playwright/test'
import { expect, sharedTest as test } from './support/app.ts'
import { choose } from './support/dialogs.ts'
import { planted } from './support/planted.ts'
import { connect, goTo, openWebsite, saveProtected, saveWebsite, websiteRow } from './support/screens.ts'

test('exports changes without their passwords, and imports them after they were lost', async ({
  siteward: { app, page },
  service,
}) => {
  const file = join(mkdtempSync(join(tmpdir(), 'siteward-')), 'kept.json')
  await connect(page, service)
  const domain = service.store.all().at(-1)?.domain ?? '-'
  await expect(websiteRow(page, domain)).toBeVisible()
  const count = service.store.all().length
  const port = Number(new URL(service.address).port)
  await service.close()
  await saveProtected(page, 'kept.example', planted.sealedPassword)
  const changed = await openWebsite(page, domain)
  await changed.excludedIps.fill('192.0.2.1')
  await changed.save.click()
  await expect(page.getByRole('status').filter({ hasText: /2 changes pending/ })).toBeVisible()

  await goTo(page, 'Pending')
  await choose(app, { filePath: file })
  await page.getByRole('button', { name: 'Export…', exact: true }).click()
  await expect(page.getByText(/2 changes exported/)).toBeVisible()
  const text = readFileSync(file, 'utf8')
  expect(JSON.parse(text)).toMatchObject({ format: 'siteward-pending', version: 1, edits: [{}, {}] })
  expect(text).not.toContain(planted.sealedPassword)
  expect(statSync(file).mode & 0o777).toBe(0o600)

  for (const left of [2, 1]) {
    await expect(page.getByRole('button', { name: 'Undo', exact: true })).toHaveCount(left)
    await page.getByRole('button', { name: 'Undo', exact: true }).first().click()
  }
  await expect(page.getByText('No pending changes').first()).toBeVisible()

  // Canceling the file dialog changes nothing.
  await page.getByRole('button', { name: 'Import…', exact: true }).click()
  await expect(page.getByText('No pending changes').first()).toBeVisible()

  await choose(app, { filePaths: [file] })
  await page.getByRole('button', { name: 'Import…', exact: true }).click()
  await page.getByRole('button', { name: 'Import changes' }).click()
  await expect(page.getByText(/2 changes imported/)).toBeVisible()
  await expect(page.getByTitle('Needs attention')).toHaveCount(1)

  const back = await startSampleService({ websites: count, port, key: service.apiKey, rate: 0 })
  const delivered = expect.poll(() => back.store.byDomain(domain)?.exclude_ips, { timeout: 30_000 }).toBe('192.0.2.1')
  // The app may reach the service before the click, and the button disappears.
  await Promise.race([page.getByRole('button', { name: 'Send now', exact: true }).first().click(), delivered])
  await delivered
  expect(back.store.byDomain('kept.example')).toBeUndefined()
  await back.close()
})

test('refuses to import a file that is no export, and an export of another account', async ({
  siteward: { app, page },
  service,
}) => {
  await connect(page, service)
  await goTo(page, 'Pending')
  const other = join(mkdtempSync(join(tmpdir(), 'siteward-')), 'other.json')
  const connection = { id: 'x', address: 'https://elsewhere.example', account: '1' }
  writeFileSync(other, JSON.stringify({ format: 'siteward-pending', version: 1, connection, websites: [], edits: [] }))
  for (const [file, text] of [
    [join(import.meta.dirname, 'transfer.spec.ts'), /export/i],
    [other, /different account/i],
  ] as const) {
    await choose(app, { filePaths: [file] })
    await page.getByRole('button', { name: 'Import…', exact: true }).click()
    await expect(page.getByRole('main').getByText(text).first()).toBeVisible()
  }
})

test('an imported file sends and queues nothing until the user confirms what it would delete', async ({
  siteward: { app, page },
  service,
}) => {
  await connect(page, service)
  await goTo(page, 'Pending')
  const file = join(mkdtempSync(join(tmpdir(), 'siteward-')), 'deletes.json')
  const domains = service.store.all().map(({ domain }) => domain)
  await expect
    .poll(() => page.evaluate(async () => (await window.siteward?.listKeys({ from: 0, count: 100 } as never))?.ok))
    .toBe(true)
  await page.evaluate(() => window.siteward?.setSettings({ paused: true }))
  await page.evaluate(async () => {
    const listed = await window.siteward?.listWebsites({ page: 1, per_page: 100 } as never)
    const keys = listed?.ok ? listed.value.websites.map(({ key }) => key) : []
    for (const key of keys) await window.siteward?.deleteWebsite({ key })
  })
  await choose(app, { filePath: file })
  await page.getByRole('button', { name: 'Export…', exact: true }).click()
  await expect(page.getByText(/12 changes exported/)).toBeVisible()
  const undo = page.getByRole('button', { name: 'Undo', exact: true })
  for (let left = domains.length; left > 0; left--) {
    await expect(undo).toHaveCount(left)
    await undo.first().click()
  }
  await page.evaluate(() => window.siteward?.setSettings({ paused: false }))

  await choose(app, { filePaths: [file] })
  const question = page.getByRole('group', { name: 'Import these changes?' })
  const queued = () =>
    page.evaluate(async () => {
      const listed = await window.siteward?.listEdits({ page: 1, per_page: 100 })
      return listed?.ok ? listed.value.total : null
    })
  await page.getByRole('button', { name: 'Import…', exact: true }).click()
  await expect(question).toContainText('12 websites will be deleted')
  for (const domain of domains) await expect(question.getByText(domain, { exact: true }).last()).toBeVisible()
  expect(await queued()).toBe(0)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toHaveCount(0)
  expect(await queued()).toBe(0)

  await choose(app, { filePaths: [file] })
  await page.getByRole('button', { name: 'Import…', exact: true }).click()
  await question.getByRole('button', { name: 'Import changes' }).click()
  await expect(page.getByText(/12 changes imported/)).toBeVisible()
  expect(await queued()).toBe(12)
  expect(service.store.all()).toHaveLength(12)
})

const MANY = 20_000

interface ExportFile {
  websites: { key: string; domain: string }[]
  edits: { id: string; website: string }[]
}

/** Returns a file with {@link MANY} copies of the only change in the given one, each for another website. */
function multiplied(text: string): string {
  const file = JSON.parse(text) as ExportFile
  const copies = Array.from({ length: MANY }, (_, n) => String(n))
  return JSON.stringify({
    ...file,
    websites: copies.flatMap((n) => file.websites.map((one) => ({ ...one, key: `key-${n}`, domain: `n${n}.example` }))),
    edits: copies.flatMap((n) => file.edits.map((one) => ({ ...one, id: `edit-${n}`, website: `key-${n}` }))),
  })
}

/**
 * Starts to measure an import. Returns a function that returns the results:
 * `withoutFrame`: the longest time between two frames of the window, in milliseconds.
 * `mainBlocked`: the longest time between two runs of a timer in main that is due every 10 ms, in milliseconds.
 * `progress`: the values that the progress bar has had.
 */
async function watch(app: ElectronApplication, page: Page) {
  const main = await app.evaluateHandle(() => {
    const seen = { longest: 0, last: performance.now() }
    setInterval(() => {
      const now = performance.now()
      seen.longest = Math.max(seen.longest, now - seen.last)
      seen.last = now
    }, 10)
    return seen
  })
  const window = await page.evaluateHandle(() => {
    const seen = { longest: 0, last: performance.now(), progress: new Set<number>() }
    const frame = (now: number): void => {
      seen.longest = Math.max(seen.longest, now - seen.last)
      seen.last = now
      const bar = document.querySelector('progress')
      if (bar?.checkVisibility()) seen.progress.add(bar.value)
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
    return seen
  })
  return async () => ({
    mainBlocked: await main.evaluate(({ longest }) => longest),
    ...(await window.evaluate(({ longest, progress }) => ({ withoutFrame: longest, progress: [...progress] }))),
  })
}

test('imports 20,000 changes in one step, with progress, while the window keeps drawing', async ({
  siteward: { app, page },
  service,
}) => {
  const file = join(mkdtempSync(join(tmpdir(), 'siteward-')), 'many.json')
  await connect(page, service)
  await service.close()
  await saveWebsite(page, 'one.example')
  await websiteRow(page, 'one.example').waitFor()
  await page.keyboard.press('Escape')
  await goTo(page, 'Pending')
  await choose(app, { filePath: file })
  await page.getByRole('button', { name: 'Export…', exact: true }).click()
  await expect(page.getByText(/1 change exported/)).toBeVisible()
  writeFileSync(file, multiplied(readFileSync(file, 'utf8')))

  await choose(app, { filePaths: [file] })
  const watched = await watch(app, page)
  await page.getByRole('button', { name: 'Import…', exact: true }).click()
  await page.getByRole('button', { name: 'Import changes' }).click({ timeout: 60_000 })
  await expect(page.getByText(/20,000 changes imported/)).toBeVisible({ timeout: 60_000 })
  const { withoutFrame, mainBlocked, progress } = await watched()
  expect(progress.length).toBeGreaterThan(1)
  // The main process is only blocked during the single transaction.
  expect(mainBlocked).toBeLessThan(5_000)
  expect(withoutFrame).toBeLessThan(1_000)
})
