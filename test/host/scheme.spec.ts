import { expect, test } from '@playwright/test'
import { createServer } from 'node:http'
import { launchFixture, pageAt, type Fixture } from './fixture.ts'

let fixture: Fixture
test.beforeAll(async () => (fixture = await launchFixture()))
test.afterAll(() => fixture.close())

test('protocol.handle serves a standard, secure scheme: an origin of its own, with storage', async () => {
  expect(await fixture.main((_electron, { window }) => window.webContents.getURL())).toBe('app://bundle/index.html')
  const page = await fixture.page.evaluate(() => {
    localStorage.setItem('kept', 'yes')
    return [isSecureContext, origin !== 'null', localStorage.getItem('kept'), typeof crypto.subtle]
  })
  expect(page).toEqual([true, true, 'yes', 'object'])
})

test('the handler sees app:// addresses, in the request and in its Referer', async () => {
  await fixture.page.evaluate(async () => {
    const script = document.createElement('img')
    await new Promise((resolve) => {
      script.onerror = resolve
      script.src = '/none.png'
      document.body.append(script)
    })
  })
  expect(await fixture.main((_electron, main) => main.lastRequest)).toEqual({
    url: 'app://bundle/none.png',
    method: 'GET',
    referrer: 'app://bundle/index.html',
  })
})

test("the response's Content-Security-Policy holds: no inline script, no eval, no connection", async () => {
  expect(await fixture.page.evaluate(() => typeof (window as never as { inline?: unknown }).inline)).toBe('undefined')
  const refused = await fixture.page.evaluate(() =>
    Promise.all(
      ['https://elsewhere.test/', '/early.js'].map((url) =>
        fetch(url).then(
          () => 'read',
          () => 'refused',
        ),
      ),
    ),
  )
  expect(refused).toEqual(['refused', 'refused'])
  const violations = await fixture.page.evaluate(() => (window as never as { log: string[] }).log)
  expect(violations.filter((directive) => directive === 'connect-src')).toHaveLength(2)
})

test('without a policy too nothing outside is reached', async () => {
  const server = createServer((_request, response) => response.end('reached')).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  let reached = 0
  server.on('connection', () => reached++)
  await fixture.main(({ protocol, BrowserWindow }) => {
    protocol.unhandle('app')
    protocol.handle('app', (request) => {
      const headers = { 'content-type': 'text/html', 'access-control-allow-origin': '*' }
      return new Response(request.url.endsWith('/bare.html') ? '<html data-ready>bare</html>' : 'other', { headers })
    })
    return new BrowserWindow({ show: false, width: 300, height: 200 }).loadURL('app://bundle/bare.html')
  })
  const bare = await pageAt(fixture.app, 'bare.html')
  const tries = await bare.evaluate((port) => {
    const socket = (url: string): Promise<string> =>
      new Promise((resolve) => {
        const opened = new WebSocket(url)
        opened.onopen = () => resolve('read')
        opened.onerror = () => resolve('refused')
      })
    const read = (url: string): Promise<string> =>
      fetch(url, { mode: 'no-cors' }).then(
        () => 'read',
        () => 'refused',
      )
    return Promise.all([
      read(`http://127.0.0.1:${port}/`),
      read('https://elsewhere.test/'),
      socket(`ws://127.0.0.1:${port}/`),
      read('https://other.app.invalid/'),
    ])
  }, port)
  expect(tries).toEqual(['refused', 'refused', 'refused', 'read'])
  expect(reached).toBe(0)
  server.close()
})
