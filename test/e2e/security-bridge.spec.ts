import type { ElectronApplication, Frame, Page } from '@playwright/test'
import { commands } from '../../src/preload/bridge.ts'
import { expect, test } from './support/app.ts'
import { forge, openToForgers } from './support/forger.ts'
import { PAGE } from './support/intruder.ts'
import { planted } from './support/planted.ts'
import { connect, connectForm, websiteTable } from './support/screens.ts'

type Answer = { ok: boolean; error?: { code: string } }
type Bridge = Record<string, (request?: unknown) => Promise<Answer>>

/** Sends every command of the bridge, with a request that fits some of them. Returns `answered` or the error code of each. */
const askAll = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(async () => {
    const { siteward } = window as unknown as { siteward: Bridge }
    const calls = Object.keys(siteward)
      .filter((name) => name !== 'on')
      .map(async (name) => {
        const answer = await siteward[name]?.({ key: 'w1', page: 1, id: 'e1' })
        return [name, answer?.ok ? 'answered' : (answer?.error?.code ?? 'nothing')]
      })
    return Object.fromEntries(await Promise.all(calls))
  })

const everyCommand = (code: string): Record<string, string> =>
  Object.fromEntries(Object.keys(commands).map((name) => [name, code]))

test.describe('the bridge answers nobody', () => {
  for (const [where, url] of [
    [
      'on a page of another origin in our own window',
      'data:text/html,<p>elsewhere</p><iframe srcdoc="<p>within</p>"></iframe>',
    ],
    ['on an empty page in our own window', 'about:blank'],
  ] as const) {
    test(where, async ({ siteward: { app, page }, service }) => {
      await connect(page, service)
      await app.evaluate(
        ({ BrowserWindow }, address) => BrowserWindow.getAllWindows()[0]?.webContents.loadURL(address),
        url,
      )
      await expect.poll(() => page.url()).toBe(url)
      expect(await askAll(page)).toEqual(everyCommand('forbidden-sender'))
      for (const frame of page.frames().slice(1)) {
        expect(await frame.evaluate(() => 'siteward' in window)).toBe(false)
      }
    })
  }

  test('in another window, even with our own page in it', async ({ siteward: { app, page } }) => {
    await connectForm(page)
    const opened = app.waitForEvent('window')
    await app.evaluate(async ({ BrowserWindow, app }) => {
      const preload = `${app.getAppPath()}/out/preload/index.cjs`
      const other = new BrowserWindow({ webPreferences: { preload, sandbox: true, contextIsolation: true } })
      await other.loadURL('app://bundle/index.html')
    })
    const other = await opened
    other.on('dialog', () => {})
    await expect.poll(() => other.evaluate(() => 'siteward' in window).catch(() => false)).toBe(true)
    expect(await askAll(other)).toEqual(everyCommand('forbidden-sender'))
  })

  test('at another address, or in a frame of our page', async ({ launchHidden, tray }) => {
    const { app, page: open } = await launchHidden()
    await openToForgers(app)
    await tray.click()
    const page = await open()
    await connectForm(page)
    const ask = (frame: Frame) => forge(frame, 'siteward:command:getAbout', undefined)
    await page.goto(PAGE)
    expect(await ask(page.mainFrame())).toBe('answered')
    const elsewhere = [
      await page.evaluate(() => URL.createObjectURL(new Blob(['<p>'], { type: 'text/html' }))),
      'app://bundle.evil.example/index.html',
      'app://bundle@evil.example/',
      'https://bundle/index.html',
    ]
    await page.evaluate(
      (addresses) =>
        Promise.all(
          addresses.map((src) => {
            const frame = Object.assign(document.createElement('iframe'), { src })
            const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
            document.body.append(frame)
            return loaded
          }),
        ),
      [PAGE, 'data:text/html,<p>', ...elsewhere],
    )
    const frames = page.frames().slice(1)
    expect(frames).toHaveLength(6)
    for (const frame of frames) expect(await ask(frame), frame.url()).toBe('forbidden-sender')

    for (const address of elsewhere) {
      await page.goto(address)
      expect(await ask(page.mainFrame()), page.url()).toBe('forbidden-sender')
    }
  })
})

