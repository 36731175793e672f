import type { ElectronApplication } from '@playwright/test'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from './support/app.ts'
import { connect, saveWebsite, searchBox, websiteRow } from './support/screens.ts'
import { isWindowVisible } from './support/tray.ts'
import { openOtherProgram } from './support/other-program.ts'

interface Sight {
  /** The color behind the page until that is drawn. */
  behind: string
  /** The color of the page itself. Null if nothing was drawn yet. */
  page: string | null
}

const watchShown = (app: ElectronApplication): Promise<void> =>
  app.evaluate((electron) => {
    const seen = globalThis as { sights?: Promise<unknown>[] }
    const sights = (seen.sights = [] as Promise<unknown>[])
    electron.app.on('browser-window-created', (_event, window) => {
      window.on('show', () => {
        const look = `document.body.innerText.trim() === '' ? null : getComputedStyle(document.body).backgroundColor`
        const behind = window.getBackgroundColor()
        sights.push(window.webContents.executeJavaScript(look).then((page) => ({ behind, page }) as unknown))
      })
    })
  })

const shown = (app: ElectronApplication): Promise<Sight[]> =>
  app.evaluate(() => Promise.all((globalThis as { sights?: Promise<Sight>[] }).sights ?? []))

const rgb = (hex: string): string =>
  `rgb(${[1, 3, 5].map((at) => String(Number.parseInt(hex.slice(at, at + 2), 16))).join(', ')})`

for (const scheme of ['light', 'dark'] as const)
  test(`shows a ${scheme} window with content, over a background of the page’s color`, async ({
    launchHidden,
    tray,
    appearance,
  }) => {
    const { app, page } = await launchHidden()
    appearance.set(scheme)
    const isDark = () => app.evaluate(({ nativeTheme }) => nativeTheme.shouldUseDarkColors)
    await expect.poll(isDark).toBe(scheme === 'dark')
    await watchShown(app)
    await tray.click()
    await page()
    await expect.poll(async () => (await shown(app)).length).toBe(1)
    const [sight] = await shown(app)
    expect(sight?.page).toBe(rgb(sight?.behind ?? ''))
  })

test('shows a window even if the system never reports that it is drawn', async ({ launchHidden, tray }) => {
  const { app } = await launchHidden()
  await app.evaluate((electron) => {
    electron.app.on('browser-window-created', (_event, window) =>
      setImmediate(() => window.removeAllListeners('ready-to-show')),
    )
  })
  await tray.click()
  await expect.poll(() => isWindowVisible(app)).toBe(true)
})

test('only the user brings the window to the front', async ({ launch, tray, notices, appearance, service }) => {
  const { app, page } = await launch()
  const focused = () =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((window) => window.isFocused()))
  await connect(page, service)
  await expect.poll(focused).toBe(true)
  await tray.choose('Pause sending')
  await saveWebsite(page, 'fine.example')
  await saveWebsite(page, 'taken.example')
  const other = await openOtherProgram()
  await expect.poll(focused).toBe(false)
  const focus = await app.evaluateHandle(({ BrowserWindow }) => {
    const taken = { times: 0 }
    BrowserWindow.getAllWindows().forEach((window) => window.on('focus', () => (taken.times += 1)))
    return taken
  })

  // Changes are sent, parked and reported; the theme changes; the page's process crashes and is restarted.
  await tray.choose('Resume sending')
  await expect.poll(notices.titles).toContain('1 change needs attention')
  appearance.set('dark')
  await expect.poll(() => app.evaluate(({ nativeTheme }) => nativeTheme.shouldUseDarkColors)).toBe(true)
  await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().forEach(({ webContents }) => webContents.forcefullyCrashRenderer()),
  )
  // A page that is gone never answers.
  const text = () =>
    app.evaluate(async ({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents
      const read = contents?.executeJavaScript('document.body.innerText') as Promise<string> | undefined
      const late = new Promise<string>((resolve) => setTimeout(() => resolve(''), 500))
      return Promise.race([read?.catch(() => '') ?? '', late])
    })
  await expect.poll(text).toContain('This window was reloaded after an unexpected error')
  await wait(500)
  expect(await focus.evaluate(({ times }) => times)).toBe(0)
  expect(await focused()).toBe(false)
  expect(await isWindowVisible(app)).toBe(true)
  other.close()
})

test('a right-click in a text field opens its menu, and on a website only the menu of the row', async ({
  siteward: { app, page },
  service,
}) => {
  await app.evaluate(({ Menu, clipboard }) => {
    clipboard.writeText('copied')
    const seen = globalThis as { popped?: string[][] }
    const popped = (seen.popped = [] as string[][])
    Menu.prototype.popup = function () {
      popped.push(this.items.flatMap(({ enabled, label }) => (enabled && label !== '' ? [label] : [])))
    }
  })
  const popped = () => app.evaluate(() => (globalThis as { popped?: string[][] }).popped)
  const key = page.getByLabel('API key', { exact: true })
  await key.fill('typed')
  await key.selectText()
  await key.click({ button: 'right' })
  // The field hides the key, so the key can't be copied.
  await expect.poll(popped).toEqual([['Undo', 'Paste', 'Select all']])

  await connect(page, service)
  await saveWebsite(page, 'one.example')
  await websiteRow(page, 'one.example').click({ button: 'right' })
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('Escape')
  await searchBox(page).click({ button: 'right' })
  await expect.poll(popped).toHaveLength(2)
})
