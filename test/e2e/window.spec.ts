import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { presentRuntime } from '../../scripts/runtime.mjs'
import { root } from '../../scripts/setup/project.mjs'
import { expect, test } from './support/app.ts'
import { websiteTable } from './support/screens.ts'

test('closing the window hides it, and a second start shows it again', async ({ siteward, userData, keychain }) => {
  const { app, page } = siteward
  const isVisible = (): Promise<boolean> =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((window) => window.isVisible()))
  await expect.poll(isVisible).toBe(true)
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().forEach((window) => window.close()))
  await expect.poll(isVisible).toBe(false)
  expect(page.isClosed()).toBe(false)

  const runtime = presentRuntime()
  const second = spawn(runtime.executable, [...runtime.args, root, `--user-data-dir=${userData}`], {
    env: { ...process.env, ...keychain },
    stdio: 'ignore',
  })
  await once(second, 'exit')
  expect(second.exitCode).toBe(0)
  await expect.poll(isVisible).toBe(true)
})

test('the page has no Node, no way out, and a bridge that can’t be changed', async ({ page }) => {
  const seen = await page.evaluate(async () => {
    const globals = window as unknown as Record<string, unknown>
    const bridge = globals['siteward'] as Record<string, unknown>
    const fetched = await fetch('https://example.com').then(
      () => 'reached',
      () => 'refused',
    )
    const script = document.createElement('script')
    try {
      script.textContent = 'window.injected = true'
      document.body.append(script)
    } catch {
      // trusted types may refuse it earlier than the policy does
    }
    return {
      node: [typeof globals['require'], typeof globals['process']],
      fetched,
      injected: globals['injected'] ?? false,
      frozen: Object.isFrozen(bridge),
      opened: window.open('https://example.com') === null,
    }
  })
  expect(seen).toEqual({
    node: ['undefined', 'undefined'],
    fetched: 'refused',
    injected: false,
    frozen: true,
    opened: true,
  })
  const before = page.url()
  await page.evaluate(() => {
    location.href = 'https://example.com/'
  })
  await expect.poll(() => page.url()).toBe(before)
})

test('a request that doesn’t fit the contract is refused with a code', async ({ page }) => {
  const answers = await page.evaluate(async () => {
    const bridge = (window as unknown as { siteward: Record<string, (request?: unknown) => Promise<unknown>> }).siteward
    return Promise.all([
      bridge['getWebsite']?.({ key: 7 }),
      bridge['listWebsites']?.({ page: 0 }),
      bridge['connect']?.({ address: 'x', apiKey: 'two words', keep: 'keychain' }),
    ])
  })
  for (const answer of answers) expect(answer).toMatchObject({ ok: false, error: { code: 'malformed-request' } })
})

test('quitting ends the process, edits unsent or not', async ({ launch }) => {
  const { app, page, quit } = await launch()
  await page.getByRole('button', { name: 'Try with sample data' }).click()
  await websiteTable(page).waitFor()
  const process = app.process()
  await quit()
  expect(process.exitCode).toBe(0)
})
