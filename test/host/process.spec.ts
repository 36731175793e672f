import { chromium, expect, test } from '@playwright/test'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { APP, HOST, startHost, temporaryFolder, type Started } from './fixture.ts'

let folder: string
let started: Started[] = []
test.beforeEach(() => {
  folder = temporaryFolder()
  started = []
})
test.afterEach(async () => {
  for (const { process } of started) process.kill('SIGKILL')
  await Promise.all(started.map(({ ended }) => ended))
  // What was just ended, the browser's processes among it, may still write its last.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
})
const start = (...given: Parameters<typeof startHost>): Started => {
  const host = startHost(...given)
  started.push(host)
  return host
}
/** Electron's temporary files go to TMPDIR: one of our own shows what is left. */
const environment = (): Record<string, string> => {
  const TMPDIR = join(folder, 'tmp')
  mkdirSync(TMPDIR, { recursive: true })
  return { TMPDIR, HOST_TEST: folder }
}
/** Processes of any kind that were started with our mark in their environment. */
const processes = (): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`HOST_TEST=${folder}`)
    } catch {
      return false // has ended, or is a zombie
    }
  })

test('starts from any folder and through a symlink, with its arguments in process.argv', async () => {
  const link = join(folder, 'electron')
  symlinkSync(HOST, link)
  const app = join(folder, 'app')
  mkdirSync(app)
  writeFileSync(join(app, 'package.json'), '{ "name": "tiny", "main": "main.cjs" }')
  writeFileSync(
    join(app, 'main.cjs'),
    `const electron = require('electron')
     console.log('ARGS ' + JSON.stringify([process.argv.slice(1), electron.app.getPath('userData'), process.type]))
     electron.app.exit(7)`,
  )
  const env = { XDG_CONFIG_HOME: join(folder, 'config') }
  const output = await new Promise<string>((resolve) => {
    try {
      resolve(
        execFileSync(link, ['./app', '--flag=1', 'link://x'], {
          cwd: folder,
          env: { ...process.env, ...env },
        }).toString(),
      )
    } catch (error) {
      const { status, stdout } = error as { status: number; stdout: Buffer }
      resolve(`${status} ${stdout.toString()}`)
    }
  })
  const told = JSON.stringify([['./app', '--flag=1', 'link://x'], join(folder, 'config', 'tiny'), 'browser'])
  expect(output.trim()).toBe(`7 ARGS ${told}`)
})

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} quits the app and leaves nothing`, async () => {
    const host = start([APP, `--user-data-dir=${folder}/data`], { env: environment() })
    await host.says('LOADED')
    host.process.kill(signal)
    expect(await host.ended).toBe(0)
    await expect.poll(processes).toEqual([])
    expect(readdirSync(join(folder, 'tmp')).filter((name) => name.startsWith('electron-host'))).toEqual([])
  })
}

test('nothing outlives a killed host', async () => {
  const host = start([APP, `--user-data-dir=${folder}/data`], { env: environment() })
  await host.says('LOADED')
  expect(processes().length).toBeGreaterThan(2)
  host.process.kill('SIGKILL')
  await expect.poll(processes, { timeout: 15_000 }).toEqual([])
  expect(existsSync(join(folder, 'data'))).toBe(true)
})

test('a second instance leaves at once, and the first hears its arguments, folder and data', async () => {
  const data = `--user-data-dir=${folder}/data`
  const first = start(['--inspect=0', '--remote-debugging-port=0', APP, data], { env: environment() })
  await first.says('LOADED')
  const second = start([APP, data, 'siteward://open'], { cwd: folder, env: environment() })
  expect(await second.ended).toBe(0)
  expect(second.output()).toContain('LOST')
  expect(first.process.exitCode).toBeNull()
  await first.says(`SECOND ${JSON.stringify({ last: 'siteward://open', cwd: folder, data: { from: 'fixture' } })}`)
})

test('the lock is free again after the holder was killed', async () => {
  const data = `--user-data-dir=${folder}/data`
  const first = start([APP, data], { env: environment() })
  await first.says('LOADED')
  first.process.kill('SIGKILL')
  await first.ended
  const second = start([APP, data], { env: environment() })
  await second.says('LOADED')
})

test('a failing main module ends the process with its error', async () => {
  writeFileSync(join(folder, 'broken.cjs'), "throw new Error('main is broken')")
  const host = start([join(folder, 'broken.cjs')], { env: environment() })
  expect(await host.ended).not.toBe(0)
  expect(host.output()).toContain('main is broken')
})

test('--remote-debugging-port lets an outside Playwright drive the same window', async () => {
  const host = start([APP, '--remote-debugging-port=0', `--user-data-dir=${folder}/data`], { env: environment() })
  await host.says('LOADED')
  const [, address = ''] = /DevTools listening on (ws:\S+)/.exec(host.output()) ?? []
  const browser = await chromium.connectOverCDP(address)
  const pages = browser.contexts()[0]?.pages() ?? []
  const page = pages.find((page) => page.url().includes('index.html'))
  await page?.getByRole('button', { name: 'Add' }).click()
  await page?.getByText('added').waitFor()
  await browser.close()
  expect(host.process.exitCode).toBeNull()
})

test('ELECTRON_RENDERER_URL opens the way to the development server, its socket included', async () => {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<title>dev</title><script>new WebSocket(`ws://${location.host}/hot`)</script>')
  }).listen(0, '127.0.0.1')
  const upgraded = new Promise((resolve) => server.once('upgrade', (request) => resolve(request.url)))
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://localhost:${(server.address() as { port: number }).port}`
  const dev = `const { app, BrowserWindow } = require('electron')
    app.whenReady().then(() => new BrowserWindow().loadURL(process.env.ELECTRON_RENDERER_URL)).then(() => console.log('DEV'))`
  writeFileSync(join(folder, 'dev.cjs'), dev)
  const host = start([join(folder, 'dev.cjs')], { env: { ...environment(), ELECTRON_RENDERER_URL: url } })
  await host.says('DEV')
  expect(await upgraded).toBe('/hot')
  server.close()
  server.closeAllConnections()
})

test('a page that nobody drives is told that it is hidden and shown', async () => {
  const hiding = `const { app, BrowserWindow } = require('electron')
    const page = "<title>-</title><script>document.onvisibilitychange = () => (document.title = document.visibilityState)</script>"
    app.whenReady().then(async () => {
      const window = new BrowserWindow({ width: 300, height: 200 })
      window.on('page-title-updated', (_event, title) => console.log('SEEN ' + title))
      await window.loadURL('data:text/html,' + page)
      window.hide()
      window.once('page-title-updated', () => window.show())
    })`
  writeFileSync(join(folder, 'hiding.cjs'), hiding)
  const host = start([join(folder, 'hiding.cjs')], { env: environment() })
  await host.says(/SEEN hidden\s+SEEN visible/)
})
