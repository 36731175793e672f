import { expect, test } from '@playwright/test'
import { launchFixture, loadAgain, ready, type Fixture } from './fixture.ts'

let fixture: Fixture
test.beforeAll(async () => {
  fixture = await launchFixture()
  await fixture.main((_electron, main) => {
    main.events = []
    const { webContents } = main.window
    webContents.on('will-navigate', (event) => {
      main.events.push(['navigate', event.url])
      if (!event.url.startsWith('app://bundle/')) event.preventDefault()
    })
    webContents.setWindowOpenHandler(({ url, frameName }) => {
      main.events.push(['open', url, frameName])
      return { action: 'deny' }
    })
  })
})
test.afterAll(() => fixture.close())
test.beforeEach(() => fixture.main((_electron, main) => void (main.events = [])))

const events = (): Promise<unknown[]> => fixture.main((_electron, main) => main.events)
const address = (): Promise<string> => fixture.main((_electron, { window }) => window.webContents.getURL())

const leaving: [string, () => void, string][] = [
  ['a link', () => document.getElementById('elsewhere')?.click(), 'https://elsewhere.test/x'],
  ['location', () => void (location.href = 'https://elsewhere.test/l'), 'https://elsewhere.test/l'],
  ['a form', () => (document.getElementById('form') as HTMLFormElement).submit(), 'https://elsewhere.test/form'],
]
for (const [what, leave, url] of leaving) {
  test(`will-navigate is asked for ${what}; prevented, the page stays as it is`, async () => {
    await fixture.page.evaluate(() => Object.assign(window, { mark: 'still here' }))
    await fixture.page.evaluate(leave)
    await expect.poll(events).toEqual([['navigate', url]])
    expect(await address()).toBe('app://bundle/index.html')
    expect(await fixture.page.evaluate('[mark, api.sum(1, 1)]')).toEqual(['still here', 2])
  })
}

test('after a prevented navigation a close still asks', async () => {
  await fixture.page.evaluate(() => document.getElementById('elsewhere')?.click())
  await expect.poll(events).toHaveLength(1)
  await fixture.main(({ host }, main) => {
    main.window.once('close', (event) => {
      event.preventDefault()
      main.events.push('close')
    })
    return host.pressTitleBarClose(main.window)
  })
  await expect.poll(events).toContain('close')
  expect(await fixture.main((_electron, { window }) => window.isDestroyed())).toBe(false)
})

test("other schemes lead nowhere, and the app's own load and reload ask nobody", async () => {
  for (const url of ['file:///etc/passwd', 'data:text/html,x', 'mailto:a@b.test']) {
    await fixture.page.evaluate((url) => void (location.href = url), url)
  }
  await loadAgain(fixture)
  await fixture.page.reload()
  await ready(fixture.page)
  expect((await events()).filter((event) => String(event).includes('app://'))).toEqual([])
  expect(await address()).toContain('app://bundle/index.html')
})

test('a navigation that the app allows is made', async () => {
  await fixture.page.evaluate(() => document.getElementById('next')?.click())
  await expect.poll(address).toBe('app://bundle/next.html')
  expect(await events()).toEqual([['navigate', 'app://bundle/next.html']])
  await loadAgain(fixture)
})

test('loadURL rejects what fails to load', async () => {
  const load = fixture.main((_electron, { window }) => window.loadURL('https://elsewhere.test/'))
  await expect(load).rejects.toThrow("loading 'https://elsewhere.test/'")
  await loadAgain(fixture)
})

test('window.open asks the handler; denied, it returns null and no window comes', async () => {
  const before = fixture.app.windows().length
  expect(await fixture.page.evaluate(() => window.open('/pop', 'named', 'width=200'))).toBeNull()
  await expect.poll(events).toEqual([['open', 'app://bundle/pop', 'named']])
  expect(fixture.app.windows()).toHaveLength(before)
})

test('a link with a target asks the handler too, and no window stays', async () => {
  const before = fixture.app.windows().length
  await fixture.page.evaluate(() => document.getElementById('blank')?.click())
  await expect.poll(events).toContainEqual(['open', 'https://elsewhere.test/blank', ''])
  await expect.poll(() => fixture.app.windows().length).toBe(before)
  expect(await fixture.main(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
})

test('permissions are what the handlers say', async () => {
  const states = (): Promise<unknown> =>
    fixture.page.evaluate(() =>
      Promise.all(
        (['notifications', 'geolocation', 'camera', 'clipboard-read'] as PermissionName[]).map(
          async (name) => (await navigator.permissions.query({ name })).state,
        ),
      ),
    )
  expect(await states()).toEqual(Array(4).fill('granted'))
  await fixture.main(({ session }) => {
    session.defaultSession.setPermissionRequestHandler((_contents, permission, answer) =>
      answer(permission === 'media'),
    )
  })
  await loadAgain(fixture)
  expect(await states()).toEqual(['denied', 'denied', 'granted', 'denied'])
  expect(await fixture.page.evaluate(() => Notification.requestPermission())).toBe('denied')
})

test('a download is not made', async () => {
  await fixture.page.evaluate(() => {
    const link = document.createElement('a')
    link.href = '/page.js'
    link.download = 'kept.js'
    link.click()
  })
  expect(await fixture.page.evaluate(() => document.title)).toBe('Fixture')
})
