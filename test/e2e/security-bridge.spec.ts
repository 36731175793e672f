import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import type { ElectronApplication, Page } from '@playwright/test'
import type { WebContents } from 'electron'
import { presentRuntime } from '../../scripts/runtime.mjs'
import { commands } from '../../src/preload/bridge.ts'
import { expect, test } from './support/app.ts'
import { planted } from './support/planted.ts'
import { connect, connectForm, websiteTable } from './support/screens.ts'

type Answer = { ok: boolean; error?: { code: string } }
type Bridge = Record<string, (request?: unknown) => Promise<Answer>>

/** Asks every command of the bridge that the page has, with something that would fit some of them. */
const askAll = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(async () => {
    const { siteward } = window as unknown as { siteward: Bridge }
    const asked = Object.keys(siteward)
      .filter((name) => name !== 'on')
      .map(async (name) => {
        const answer = await siteward[name]?.({ key: 'w1', page: 1, id: 'e1' })
        return [name, answer?.ok ? 'answered' : (answer?.error?.code ?? 'nothing')]
      })
    return Object.fromEntries(await Promise.all(asked))
  })

const everyCommand = (code: string): Record<string, string> =>
  Object.fromEntries(Object.keys(commands).map((name) => [name, code]))

test.describe('the bridge answers nobody', () => {
  for (const [where, url] of [
    ['of another origin in our own window', 'data:text/html,<p>elsewhere</p><iframe srcdoc="<p>within</p>"></iframe>'],
    ['of a page that is none', 'about:blank'],
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

  test('in a frame of our page, or in one that is gone', async ({ siteward: { app, page } }) => {
    test.skip(presentRuntime().kind === 'electron', 'Electron lets no message be forged; the host does')
    await connectForm(page)
    const codes = await app.evaluate(async (electron) => {
      const { BrowserWindow } = electron
      const ipcMain = electron.ipcMain as never as {
        answer: (channel: string, event: unknown, args: unknown[]) => Promise<Answer>
      }
      const sender = BrowserWindow.getAllWindows()[0]?.webContents as WebContents
      const { url } = sender.mainFrame
      const gone = {
        get url(): string {
          throw new Error('Render frame was disposed before WebFrameMain could be accessed')
        },
        parent: null,
      }
      const frames: unknown[] = [
        { url, parent: sender.mainFrame },
        { url: 'app://bundle.evil.example/index.html', parent: null },
        { url: 'app://bundle@evil.example/', parent: null },
        { url: 'https://bundle/index.html', parent: null },
        { url: 'blob:app://bundle/1', parent: null },
        { url: '', parent: null },
        gone,
        null,
        { url, parent: null },
      ]
      return Promise.all(
        frames.map(async (senderFrame) => {
          const answer = await ipcMain.answer('siteward:command:getAbout', { sender, senderFrame }, [])
          return answer.ok ? 'answered' : answer.error?.code
        }),
      )
    })
    // The last is the page itself: it's by its frame that the others were told from it.
    expect(codes).toEqual([...Array<string>(8).fill('forbidden-sender'), 'answered'])
  })
})

const output = (app: ElectronApplication): (() => string) => {
  let text = ''
  const { stdout, stderr } = app.process()
  for (const stream of [stdout, stderr]) stream?.on('data', (chunk) => (text += String(chunk)))
  return () => text
}

test('what doesn’t fit is refused with a code; nothing of it is said back or logged', async ({ siteward }) => {
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
        JSON.parse(`{"key":"w1","__proto__":{"mark":"${String(mark)}"}}`),
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
  expect(await app.evaluate(() => Object.keys(Object.prototype))).toEqual([])
  expect(logged()).not.toContain(MARK)
  expect(logged()).not.toContain(planted.apiKey)
})

test('a channel that nobody registered is refused, though by the main frame of our own page', async ({ siteward }) => {
  test.skip(presentRuntime().kind === 'electron', 'Electron lets no message be forged; the host does')
  const { app, page } = siteward
  await connectForm(page)
  const logged = output(app)
  const MARK = 'nothing-of-this-is-kept'
  const refused = await app.evaluate(async (electron, mark) => {
    const ipcMain = electron.ipcMain as never as {
      answer: (channel: string, event: unknown, args: unknown[]) => Promise<unknown>
    }
    const sender = electron.BrowserWindow.getAllWindows()[0]?.webContents as WebContents
    const event = { sender, senderFrame: sender.mainFrame }
    const channels = ['nope', 'siteward:command:nope', 'siteward:command:__proto__', 'siteward:event:state', '']
    return Promise.all(
      channels.map((channel) =>
        ipcMain.answer(channel, event, [{ mark }]).then(
          () => 'answered',
          (error: unknown) => String(error),
        ),
      ),
    )
  }, MARK)
  for (const said of refused) expect(said).toMatch(/No handler registered for/)
  expect(refused.join()).not.toContain(MARK)
  // The page itself can name no channel, and main goes on.
  expect(await page.evaluate(() => 'nope' in (window as unknown as { siteward: object }).siteward)).toBe(false)
  const about = await page.evaluate(() => (window as unknown as { siteward: Bridge }).siteward['getAbout']?.())
  expect(about).toMatchObject({ ok: true })
  expect(logged()).not.toContain(MARK)
})

test('a flood is refused beyond a bound, and the app goes on', async ({ page, service }) => {
  await connect(page, service)
  const silent = await listenInSilence()
  const codes = await page.evaluate(async (address) => {
    const { siteward } = window as unknown as { siteward: Bridge }
    const answered: (string | undefined)[] = []
    for (let n = 0; n < 400; n++) {
      // Each that is let in waits for an answer that never comes.
      const request = siteward['connect']?.({ address, apiKey: 'flood', keep: 'run' })
      void request?.then((answer) => answered.push(answer.ok ? 'answered' : answer.error?.code))
    }
    while (answered.length < 200) await new Promise((resolve) => setTimeout(resolve, 20))
    return answered
  }, silent.address)
  expect(codes).toEqual(Array.from({ length: 200 }, () => 'flooded'))
  await silent.close()
  await expect(websiteTable(page)).toBeVisible()
  const state = () => page.evaluate(() => (window as unknown as { siteward: Bridge }).siteward['getState']?.())
  await expect.poll(state).toMatchObject({ ok: true, value: { connection: { key: 'stored' } } })
})

/** Takes every connection, and says nothing. */
async function listenInSilence(): Promise<{ address: string; close: () => Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => void sockets.add(socket.on('error', () => undefined)))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${String(port)}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
