import type { ElectronApplication, Page, TestInfo } from '@playwright/test'
import { join } from 'node:path'
import { launchApp, quitApp } from '../../../scripts/launch.mjs'
import { keep } from '../canary/record.ts'
import { expect } from './expect.ts'
import type { Panel } from './panel.ts'

export interface Siteward {
  readonly app: ElectronApplication
  readonly page: Page
  quit(): Promise<void>
}

export interface Session {
  userData: string
  keychain: Readonly<Record<string, string>>
  shownPanel: Panel | null
  endsWaits?: boolean
}

/** The script that main loads before the app. It records the bridge, and answers file dialogs. */
export const recorder = join(import.meta.dirname, '../canary/recorder.mjs')
/** The script that lets a test end long timers of main (`endWait`, clock.ts). */
const longWaits = join(import.meta.dirname, 'long-waits-preload.mjs')

/** Starts the app, and waits for its window and its icon. Its output is recorded for the search after the last test. */
export async function startSiteward(session: Session, args?: readonly string[]): Promise<Siteward> {
  const { userData, keychain: env, shownPanel, endsWaits = false } = session
  const hasIcon = iconOf(shownPanel)
  const required = [recorder, ...(endsWaits ? [longWaits] : [])]
  const { app, page } = await launchApp({ userData, env, args, required })
  const { stdout, stderr } = app.process()
  for (const stream of [stdout, stderr]) stream?.on('data', (chunk) => keep('output', String(chunk)))
  keepConsole(page)
  await hasIcon()
  const quit = async (): Promise<void> => {
    await keepWindow(page)
    await quitApp(app)
  }
  return { app, page, quit }
}

/** Returns a function that waits for the icon of an app that is launched from now on. */
export function iconOf(panel: Panel | null): () => Promise<void> {
  const before = panel?.registered() ?? 0
  return async () => {
    if (panel === null) return
    await expect.poll(() => panel.registered() - before, 'the app’s icons').toBe(1)
    await expect.poll(panel.count, 'icons on the panel').toBe(1)
  }
}

export function keepConsole(page: Page): void {
  page.on('console', (message) => keep('console', message.text()))
  page.on('pageerror', (error) => keep('console', String(error.stack)))
}

/** Records what the window shows for the search after the last test. A closed window shows nothing. */
export const keepWindow = async (page: Page): Promise<void> => keep('window', await page.content().catch(() => ''))

/** Attaches a screenshot to a failed test. If that fails, the test's own failure is still reported. */
export async function attachPicture(page: Page, testInfo: TestInfo): Promise<void> {
  if (testInfo.status === testInfo.expectedStatus) return
  const body = await page.screenshot({ timeout: 5000 }).catch(() => null)
  if (body) await testInfo.attach('window', { body, contentType: 'image/png' })
}
