import { chromium, type Browser, type ElectronApplication, type Page } from '@playwright/test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isAppPage } from '../../scripts/launch.mjs'
import { presentRuntime } from '../../scripts/runtime.mjs'
import { root } from '../../scripts/setup/project.mjs'
import { expect, test } from './support/app.ts'
import { startFaultyService } from './support/faulty.ts'
import { connect, connectForm, editor, saveWebsite, websiteTable } from './support/screens.ts'
import { isWindowVisible } from './support/tray.ts'

const logOf = (userData: string): string => {
  const file = join(userData, 'logs', 'siteward.log')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}
const times = (text: string, what: RegExp): number => text.split('\n').filter((line) => what.test(line)).length

test('a page whose process ends is loaded anew where the person was, and says so', async ({ siteward, userData }) => {
  const { app, page } = siteward
  await page.getByRole('button', { name: 'Try with sample data' }).click()
  await websiteTable(page).waitFor()
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().forEach(({ webContents }) => webContents.forcefullyCrashRenderer()),
  )
  // Playwright has given the page up; main can still ask it. What is asked while there's no page is never answered.
  const shown = (): Promise<string> =>
    app
      .evaluate(({ BrowserWindow }) =>
        Promise.race([
          BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript('document.body.innerText'),
          new Promise((resolve) => setTimeout(resolve, 500, '')),
        ]),
      )
      .then(String, () => '')
  await expect.poll(shown).toMatch(/This window was reloaded after an unexpected error[^]*About Siteward/)
  expect(times(logOf(userData), / error pageGone reason=crashed/)).toBe(1)
})

/** Until its window is closed; each time once it is loaded, for nobody hears of a page that ends while it is replaced. */
async function crashAgainAndAgain(app: ElectronApplication): Promise<void> {
  const crash = () =>
    app.evaluate(({ BrowserWindow }) => {
      const windows = BrowserWindow.getAllWindows()
      for (const { webContents } of windows) {
        if (!webContents.isCrashed() && !webContents.isLoading()) webContents.forcefullyCrashRenderer()
      }
      return windows.length
    })
  await expect.poll(crash, { intervals: [500], timeout: 30_000 }).toBe(0)
}

/** Resolves once a second has gone by in which `count` stayed as it was; answers it. */
async function settled(count: () => number): Promise<number> {
  for (let last = count(); ; last = count()) {
    await wait(1_000)
    if (count() === last) return last
  }
}

test('a page that goes on ending loses its window: that is told, and a click there opens another', async ({
  siteward: { app, page },
  notices,
}) => {
  await connectForm(page)
  await crashAgainAndAgain(app)
  await expect.poll(notices.titles).toEqual(['Siteward’s window was closed'])
  notices.click()
  await expect.poll(() => isWindowVisible(app)).toBe(true)
})

test('where the window is gone with its page nobody looks, so the service isn’t asked any more', async ({
  siteward: { app, page },
}) => {
  const service = await startFaultyService(12)
  await connect(page, service)
  let asked = 0
  service.fault = (_request, response) => {
    asked += 1
    response.destroy()
    return true
  }
  await page.keyboard.press('F5')
  await expect(page.getByRole('status')).toContainText('Offline')
  /** An app that waits for the service asks it as soon as it wakes, and again soon after. */
  const sleep = () =>
    app.evaluate(async ({ powerMonitor }) => {
      await new Promise(setImmediate) // in a turn of its own, as closeWindow
      powerMonitor.emit('suspend')
      powerMonitor.emit('resume')
    })
  const before = asked
  await sleep()
  await expect.poll(() => asked).toBeGreaterThan(before)
  await crashAgainAndAgain(app)
  const last = await settled(() => asked)
  await sleep()
  await wait(3_000)
  expect(asked).toBe(last)
  service.close()
})

test.describe('the end of the app', () => {
  test.skip(process.platform === 'win32', 'Windows ends a process without a word')
  const banner = /Siteward quit unexpectedly/

  test('by force is told at the next start, once', async ({ launch }) => {
    const first = await launch()
    await connectForm(first.page)
    const closed = first.app.waitForEvent('close')
    first.app.process().kill('SIGKILL')
    await closed
    const second = await launch()
    await expect(second.page.getByText(banner)).toBeVisible()
    await second.quit()
    const third = await launch()
    await connectForm(third.page)
    await expect(third.page.getByText(banner)).not.toBeVisible()
  })

  test('as a logout asks for it is in order', async ({ launch }) => {
    const first = await launch()
    await connectForm(first.page)
    const closed = first.app.waitForEvent('close')
    first.app.process().kill('SIGTERM')
    await closed
    const { page } = await launch()
    await connectForm(page)
    await expect(page.getByText(banner)).not.toBeVisible()
  })
})

