import { svelte } from '@sveltejs/vite-plugin-svelte'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Page } from 'playwright'
import { build } from 'vite'
import { launchApp, quitApp } from '../../scripts/launch.mjs'
import { presentRuntime } from '../../scripts/runtime.mjs'
import { inProject, root } from '../../scripts/setup/project.mjs'
import { startKeyring } from '../../scripts/with-keyring.mjs'
import { lacksDisplay, startXvfb } from '../../scripts/xvfb.mjs'
import { startPanel } from '../e2e/support/panel.ts'

/** The environment of an app: a keychain, a display, a panel that shows tray icons, and a temporary folder. */
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

/** Fills in the connect form, and waits until the list shows this number of websites. */
export async function connect(page: Page, { address, apiKey }: Address, websites: number): Promise<void> {
  await page.getByLabel('Service address').fill(address)
  await page.getByLabel('API key', { exact: true }).fill(apiKey)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  const table = page.getByRole('grid', { name: 'Websites' })
  await table.and(page.locator(`[aria-rowcount="${String(websites + 1)}"]`)).waitFor({ timeout: 120_000 })
}

/** Returns the data folder of an app that has connected to each service, read its list, and quit. */
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

/** Builds the page whose source is `test/bench/<source>`. */
export async function buildPage(source: string, outDir: string): Promise<void> {
  const options = { outDir, emptyOutDir: true, modulePreload: false, target: 'esnext' } as const
  const plugins = [svelte({ configFile: inProject('svelte.config.js') })]
  const root = inProject('test', 'bench', source)
  await build({ root, base: './', configFile: false, logLevel: 'warn', plugins, build: options })
}

export async function buildBareApp(folder: string): Promise<string> {
  await buildPage('bare-app', join(folder, 'page'))
  cpSync(inProject('test', 'bench', 'bare-app', 'main.cjs'), join(folder, 'main.cjs'))
  cpSync(inProject('resources', 'icon.png'), join(folder, 'icon.png'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'bare', version: '0.1.0', main: 'main.cjs' }))
  return folder
}

export interface Running {
  pid: number
  /** Milliseconds from the start until the list was painted or, if the app started hidden, the tray icon had its menu. */
  took: number
  /** Runs a command of probe.cjs in the app. Resolves with the milliseconds that the command took. */
  command: (name: 'hide' | 'show' | 'release' | 'collect') => Promise<number>
  quit: () => Promise<void>
}

export interface Start {
  userData: string
  /** The folder of the app. Default: Siteward. */
  app?: string
  /** True for a start in the tray, without a window. */
  hidden?: boolean
}

export async function start({ env }: Desktop, { userData, app = root, hidden = false }: Start): Promise<Running> {
  const { executable, args } = presentRuntime()
  const probe = inProject('test', 'bench', 'probe.cjs')
  const switches = [`--user-data-dir=${userData}`, ...(hidden ? ['--hidden'] : [])]
  const begun = performance.now()
  const child = spawn(executable, [...args, '-r', probe, app, ...switches], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  void ended.then(() => process.off('exit', kill))
  const lines = createInterface(child.stdout)
  /** Waits for a line of probe.cjs that starts with this name, and returns the text after the name. */
  const reported = async (name: string): Promise<string> => {
    const found = new Promise<string>((resolve) => {
      lines.on('line', (line) => {
        const [mark, what, value = ''] = line.split(' ')
        if (mark === 'siteward-bench' && what === name) resolve(value)
      })
    })
    return Promise.race([found, ended.then(() => Promise.reject(new Error(`The app ended before: ${name}`)))])
  }
  await reported(hidden ? 'tray' : 'list')
  return {
    pid: child.pid ?? 0,
    took: performance.now() - begun,
    async command(name) {
      const answer = reported(name)
      child.stdin.write(`${name}\n`)
      return Number(await answer)
    },
    async quit() {
      const timer = setTimeout(kill, 15_000)
      child.kill('SIGTERM')
      await ended
      clearTimeout(timer)
    },
  }
}