const output = (app: ElectronApplication): (() => string) => {
  let text = ''
  const { stdout, stderr } = app.process()
  for (const stream of [stdout, stderr]) stream?.on('data', (chunk) => (text += String(chunk)))
  return () => text
}

test('a malformed request is refused with a code, and nothing of the request is sent back or logged', async ({
  siteward,
}) => {
  const { app, page } = siteward
  await connectForm(page)
  const logged = output(app)
  const MARK = 'nothing-of-this-is-kept'
  const answers = await page.evaluate(
    async ([mark, key]) => {
      const { siteward } = window as unknown as { siteward: Bridge }
      const deep: unknown[] = []
      let at = deep
      for (let level = 0; level < 900; level++) at.push((at = []))
      at.push(mark)
      const cycle: Record<string, unknown> = { key: mark }
      cycle['self'] = cycle
      const requests: unknown[] = [
        { key: 7, mark },
        { key: 'w1', deep },
        { key: mark?.repeat(20_000) },
        { key: Array.from({ length: 100_000 }, () => mark) },
        { key: 'w1', constructor: { prototype: { mark } } },
        new Map([['key', mark]]),
        new Uint8Array(1_000_000),
        new Date(0),
        cycle,
        [mark],
        mark,
        null,
        undefined,
      ]
      const refused = await Promise.all(requests.map((request) => siteward['getWebsite']?.(request)))
      const typed = await siteward['connect']?.({ address: mark, apiKey: `${String(key)} \n`, keep: mark })
      return [...refused, typed]
    },
    [MARK, planted.apiKey],
  )
  for (const answer of answers) expect(answer).toEqual({ ok: false, error: { code: 'malformed-request', message: '' } })
  expect(await page.evaluate(() => 'nope' in (window as unknown as { siteward: object }).siteward)).toBe(false)
  // Electron drops `__proto__` on the way. The rest is a valid request, but there is no connection.
  const polluting = await page.evaluate(
    (mark) =>
      (window as unknown as { siteward: Bridge }).siteward['getWebsite']?.(
        JSON.parse(`{"key":"w1","__proto__":{"mark":"${mark}"}}`),
      ),
    MARK,
  )
  expect(polluting).toEqual({ ok: false, error: { code: 'no-connection', message: '' } })
  expect(await app.evaluate(() => 'mark' in {})).toBe(false)
  expect(logged()).not.toContain(MARK)
  expect(logged()).not.toContain(planted.apiKey)
})

test('a channel that nobody registered is refused even to the main frame of our own page', async ({
  launchHidden,
  tray,
}) => {
  const { app, page: open } = await launchHidden()
  const logged = output(app)
  await openToForgers(app)
  await tray.click()
  const page = await open()
  await connectForm(page)
  const MARK = 'nothing-of-this-is-kept'
  const channels = ['nope', 'siteward:command:nope', 'siteward:command:__proto__', 'siteward:event:state', '']
  for (const channel of channels) {
    const refused = await forge(page.mainFrame(), channel, { mark: MARK })
    expect(refused).toMatch(/No handler registered for/)
    expect(refused).not.toContain(MARK)
  }
  expect(await forge(page.mainFrame(), 'siteward:command:getAbout', undefined)).toBe('answered')
  expect(logged()).not.toContain(MARK)
})

test('a flood of requests is refused beyond a limit, and the app keeps working', async ({ page, service }) => {
  await connect(page, service)
  const codes = await page.evaluate(async () => {
    const { siteward } = window as unknown as { siteward: Bridge }
    // Each request looks up the route and the address of the service, so main gets the next ones before it can answer.
    const flood = Array.from({ length: 1_000 }, () => siteward['getOwnAddresses']?.())
    return (await Promise.all(flood)).map((answer) => answer?.error?.code ?? 'answered')
  })
  expect(codes.filter((code) => code !== 'flooded').length).toBeGreaterThanOrEqual(200)
  expect(codes).toContain('flooded')
  await expect(websiteTable(page)).toBeVisible()
  const state = () => page.evaluate(() => (window as unknown as { siteward: Bridge }).siteward['getState']?.())
  await expect.poll(state).toMatchObject({ ok: true, value: { connection: { key: 'stored' } } })
})