/** An app without Playwright in it, which would hold its next start back; its page is looked at from outside. */
async function start(
  userData: string,
  keychain: Readonly<Record<string, string>>,
  throws: 'once' | 'always' | 'never',
) {
  const [flag, bomb] = [join(userData, 'throw-now'), join(userData, 'bomb.cjs')]
  // Throws in main when it's up and the file is there: at the next start too, where it always does.
  writeFileSync(
    bomb,
    `const { existsSync, rmSync } = require('node:fs')
    const flag = ${JSON.stringify(flag)}
    const timer = setInterval(() => {
      if (process.listenerCount('uncaughtException') === 0 || !existsSync(flag)) return
      clearInterval(timer)
      ${throws === 'once' ? 'rmSync(flag)' : ''}
      throw new RangeError('planted in an error: kestrel-press.example')
    }, 100)`,
  )
  const port = await freePort()
  const { executable, args } = presentRuntime()
  const switches = [`--user-data-dir=${userData}`, `--remote-debugging-port=${String(port)}`]
  const process_ = spawn(executable, [...args, '-r', bomb, root, ...switches], {
    env: { ...process.env, ...keychain },
    stdio: 'ignore',
  })
  return { process: process_, flag, port }
}

test.describe('an error that nobody catches', () => {
  test.skip(process.platform !== 'linux', 'what is left of it is found in /proc')

  test('ends the app, which starts again and says so', async ({ userData, keychain }) => {
    const { process, flag, port } = await start(userData, keychain, 'once')
    const before = await browserAt(port)
    const gone = endOf(before)
    writeFileSync(flag, '')
    await expect.poll(() => process.exitCode).toBe(1)
    await gone
    const after = await browserAt(port)
    await expect(appPageOf(after).getByText('Siteward restarted after an unexpected error')).toBeVisible()
    const ended = endOf(after)
    const session = await after.newBrowserCDPSession()
    await session.send('Browser.close').catch(() => undefined) // the answer may not outlive the app
    await ended
    await expect.poll(() => processesOf(userData)).toEqual([])
  })

  test('is not followed by one start after another, and its text is not in the log', async ({ userData, keychain }) => {
    const { flag, port } = await start(userData, keychain, 'always')
    await (await browserAt(port)).close()
    writeFileSync(flag, '')
    await expect.poll(() => times(logOf(userData), / error crashed /), { timeout: 30_000 }).toBe(2)
    await expect.poll(() => processesOf(userData)).toEqual([])
    const log = logOf(userData)
    expect(times(log, / info started .*after=(person|crash)$/)).toBe(2)
    expect(times(log, / error crashed by=exception error=RangeError code=null at=bomb\.cjs:\d+:\d+/)).toBe(2)
    expect(log).not.toMatch(/planted|kestrel/)
  })
})

test.describe('a start while it quits', () => {
  test.skip(process.platform !== 'linux', 'what is left of it is found in /proc')

  test('is followed when it has ended, with the link that it came with', async ({ userData, keychain, startAgain }) => {
    const service = await startFaultyService(3)
    const { process, port } = await start(userData, keychain, 'never')
    const before = await browserAt(port)
    const page = appPageOf(before)
    await connect(page, service)
    let sent = false
    service.fault = ({ method }) => (sent ||= method === 'POST')
    await saveWebsite(page, 'under-way.example')
    await expect.poll(() => sent).toBe(true)
    // What is under way is waited for, for a second.
    const gone = endOf(before)
    await page.keyboard.press('Control+q')
    expect(await startAgain(['siteward://add?domain=wanted.example'])).toBe(0)
    await expect.poll(() => process.exitCode).toBe(0)
    await gone
    const after = await browserAt(port)
    await expect(editor(appPageOf(after)).domain).toHaveValue('wanted.example')
    const ended = endOf(after)
    await appPageOf(after).keyboard.press('Control+q')
    await ended
    await expect.poll(() => processesOf(userData)).toEqual([])
    service.close()
  })
})

function appPageOf(browser: Browser): Page {
  const page = browser
    .contexts()[0]
    ?.pages()
    .find((candidate) => isAppPage(candidate.url()))
  if (page === undefined) throw new Error('the window did not come')
  return page
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** The app's windows, as soon as one of them is there. */
async function browserAt(port: number): Promise<Browser> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await wait(100)) {
    // An attempt that meets the window while it is being created never ends by itself.
    const address = `http://127.0.0.1:${String(port)}`
    const browser = await chromium.connectOverCDP(address, { timeout: 3_000 }).catch(() => null)
    if (
      browser
        ?.contexts()[0]
        ?.pages()
        .some((page) => isAppPage(page.url()))
    )
      return browser
    await browser?.close()
  }
  throw new Error('the window did not come')
}

/** One that is about to end can't be closed, nor can the record of it: Playwright has to have heard that it's gone. */
const endOf = (browser: Browser): Promise<unknown> =>
  new Promise((resolve) => void browser.once('disconnected', resolve))

const processesOf = (userData: string): string[] =>
  readdirSync('/proc').filter((name) => /^\d+$/.test(name) && commandOf(name).includes(`--user-data-dir=${userData}`))

/** Empty where the process has ended meanwhile. */
function commandOf(pid: string): string {
  try {
    return readFileSync(join('/proc', pid, 'cmdline'), 'utf8')
  } catch {
    return ''
  }
}
