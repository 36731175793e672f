import type { ElectronApplication } from '@playwright/test'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { mainPage } from '../../../scripts/launch.mjs'
import { startKeyring } from '../../../scripts/with-keyring.mjs'
import { defaultSettings } from '../../../src/shared/state.ts'
import { partFolder } from '../canary/record.ts'
import { startPanel } from './panel.ts'
import { keepConsole, startSiteward, type Session, type Siteward } from './siteward.ts'
import { boundsOf, type Place } from './window.ts'

/** An app that the tests of a file use one after the other. Each test finds it as it is after its first start. */
export interface SharedApp {
  /** Returns the app of this file with a new window, and starts it if it doesn't run. The app of another file is quit. */
  open(file: string): Promise<Session & { siteward: Siteward }>
  /** Clears what a test has left in the app. If anything can't be cleared, the app is quit. */
  clear(): Promise<void>
  quit(): Promise<void>
}

interface Running extends Session {
  file: string
  siteward: Siteward
  bounds: Place
  end(): Promise<void>
}

export function createSharedApp(): SharedApp {
  let running: Running | null = null

  async function quit(): Promise<void> {
    const ended = running
    running = null
    await ended?.siteward.quit()
    await ended?.end()
  }

  return {
    async open(file) {
      if (running !== null && running.file !== file) await quit()
      if (running === null) running = await start(file)
      else running.siteward = { ...running.siteward, page: await newWindow(running.siteward.app) }
      return running
    },
    async clear() {
      if (running === null) return
      keepUserData(running.userData)
      const isClear = await clearData(running.siteward).catch(() => false)
      if (!isClear || !(await closeWindow(running))) await quit()
    },
    quit,
  }
}

async function start(file: string): Promise<Running> {
  const userData = mkdtempSync(join(partFolder('user-data'), 'shared-'))
  const { env: keychain, stop } = await startKeyring()
  const bus = keychain['DBUS_SESSION_BUS_ADDRESS']
  const shownPanel = bus === undefined ? null : await startPanel(bus)
  const end = async (): Promise<void> => {
    await shownPanel?.stop()
    await stop()
  }
  try {
    const session = { userData, keychain, shownPanel }
    const siteward = await startSiteward(session)
    return { ...session, file, siteward, bounds: await boundsOf(siteward.app), end }
  } catch (error) {
    await end()
    throw error
  }
}

async function newWindow(app: ElectronApplication) {
  await app.evaluate((electron) => void electron.app.emit('activate'))
  const page = await mainPage(app)
  keepConsole(page)
  return page
}

/** Copies the app's data for the search after the last test. A file may disappear while it is copied. */
function keepUserData(userData: string): void {
  const copy = mkdtempSync(`${userData}-copy-`)
  for (const name of readdirSync(userData, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(db|db-wal|db-shm|jsonl|log)$/.test(name)) continue
    mkdirSync(dirname(join(copy, name)), { recursive: true })
    try {
      copyFileSync(join(userData, name), join(copy, name))
    } catch (error) {
      if (existsSync(join(userData, name))) throw error
    }
  }
}

/**
 * Removes the connections with their data and keys, and sets the settings back. Returns false if there is something that the
 * app itself can't remove, such as the websites of the embedded sample service.
 */
function clearData({ page }: Siteward): Promise<boolean> {
  return page.evaluate(async (settings) => {
    const bridge = window.siteward
    if (bridge === undefined) return false
    await bridge.cancelConnect()
    const listed = await bridge.listConnections()
    if (!listed.ok || listed.value.some(({ sample }) => sample)) return false
    const removed = []
    for (const { id } of listed.value)
      removed.push(await bridge.removeConnection({ id, unsent: Number.MAX_SAFE_INTEGER, keepLocal: false }))
    const done = [...removed, await bridge.setSettings(settings), await bridge.dismissMishap()]
    return done.every(({ ok }) => ok) && removed.every((one) => one.ok && !one.value.keyLeft)
  }, defaultSettings)
}

/**
 * Closes the window, and resets what else a test may have left in the main process. For the app a minute passes, so
 * that the connects of one test don't count for the limit of the next. Returns false if there isn't one visible window
 * of the initial size.
 */
async function closeWindow({ siteward: { app, page }, bounds }: Running): Promise<boolean> {
  const isUnchanged = await app.evaluate(({ BrowserWindow, clipboard }, { width, height }) => {
    const windows = BrowserWindow.getAllWindows()
    const isAsAtStart = windows.map((window) => {
      const now = window.getBounds()
      return window.isVisible() && now.width === width && now.height === height
    })
    for (const window of windows) window.destroy()
    clipboard.clear()
    const { choices } = globalThis as unknown as { choices: unknown[] }
    choices.length = 0
    const now = performance.now.bind(performance)
    performance.now = () => now() + 60_000
    return isAsAtStart.length === 1 && isAsAtStart[0] === true
  }, bounds)
  if (!page.isClosed()) await page.waitForEvent('close')
  return isUnchanged
}
