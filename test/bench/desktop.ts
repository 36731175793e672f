import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Page } from 'playwright'
import { launchApp, quitApp } from '../../scripts/launch.mjs'
import { presentRuntime } from '../../scripts/runtime.mjs'
import { inProject, root } from '../../scripts/setup/project.mjs'
import { startKeyring } from '../../scripts/with-keyring.mjs'
import { lacksDisplay, startXvfb } from '../../scripts/xvfb.mjs'
import { startPanel } from '../e2e/support/panel.ts'

/** The desktop on which an app runs: a keychain, a display, a panel that shows icons, and a temporary folder. */
export interface Desktop {
  folder: string
  env: Record<string, string>
}

export async function withDesktop<T>(use: (desktop: Desktop) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'siteward-bench-'))
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
    rmSync(folder, { recursive: true, force: true })
  }
}

export interface Address {
  address: string
  apiKey: string
}

/** Fills in the connect form, and waits for the whole list. */
export async function connect(page: Page, { address, apiKey }: Address, websites: number): Promise<void> {
  await page.getByLabel('Service address').fill(address)
  await page.getByLabel('API key', { exact: true }).fill(apiKey)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  const table = page.getByRole('grid', { name: 'Websites' })
  await table.and(page.locator(`[aria-rowcount="${String(websites + 1)}"]`)).waitFor({ timeout: 120_000 })
}

/** Makes the data of an app that has connected to each service, read its list, and quit. */
export async function connectedData(
  { folder, env }: Desktop,
  name: string,
  [service, ...others]: readonly [Address, ...Address[]],
  websites: number,
): Promise<string> {
  const userData = join(folder, name)
  const { app, page } = await launchApp({ userData, env })
  await connect(page, service, websites)
  for (const { address, apiKey } of others) {
    await page.evaluate(
      async (request) => {
        await window.siteward?.connect({ ...request, keep: 'keychain' })
        await window.siteward?.refresh()
      },
      { address, apiKey },
    )
  }
  await quitApp(app)
  return userData
}

/** Makes an app that is nothing but a tray icon with a menu, and a blank window when it's activated. */
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
  pid: number
  /** Milliseconds from the start of the process until the tray icon had its menu. */
  took: number
  openWindow: () => void
  quit: () => Promise<void>
}

/** Starts an app (ours without `app`) hidden, and waits until the tray icon has its menu. */
export async function startInTray({ env }: Desktop, userData: string, app = root): Promise<Started> {
  const { executable, args } = presentRuntime()
  const probe = inProject('test', 'bench', 'probe.cjs')
  const begun = performance.now()
  const child = spawn(executable, [...args, '-r', probe, app, `--user-data-dir=${userData}`, '--hidden'], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  void ended.then(() => process.off('exit', kill))
  const ready = new Promise<void>((resolve) =>
    createInterface(child.stdout).on('line', (line) => line === 'siteward-bench tray' && resolve()),
  )
  await Promise.race([
    ready,
    ended.then(() => Promise.reject(new Error('The app ended before its tray icon was ready.'))),
  ])
  return {
    pid: child.pid ?? 0,
    took: performance.now() - begun,
    openWindow: () => void child.kill('SIGWINCH'),
    async quit() {
      const timer = setTimeout(kill, 15_000)
      child.kill('SIGTERM')
      await ended
      clearTimeout(timer)
    },
  }
}
