import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, expectAtHome, ownTest, PAGE, test } from './support/intruder.ts'
import { createLinkOpener, type LinkOpener } from './support/links.ts'

/** Settings of a window, each of which would switch off a protection that is on by default. */
const LOOSENED = {
  nodeIntegration: true,
  nodeIntegrationInWorker: true,
  nodeIntegrationInSubFrames: true,
  webSecurity: false,
  allowRunningInsecureContent: true,
  experimentalFeatures: true,
  enableBlinkFeatures: expect.stringMatching(/./) as unknown,
  webviewTag: true,
  plugins: true,
  navigateOnDragDrop: true,
}

test('the page is sandboxed and isolated, and no protection that is on by default was switched off', async ({
  siteward,
}) => {
  const made = await siteward.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map(({ webContents }) =>
      (webContents as unknown as { getLastWebPreferences(): object }).getLastWebPreferences(),
    ),
  )
  expect(made).toEqual([expect.objectContaining({ sandbox: true, contextIsolation: true, nodeIntegration: false })])
  for (const [name, value] of Object.entries(LOOSENED)) {
    expect(made).not.toEqual([expect.objectContaining({ [name]: value })])
  }
  expect(await siteward.page.evaluate(() => document.createElement('webview').constructor.name)).toBe('HTMLElement')
})

test('a link, a form or a script can’t lead the page to another address or a file', async ({
  siteward: { app, page },
  outsider,
}) => {
  const addresses = [
    `${outsider.origin}/away`,
    'https://example.com/',
    'file:///etc/passwd',
    'data:text/html,<h1>away</h1>',
    'app://elsewhere/index.html',
    'app://bundle/other.html',
  ]
  for (const address of addresses) {
    await page.evaluate((url) => {
      Object.assign(document.createElement('a'), { href: url }).click()
      const form = Object.assign(document.createElement('form'), { action: url })
      document.body.append(form)
      form.submit()
      form.remove()
      location.assign(url)
    }, address)
  }
  await expectAtHome(app, page)
  expect(outsider.reached()).toBe(0)
})

