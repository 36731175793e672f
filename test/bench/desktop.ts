import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import type { Page } from 'playwright'
import { launchApp, quitApp } from '../../scripts/launch.mjs'
import { presentRuntime } from '../../scripts/runtime.mjs'
import { inProject, root } from '../../scripts/setup/project.mjs'
import { startKeyring } from '../../scripts/with-keyring.mjs'
import { lacksDisplay, startXvfb } from '../../scripts/xvfb.mjs'
import { startPanel } from '../e2e/support/panel.ts'
import { temporaryFolder } from './connection.ts'

/** Where an app runs: a keychain, a display, a panel that shows icons, and a folder of its own. */
export interface Desktop {
  folder: string
  env: Record<string, string>
}

export async function withDesktop<T>(use: (desktop: Desktop) => Promise<T>): Promise<T> {
  const { folder, end } = temporaryFolder()
  const keyring = await startKeyring()
  const bus = keyring.env['DBUS_SESSION_BUS_ADDRESS']
  const panel = bus === undefined ? null : await startPanel(bus)
  const xvfb = lacksDisplay() ? await startXvfb() : null
  try {
    return await use({ folder, env: { ...keyring.env, ...xvfb?.env } })
  } finally {
    await xvfb?.stop()
    await panel?.stop()
    await keyring.stop()
    end()
  }
}

export interface Address {
  address: string
  apiKey: string
}

/** Fills the connect form in, and waits for the whole list. */
export async function connect(page: Page, { address, apiKey }: Address, websites: number): Promise<void> {
  await page.getByLabel('Service address').fill(address)
  await page.getByLabel('API key', { exact: true }).fill(apiKey)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  const table = page.getByRole('grid', { name: 'Websites' })
  await table.and(page.locator(`[aria-rowcount="${String(websites + 1)}"]`)).waitFor({ timeout: 120_000 })
}

/** The data of an app that has connected, read its list, and ended. */
export async function connectedData(
  { folder, env }: Desktop,
  name: string,
  service: Address,
  websites: number,
): Promise<string> {
  const userData = join(folder, name)
  const { app, page } = await launchApp({ userData, env })
  await connect(page, service, websites)
  await quitApp(app)
  return userData
}

/** An app that is nothing but a tray with a menu; asked for a window, it shows a blank one. */
export function emptyApp({ folder }: Desktop): string {
  const app = join(folder, 'empty-app')
  mkdirSync(app, { recursive: true })
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'empty', version: '0.1.0', main: 'main.cjs' }))
  writeFileSync(
    join(app, 'main.cjs'),
    `const { app, BrowserWindow, Menu, Tray } = require('electron')
app.on('window-all-closed', () => undefined)
app.on('activate', () => void new BrowserWindow({ width: 1180, height: 740 }).loadURL('about:blank'))
void app.whenReady().then(() => {
  globalThis.tray = new Tray(${JSON.stringify(inProject('resources', 'icon.png'))})
  globalThis.tray.setToolTip('Empty')
  globalThis.tray.setContextMenu(Menu.buildFromTemplate([{ label: 'Quit', click: () => app.quit() }]))
})
`,
  )
  return app
}

export interface Started {
  child: ChildProcess
  /** What the probe says next (probe.cjs). */
  said: () => Promise<string>
  /** Milliseconds from the start of the process until the tray was ready. */
  took: number
  quit: () => Promise<void>
}

export interface StartOptions {
  /** Its folder; ours without it. */
  app?: string
  /** More of its environment. */
  env?: Record<string, string>
  /** What main has before it; it says `tray` once that is ready. */
  required?: string
}

/** Starts an app without a window, until its tray is ready. */
export async function startInTray(
  { env }: Desktop,
  userData: string,
  { app = root, env: more = {}, required = inProject('test', 'bench', 'probe.cjs') }: StartOptions = {},
): Promise<Started> {
  const { executable, args } = presentRuntime()
  const begun = performance.now()
  const child = spawn(executable, [...args, '-r', required, app, `--user-data-dir=${userData}`, '--hidden'], {
    cwd: root,
    env: { ...process.env, ...env, ...more },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  void ended.then(() => process.off('exit', kill))
  const said = linesOf(createInterface(child.stdout), ended)
  if ((await said()) !== 'tray') throw new Error('the tray did not come')
  const took = performance.now() - begun
  return {
    child,
    said,
    took,
    async quit() {
      const timer = setTimeout(kill, 15_000)
      child.kill('SIGTERM')
      await ended
      clearTimeout(timer)
    },
  }
}

const SAYS = 'siteward-bench '

function linesOf(lines: Interface, ended: Promise<unknown>): () => Promise<string> {
  const come: string[] = []
  let tell: ((line: string) => void) | null = null
  lines.on('line', (line) => {
    if (!line.startsWith(SAYS)) return
    come.push(line.slice(SAYS.length))
    if (tell === null) return
    tell(come.shift() ?? '')
    tell = null
  })
  return () =>
    Promise.race([
      new Promise<string>((resolve) => {
        const [first] = come.splice(0, 1)
        if (first === undefined) tell = resolve
        else resolve(first)
      }),
      ended.then(() => Promise.reject(new Error('the app has ended'))),
    ])
}
