import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { presentRuntime } from '../../scripts/runtime.mjs'
import { inProject, projectNode } from '../../scripts/setup/project.mjs'
import { expect, test } from './support/app.ts'
import { connect, connectForm, goTo, saveWebsite, websiteRow } from './support/screens.ts'
import { closeWindow, isWindowVisible } from './support/tray.ts'

test('switches autostart on in the settings, and shows it as off once its file is gone', async ({
  siteward: { page },
  keychain,
}) => {
  test.skip(process.platform !== 'linux', 'macOS and Windows store autostart themselves')
  const file = join(keychain['XDG_CONFIG_HOME'] ?? '', 'autostart', 'siteward.desktop')
  await page.getByRole('button', { name: 'Try with sample data' }).click()
  await goTo(page, 'Settings')
  const setting = page.getByRole('switch', { name: 'Start when you sign in' })
  await expect(setting).not.toBeChecked()
  expect(existsSync(file)).toBe(false)
  await setting.click()
  await expect(setting).toBeChecked()
  expect(readFileSync(file, 'utf8')).toMatch(/^Exec=.*"--hidden"$/m)
  // The user has removed the entry by hand, or in the desktop's settings.
  rmSync(file)
  await goTo(page, 'Account')
  await page.reload()
  await goTo(page, 'Settings')
  await expect(setting).not.toBeChecked()
})

test('a hidden start opens no window until the user asks for one, and sends pending changes', async ({
  launch,
  launchHidden,
  tray,
  service,
}) => {
  const first = await launch()
  await connect(first.page, service)
  await tray.choose('Pause sending')
  await saveWebsite(first.page, 'before-the-login.example')
  await expect(websiteRow(first.page, 'before-the-login.example')).toBeVisible()
  await expect.poll(tray.picture).toBe('paused')
  await first.quit()

  const { app, page } = await launchHidden()
  await expect.poll(tray.picture).toBe('paused')
  await tray.choose('Resume sending')
  await expect.poll(() => service.store.byDomain('before-the-login.example')).toBeTruthy()
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(0)
  await tray.choose('Settings')
  await expect((await page()).getByRole('heading', { name: 'Settings' })).toBeVisible()
  await expect.poll(() => isWindowVisible(app)).toBe(true)
})

test('a second start with --hidden, as at sign-in, does not show the hidden window, but a start by the user does', async ({
  siteward,
  startAgain,
}) => {
  await connectForm(siteward.page)
  await closeWindow(siteward.app)
  await expect.poll(() => isWindowVisible(siteward.app)).toBe(false)
  expect(await startAgain(['--hidden'])).toBe(0)
  expect(await isWindowVisible(siteward.app)).toBe(false)
  expect(await startAgain()).toBe(0)
  await expect.poll(() => isWindowVisible(siteward.app)).toBe(true)
})

test('quits by key, also on another screen than the list', async ({ siteward: { app, page }, service }) => {
  await connect(page, service)
  await goTo(page, 'Settings')
  const closed = app.waitForEvent('close')
  await page.keyboard.press('Control+q').catch(() => undefined) // The app may end before it answers.
  await closed
})

test('npm start prints the name of the runtime, and how to end the app', async ({ userData }) => {
  test.skip(process.platform === 'win32', 'Windows has no process groups')
  // The setup waits while another worker packs the app.
  test.setTimeout(330_000)
  const start = spawn(projectNode, [inProject('scripts', 'start.mjs'), `--user-data-dir=${userData}`], {
    stdio: ['ignore', 'pipe', 'ignore'],
    // In its own process group, so that the app can be ended together with it.
    detached: true,
  })
  const ended = once(start, 'exit')
  const lines: string[] = []
  createInterface({ input: start.stdout }).on('line', (line) => lines.push(line))
  try {
    await expect.poll(() => existsSync(join(userData, 'siteward.db')), { timeout: 300_000 }).toBe(true)
    expect(lines).toContain(`start: on ${presentRuntime().name}`)
    expect(lines.at(-1)).toContain('Ctrl+C ends it')
  } finally {
    process.kill(-(start.pid ?? 0), 'SIGKILL')
    await ended
  }
})
