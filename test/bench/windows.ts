import { svelte } from '@sveltejs/vite-plugin-svelte'
import { cpSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ElectronApplication, Page } from 'playwright'
import { build } from 'vite'
import { launchApp, quitApp } from '../../scripts/launch.mjs'
import { inProject, root } from '../../scripts/setup/project.mjs'
import { startSampleService, type SampleService } from '../../src/main/sample/service.ts'
import type { SitewardBridge } from '../../src/preload/bridge.ts'
import type { Shown } from './bare-window/shown.ts'
import { connect, withDesktop } from './desktop.ts'

export const WEBSITES = 10_000

/** The app with two windows in one browser: its own with the list, and one with a bare table of the same rows. */
export interface Windows {
  app: ElectronApplication
  ours: Page
  bare: Page
  /** All websites, in the order in which both windows show them. */
  websites: Shown['websites']
  service: SampleService
  /** A file on the app's disk that baselines append to. */
  log: string
  /** Shows one of the windows and hides the other, so that only one of them is drawn. */
  bringUp: (which: 'ours' | 'bare') => Promise<void>
}

/** Runs a copy of the built app, with its list read from a sample service in this process. */
export async function withWindows<T>(use: (windows: Windows) => Promise<T>): Promise<T> {
  return withDesktop(async ({ folder, env }) => {
    const service = await startSampleService({ websites: WEBSITES, rate: 1_000_000 })
    const copy = join(folder, 'app')
    for (const part of ['out', 'resources', 'package.json'])
      cpSync(join(root, part), join(copy, part), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    const { app, page: ours } = await launchApp({ userData: join(folder, 'data'), env, folder: copy })
    try {
      await connect(ours, service, WEBSITES)
      const shown = await readShown(ours)
      const log = join(folder, 'appended.log')
      const bare = await openBare(app, copy, shown, log)
      const bringUp = (which: 'ours' | 'bare') => bringUpIn(app, which)
      return await use({ app, ours, bare, websites: shown.websites, service, log, bringUp })
    } finally {
      await quitApp(app)
      await service.close()
    }
  })
}

/** Reads all websites through the bridge, and the size of the list and of its rows. */
async function readShown(page: Page): Promise<Shown> {
  return page.evaluate(async (all) => {
    const { siteward } = window as never as { siteward: SitewardBridge }
    const websites = []
    for (let at = 1; websites.length < all; at++) {
      const answer = await siteward.listWebsites({ per_page: 100, page: at, sort_by: 'id', sort: 'desc' })
      if (!answer.ok) throw new Error(answer.error.code)
      websites.push(...answer.value.websites)
    }
    let scroller = document.querySelector('[role=grid]')
    while (scroller && scroller.scrollHeight <= scroller.clientHeight) scroller = scroller.parentElement
    const row = document.querySelector('[role=grid] [aria-rowindex="2"]')
    return { websites, height: scroller?.clientHeight ?? 0, row: row?.clientHeight ?? 0 }
  }, WEBSITES)
}

/** Opens the second window, as large as the app's own; its preload script offers one bare call to main. */
async function openBare(app: ElectronApplication, copy: string, shown: Shown, log: string): Promise<Page> {
  const source = inProject('test', 'bench', 'bare-window')
  // Where `app://bundle/` finds it.
  const outDir = join(copy, 'out', 'renderer', 'bare')
  const options = { outDir, emptyOutDir: true, modulePreload: false, target: 'esnext' } as const
  const plugins = [svelte({ configFile: inProject('svelte.config.js') })]
  await build({ root: source, base: './', configFile: false, logLevel: 'warn', plugins, build: options })
  writeFileSync(join(outDir, 'shown.js'), `export const shown = ${JSON.stringify(shown)}`)
  const opened = app.waitForEvent('window')
  await app.evaluate(
    async ({ BrowserWindow, ipcMain }, { preload, file }) => {
      const { closeSync, fdatasyncSync, openSync, writeSync } = process.getBuiltinModule('node:fs')
      const log = openSync(file, 'a')
      ipcMain.handle('bench:append', (_event, text: string) => {
        writeSync(log, text)
        fdatasyncSync(log)
      })
      const [ours] = BrowserWindow.getAllWindows()
      const window = new BrowserWindow({ ...ours?.getBounds(), webPreferences: { preload } })
      window.on('closed', () => closeSync(log))
      await window.loadURL('app://bundle/bare/index.html')
    },
    { preload: join(source, 'preload.cjs'), file: log },
  )
  const page = await opened
  await page.locator('[role=row]').first().waitFor()
  return page
}

const bringUpIn = (app: ElectronApplication, which: 'ours' | 'bare'): Promise<void> =>
  app.evaluate(async ({ BrowserWindow }, wanted) => {
    // The inspector runs this in between any two statements of the app, even while it steps through the rows of a query.
    await new Promise((resolve) => setImmediate(resolve))
    for (const window of BrowserWindow.getAllWindows()) {
      const isBare = window.webContents.getURL().includes('/bare/index.html')
      if (isBare === (wanted === 'bare')) window.show()
      else window.hide()
    }
    await new Promise((resolve) => setTimeout(resolve, 300))
  }, which)
