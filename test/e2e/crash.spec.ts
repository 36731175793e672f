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

test('reloads a page whose process has ended, on the same screen, and says so', async ({ siteward, userData }) => {
  const { app, page } = siteward
  await page.getByRole('button', { name: 'Try with sample data' }).click()
  await websiteTable(page).waitFor()
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().forEach(({ webContents }) => webContents.forcefullyCrashRenderer()),
  )
  // Playwright has dropped the page, so main evaluates the script. A script that is evaluated while there is no page
  // never returns.
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

/** Crashes the page each time after it is loaded, until its window is closed. Crashes during a reload are not reported. */
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

async function settled(count: () => number): Promise<number> {
  for (let last = count(); ; last = count()) {
    await wait(1_000)
    if (count() === last) return last
  }
}

test('closes the window of a page that keeps crashing, notifies the user, and opens another window on a click', async ({
  siteward: { app, page },
  notices,
}) => {
  await connectForm(page)
  await crashAgainAndAgain(app)
  await expect.poll(notices.titles).toEqual(['Siteward’s window was closed'])
  notices.click()
  await expect.poll(() => isWindowVisible(app)).toBe(true)
})

test('stops probing an unreachable service once the window of a crashing page is closed', async ({
  siteward: { app, page },
}) => {
  const service = await startFaultyService(12)
  await connect(page, service)
  // Otherwise the app would also refresh the list in the background within a minute of waking.
  await page.evaluate(() => window.siteward?.setSettings({ refreshEvery: 0 }))
  let requests = 0
  service.fault = (_request, response) => {
    requests += 1
    response.destroy()
    return true
  }
  await page.keyboard.press('F5')
  await expect(page.getByRole('status')).toContainText('Offline')
  /** Simulates a sleep. An app that waits for the service asks it right after waking, and again soon after. */
  const sleep = () =>
    app.evaluate(async ({ powerMonitor }) => {
      await new Promise(setImmediate) // In its own turn of the event loop, like closeWindow.
      powerMonitor.emit('suspend')
      powerMonitor.emit('resume')
    })
  const before = requests
  await sleep()
  await expect.poll(() => requests).toBeGreaterThan(before)
  await crashAgainAndAgain(app)
  const last = await settled(() => requests)
  await sleep()
  await wait(3_000)
  expect(requests).toBe(last)
  service.close()
})

test.describe('an end of the app', () => {
  test.skip(process.platform === 'win32', 'Windows ends a process without telling it')
  const banner = /Siteward quit unexpectedly/

  test('by force is reported once, at the next start', async ({ launch }) => {
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
})

/**
 * Returns code that throws in main as soon as the flag exists and the app has added its listener for uncaught errors to
 * Electron's own. `once`: the code removes the flag first, so that the restarted app does not throw.
 */
const throws = (times: 'once' | 'always'): string => `
  const timer = setInterval(() => {
    if (process.listenerCount('uncaughtException') < 2 || !existsSync(flag)) return
    clearInterval(timer)
    ${times === 'once' ? 'rmSync(flag)' : ''}
    throw new RangeError('planted in an error: kestrel-press.example')
  }, 100)`

/** Code that delays a quit, if the flag exists, until another instance starts, however long that takes on a busy machine. */
const quitsDuringSecondStart = `
  const started = () => readdirSync(dirname(flag)).some((name) => name.startsWith('second-start-'))
  require('electron').app.on('before-quit', () => {
    if (!existsSync(flag)) return
    rmSync(flag)
    while (!started()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
  })`

/**
 * Starts the app without Playwright, which would delay its restart. The test connects to the window through the debugging port.
 * `planted`: code that runs in main before the app, even after a restart. In it, `flag` is the path of the returned `flag`.
 */
async function start(userData: string, keychain: Readonly<Record<string, string>>, planted: string) {
  const [flag, bomb] = [join(userData, 'flag'), join(userData, 'bomb.cjs')]
  writeFileSync(
    bomb,
    `const { existsSync, readdirSync, rmSync } = require('node:fs')
    const { dirname } = require('node:path')
    const flag = ${JSON.stringify(flag)}
    ${planted}`,
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

test.describe('an uncaught error', () => {
  test.skip(process.platform !== 'linux', 'the processes that are left are found in /proc')

  test('ends the app, which restarts and says so', async ({ userData, keychain }) => {
    const { process, flag, port } = await start(userData, keychain, throws('once'))
    const before = await browserAt(port)
    const gone = endOf(before)
    writeFileSync(flag, '')
    await expect.poll(() => process.exitCode).toBe(1)
    await gone
    const after = await browserAt(port)
    await expect(appPageOf(after).getByText('Siteward restarted after an unexpected error')).toBeVisible()
    const ended = endOf(after)
    const session = await after.newBrowserCDPSession()
    await session.send('Browser.close').catch(() => undefined) // The app may end before it answers.
    await ended
    await expect.poll(() => processesOf(userData)).toEqual([])
  })

  test('does not restart the app repeatedly, and its text is not in the log', async ({ userData, keychain }) => {
    const { flag, port } = await start(userData, keychain, throws('always'))
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

test.describe('a start during a quit', () => {
  test.skip(process.platform !== 'linux', 'the processes that are left are found in /proc')

  test('starts the app again as soon as it has ended, and opens the link of the second start', async ({
    userData,
    keychain,
    startAgain,
  }) => {
    const service = await startFaultyService(3)
    const { process, flag, port } = await start(userData, keychain, quitsDuringSecondStart)
    writeFileSync(flag, '')
    const before = await browserAt(port)
    const page = appPageOf(before)
    await connect(page, service)
    let sent = false
    service.fault = ({ method }) => (sent ||= method === 'POST')
    await saveWebsite(page, 'under-way.example')
    await expect.poll(() => sent).toBe(true)
    // The quit waits up to a second for the request in flight.
    const gone = endOf(before)
    const [started] = await Promise.all([
      startAgain(['siteward://add?domain=wanted.example']),
      page.keyboard.press('Control+q'),
    ])
    expect(started).toBe(0)
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

async function browserAt(port: number): Promise<Browser> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await wait(100)) {
    // Connecting to a window while it is created never ends, so each attempt is limited.
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

/** Resolves once Playwright has noticed the end of the app. Before that, closing the app or its trace would fail. */
const endOf = (browser: Browser): Promise<unknown> =>
  new Promise((resolve) => void browser.once('disconnected', resolve))

const processesOf = (userData: string): string[] =>
  readdirSync('/proc').filter((name) => /^\d+$/.test(name) && commandOf(name).includes(`--user-data-dir=${userData}`))

function commandOf(pid: string): string {
  try {
    return readFileSync(join('/proc', pid, 'cmdline'), 'utf8')
  } catch {
    return ''
  }
}