ownTest('a redirect is not followed, even within app://', async ({ siteward: { app, page } }) => {
  const requested = await app.evaluate(async ({ BrowserWindow, protocol }) => {
    const requests: string[] = []
    protocol.unhandle('app')
    protocol.handle('app', ({ url }) => {
      requests.push(url)
      return new Response(null, { status: 302, headers: { location: 'app://bundle/elsewhere.html' } })
    })
    const [window] = BrowserWindow.getAllWindows()
    const stopped = new Promise((resolve) => window?.webContents.once('did-stop-loading', () => resolve(null)))
    window?.webContents.reload()
    await stopped
    return requests
  })
  expect(requested.map((url) => url.replace(/#.*/, ''))).toEqual([PAGE])
  await expectAtHome(app, page)
})

test('no webview is attached, even in a window that may have one', async ({ siteward: { app } }) => {
  const attached = await app.evaluate(async ({ BrowserWindow, webContents: all }, url) => {
    const window = new BrowserWindow({ show: false, webPreferences: { webviewTag: true, sandbox: true } })
    const { webContents } = window
    await webContents.loadURL(url)
    const requested = new Promise<boolean>((resolve) =>
      webContents.once('will-attach-webview', ({ defaultPrevented }) => resolve(!defaultPrevented)),
    )
    await webContents.executeJavaScript(
      `void document.body.append(Object.assign(document.createElement('webview'), { src: 'about:blank' }))`,
    )
    const allowed = await requested
    const guests = all.getAllWebContents().filter((each) => each.getType() === 'webview').length
    window.destroy()
    return { allowed, guests }
  }, PAGE)
  expect(attached).toEqual({ allowed: false, guests: 0 })
})

const withLinks = ownTest.extend<{ links: LinkOpener }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from this pattern
  links: async ({}, use) => {
    const links = createLinkOpener()
    await use(links)
    links.remove()
  },
  session: ({ links }, use) => use({ PATH: `${links.folder}:${process.env['PATH'] ?? ''}` }),
})

withLinks(
  'no window is opened, and no address of the page reaches the user’s browser: only the checked address of a service, over https',
  async ({ siteward: { app, page }, outsider, links }) => {
    test.skip(process.platform !== 'linux', 'the browsers of other systems aren’t found by a path')
    const addresses = [
      `${outsider.origin}/plain`,
      'https://example.com/?data=carried-out',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'smb://127.0.0.1/share',
      PAGE,
      'not an address',
    ]
    for (const address of addresses) {
      expect(await page.evaluate((url) => window.open(url) === null, address), address).toBe(true)
    }
    const openService = (address: string) =>
      page.evaluate(async (checked) => {
        await window.siteward?.checkAddress({ address: checked })
        return (await window.siteward?.openService())?.ok
      }, address)
    expect(await openService('file:///etc/passwd')).toBe(false)
    expect(await openService(outsider.origin)).toBe(true)
    // Links are opened in order: if one of those above had been opened, it would be in the list.
    expect(await openService('https://127.0.0.1:9')).toBe(true)
    await expect.poll(() => links.opened()).toEqual(['https://127.0.0.1:9/'])
    await expectAtHome(app, page)
  },
)

test('the page gets no permission, such as for the camera or the clipboard', async ({ page }) => {
  const states = await page.evaluate(async () => {
    const names = ['camera', 'microphone', 'geolocation', 'notifications', 'clipboard-read', 'midi', 'idle-detection']
    const states = names.map(async (name) => (await navigator.permissions.query({ name: name as never })).state)
    const uses = [
      () => navigator.mediaDevices.getUserMedia({ video: true }),
      () => navigator.mediaDevices.getDisplayMedia(),
      () => navigator.clipboard.readText(),
      () => new Promise((resolve, reject) => navigator.geolocation.getCurrentPosition(resolve, reject)),
      async () => (await Notification.requestPermission()) === 'denied' && Promise.reject(new Error('denied')),
    ]
    const used = uses.map((use) =>
      use().then(
        () => 'used',
        () => 'refused',
      ),
    )
    return [...(await Promise.all(states)), ...(await Promise.all(used))]
  })
  expect(states).toEqual([...Array<string>(7).fill('denied'), ...Array<string>(5).fill('refused')])
})

ownTest('nothing is downloaded', async ({ siteward: { app, page } }) => {
  const session = await page.context().newCDPSession(page)
  const ends: string[] = []
  session.on('Page.downloadProgress', ({ state }) => state !== 'inProgress' && ends.push(state))
  await session.send('Page.enable')
  const save = (): Promise<void> =>
    page.evaluate(async () => {
      const blob = URL.createObjectURL(new Blob(['kept']))
      for (const href of [blob, 'data:application/octet-stream,kept', './index.html']) {
        Object.assign(document.createElement('a'), { href, download: 'kept.bin' }).click()
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
    })
  await save()
  await expect.poll(() => ends).toEqual(['canceled', 'canceled', 'canceled'])
  await expectAtHome(app, page)

  // Proves that the check above can fail: without the rule, the same clicks save files.
  const folder = mkdtempSync(join(tmpdir(), 'siteward-downloads-'))
  try {
    await app.evaluate(({ session }, to) => {
      session.defaultSession.removeAllListeners('will-download')
      session.defaultSession.on('will-download', (_event, item) => item.setSavePath(`${to}/${item.getFilename()}`))
    }, folder)
    await save()
    await expect.poll(() => ends.slice(3)).toEqual(['completed', 'completed', 'completed'])
    expect(readdirSync(folder)).toContain('kept.bin')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a file or a link that is dropped on the window does nothing', async ({ siteward: { app, page }, outsider }) => {
  const session = await page.context().newCDPSession(page)
  const drops = [
    { items: [], files: ['/etc/hostname'], dragOperationsMask: 1 },
    {
      items: [{ mimeType: 'text/uri-list', data: `${outsider.origin}/dropped` }],
      files: [],
      dragOperationsMask: 1,
    },
    {
      items: [{ mimeType: 'text/html', data: '<img src=x onerror="window.broken=1">' }],
      files: [],
      dragOperationsMask: 1,
    },
  ]
  await page.evaluate(() => {
    const seen: boolean[] = []
    Object.assign(window, { seen })
    for (const type of ['dragover', 'drop']) {
      window.addEventListener(type, (event) => seen.push(event.defaultPrevented), true)
    }
  })
  const address = page.getByLabel('Service address')
  const box = await address.boundingBox()
  const places = [
    { x: 20, y: 20 },
    { x: (box?.x ?? 0) + 20, y: (box?.y ?? 0) + 5 },
  ]
  for (const data of drops) {
    for (const place of places) {
      for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
        await session.send('Input.dispatchDragEvent', { type, ...place, data })
      }
    }
  }
  await expectAtHome(app, page)
  await expect(address).toHaveValue('')
  expect(outsider.reached()).toBe(0)
  const [seen, broken] = await page.evaluate(() => [
    (window as unknown as { seen: boolean[] }).seen,
    'broken' in window,
  ])
  expect(seen).toEqual(Array<boolean>(2 * drops.length * places.length).fill(true))
  expect(broken).toBe(false)
})

test('(set-up of the canary) the page and main log a text that the search at the end of the run must find', async ({
  siteward: { app, page },
}) => {
  await page.evaluate(() => console.log('the canary’s own word'))
  await app.evaluate(() => console.log('the canary’s own word'))
  await expectAtHome(app, page)
})
