import { _electron, expect, type ElectronApplication, type Page } from '@playwright/test'
import type { BrowserWindow, IpcMainInvokeEvent } from 'electron'
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HostControls } from '../../scripts/host/controls.ts'

export const HOST = join(import.meta.dirname, '../../scripts/host/electron')
export const APP = join(import.meta.dirname, 'fixtures/app')

/** What the fixture's main process keeps for the tests. */
export interface Main {
  window: BrowserWindow
  heard: unknown[]
  lastRequest: { url: string; method: string; referrer: string | null }
  events: unknown[]
  lastEvent: IpcMainInvokeEvent
}

export type Electron = typeof import('electron') & { host: HostControls }

export interface Fixture {
  app: ElectronApplication
  page: Page
  folder: string
  /** Runs in the main process, with `electron`, what the fixture keeps, and one argument. */
  main: <R, A = undefined>(f: (electron: Electron, main: Main, given: A) => R, given?: A) => Promise<Awaited<R>>
  close: () => Promise<void>
}

export async function launchFixture(args: string[] = []): Promise<Fixture> {
  const folder = temporaryFolder()
  const app = await _electron.launch({
    executablePath: HOST,
    args: [APP, `--user-data-dir=${folder}`, ...args],
    env: { ...process.env, DISPLAY: '' } as Record<string, string>,
    colorScheme: null,
  })
  const page = await pageAt(app, 'index.html')
  return {
    app,
    page,
    folder,
    main: (f, given) =>
      app.evaluate(
        (electron, { text, given }) =>
          new Function('electron', 'main', 'given', `return (${text})(electron, main, given)`)(
            electron,
            globalThis,
            given,
          ),
        { text: f.toString(), given },
      ) as never,
    close: async () => {
      await app.close()
      // What was just ended, the browser's processes among it, may still write its last.
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
    },
  }
}

/** The window that shows `file`, its scripts run. A listener for dialogs keeps Playwright from answering a close's. */
export async function pageAt(app: ElectronApplication, file: string): Promise<Page> {
  const find = (): Page | undefined => app.windows().find((page) => page.url().includes(file))
  await expect.poll(() => find() !== undefined).toBe(true)
  const page = find() as Page
  page.on('dialog', () => undefined)
  await ready(page)
  return page
}

/** Scripts have run. Not waitForFunction, which needs eval: the page's policy forbids it. */
export const ready = (page: Page): Promise<void> => page.locator('html[data-ready]').waitFor({ state: 'attached' })

/** Loads the fixture's page anew; resolves when Playwright has seen it too, which is later than main does. */
export async function loadAgain({ main, page }: Fixture): Promise<void> {
  const url = await main((_electron, { window }) => {
    const url = `app://bundle/index.html?load=${process.uptime()}`
    return window.loadURL(url).then(() => url)
  })
  // Not waitForURL: it fails with an earlier navigation that was refused.
  await expect.poll(() => page.url()).toContain(new URL(url).search)
  await ready(page)
}

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'host-test-'))

export interface Started {
  process: ChildProcess
  output: () => string
  says: (text: string | RegExp) => Promise<void>
  ended: Promise<number | null>
}

/** The host as a shell starts it, without Playwright. */
export function startHost(args: string[], options: { cwd?: string; env?: Record<string, string> } = {}): Started {
  const env = { ...process.env, DISPLAY: '', ...options.env }
  const child = spawn(HOST, args, { cwd: options.cwd, env, stdio: 'pipe' })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  return {
    process: child,
    output: () => output,
    says: (text) => expect.poll(() => output, { timeout: 20_000 }).toMatch(text),
    ended: new Promise((resolve) => child.once('close', resolve)),
  }
}
