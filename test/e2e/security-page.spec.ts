import type { ElectronApplication, Page } from '@playwright/test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HostControls } from '../../scripts/host/controls.ts'
import { presentRuntime } from '../../scripts/runtime.mjs'
import { expect, test } from './support/app.ts'
import { startOutsider, type Outsider } from './support/outsider.ts'
import { connectForm } from './support/screens.ts'

/** What a script would try that got into the page in spite of everything. */

let outsider: Outsider
test.beforeEach(async ({ page }) => {
  outsider = await startOutsider()
  await connectForm(page)
})
test.afterEach(() => outsider.close())

/** Without their fragment, which names the screen. */
const windowsOf = (app: ElectronApplication): Promise<string[]> =>
  app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map(({ webContents }) => webContents.getURL().replace(/#[a-z]*$/, '')),
  )

const PAGE = 'app://bundle/index.html'

/** The page is where it was, and its bridge answers. */
async function expectAtHome(app: ElectronApplication, page: Page): Promise<void> {
  expect(await windowsOf(app)).toEqual([PAGE])
  // Not by a locator: Playwright holds those back as long as it takes a refused navigation for a pending one.
  await expect.poll(() => page.evaluate(() => document.body.innerText)).toContain('Try with sample data')
  const answer = await page.evaluate(() => (window as unknown as { siteward: Bridge }).siteward.getAbout())
  expect(answer).toMatchObject({ ok: true })
}
interface Bridge {
  getAbout(): Promise<unknown>
}

/** Each would loosen what Chromium and Electron hold by themselves. */
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

test('the page is sandboxed and isolated, and nothing that holds by itself was switched off', async ({ siteward }) => {
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

test('no text becomes script, by none of the ways there are', async ({ page }) => {
  const ran = await page.evaluate(async () => {
    // Out of the debugger's own evaluation, which may do what a page may not.
    await new Promise((resolve) => setTimeout(resolve))
    const code = 'window.broken = (window.broken ?? 0) + 1'
    const ways: Record<string, () => unknown> = {
      eval: () => (0, eval)(code),
      function: () => new Function(code)(),
      timer: () => setTimeout(code as never),
      'inline script': () =>
        document.body.append(Object.assign(document.createElement('script'), { textContent: code })),
      'text node in a script': () => {
        const script = document.createElement('script')
        script.append(code)
        document.body.append(script)
      },
      'script of data': () =>
        document.body.append(Object.assign(document.createElement('script'), { src: `data:text/javascript,${code}` })),
      'script of a blob': () => {
        const src = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
        document.body.append(Object.assign(document.createElement('script'), { src }))
      },
      'import of data': () => import(/* @vite-ignore */ `data:text/javascript,${code}`),
      'handler in markup': () => (document.body.innerHTML += `<img src="x" onerror="${code}">`),
      'markup put beside': () => document.body.insertAdjacentHTML('beforeend', `<img src="x" onerror="${code}">`),
      'handler as an attribute': () => {
        const image = document.createElement('img')
        image.setAttribute('onerror', code)
        image.setAttribute('src', 'x:')
        document.body.append(image)
      },
      'parsed markup': () =>
        document.body.append(...new DOMParser().parseFromString(`<svg onload="${code}"/>`, 'text/html').body.children),
      'document of a frame': () =>
        document.body.append(
          Object.assign(document.createElement('iframe'), { srcdoc: `<script>parent.${code}</script>` }),
        ),
      'written into the document': () => document.write(`<script>${code}</script>`),
      'javascript: as a link': () => Object.assign(document.createElement('a'), { href: `javascript:${code}` }).click(),
      'javascript: as an address': () => (location.href = `javascript:${code}`),
      'worker of a blob': () => new Worker(URL.createObjectURL(new Blob([code]))),
      'a policy of its own': () => {
        const { trustedTypes } = window as unknown as { trustedTypes: Factory }
        const made = trustedTypes.createPolicy('mine', { createScript: (text: string) => text })
        ;(0, eval)(made.createScript(code) as string)
      },
      'Svelte’s policy once more': () => {
        const { trustedTypes } = window as unknown as { trustedTypes: Factory }
        const made = trustedTypes.createPolicy('svelte-trusted-html', { createHTML: (text: string) => text })
        document.body.innerHTML += made.createHTML(`<img src="x" onerror="${code}">`) as string
      },
      'a service worker': () => navigator.serviceWorker?.register('data:text/javascript,1'),
    }
    const went: string[] = []
    for (const [name, way] of Object.entries(ways)) {
      try {
        await Promise.race([way(), new Promise((resolve) => setTimeout(resolve, 100))])
        await new Promise((resolve) => setTimeout(resolve, 50))
      } catch {
        // refused at once: what counts is whether it ran
      }
      const global = window as unknown as { broken?: number }
      if (global.broken !== undefined) went.push(name)
      delete global.broken
    }
    return went

    interface Factory {
      createPolicy(name: string, rules: object): Record<'createScript' | 'createHTML', (text: string) => unknown>
    }
  })
  expect(ran).toEqual([])
})

test('nothing of the page reaches the network, and nothing comes from it', async ({ siteward: { app, page } }) => {
  await page.evaluate(
    async ({ origin, host }) => {
      await new Promise((resolve) => setTimeout(resolve))
      const element = (name: string, properties: Record<string, string>): void => {
        const made = document.createElement(name)
        for (const [key, value] of Object.entries(properties)) {
          try {
            made.setAttribute(key, value)
          } catch {
            // trusted types are earlier than the policy
          }
        }
        document.body.append(made)
      }
      const style = document.createElement('style')
      style.textContent = `body { background-image: url(${origin}/style) } @import url(${origin}/import);`
      const ways: (() => unknown)[] = [
        () => fetch(`${origin}/fetch`),
        () => fetch(`${origin}/no-cors`, { mode: 'no-cors', method: 'POST', body: 'x' }),
        () => navigator.sendBeacon(`${origin}/beacon`, 'x'),
        () => new WebSocket(`ws://${host}/socket`),
        () => new EventSource(`${origin}/events`),
        () => {
          const request = new XMLHttpRequest()
          request.open('GET', `${origin}/xhr`)
          request.send()
        },
        () => new Worker(`${origin}/worker.js`),
        () => import(/* @vite-ignore */ `${origin}/module.js`),
        () => (document.body.style.backgroundImage = `url(${origin}/background)`),
        () => document.body.setAttribute('style', `background-image: url(${origin}/attribute)`),
        () => document.head.append(style),
        () => document.styleSheets[0]?.insertRule(`html { background: url(${origin}/rule) }`),
        () => new FontFace('x', `url(${origin}/font)`).load(),
        () => (new Image().src = `${origin}/image`),
        () => new Audio(`${origin}/audio`).play(),
        ...[
          ['img', { src: `${origin}/img` }],
          ['script', { src: `${origin}/script.js` }],
          ['iframe', { src: `${origin}/frame` }],
          ['frame', { src: `${origin}/old-frame` }],
          ['object', { data: `${origin}/object` }],
          ['embed', { src: `${origin}/embed` }],
          ['video', { src: `${origin}/video`, poster: `${origin}/poster` }],
          ['link', { rel: 'stylesheet', href: `${origin}/sheet.css` }],
          ['link', { rel: 'preconnect', href: origin }],
          ['link', { rel: 'dns-prefetch', href: origin }],
          ['link', { rel: 'prefetch', href: `${origin}/prefetch` }],
          ['link', { rel: 'preload', as: 'image', href: `${origin}/preload` }],
          ['link', { rel: 'manifest', href: `${origin}/manifest` }],
          ['link', { rel: 'icon', href: `${origin}/icon` }],
          ['base', { href: origin }],
          ['meta', { 'http-equiv': 'refresh', content: `0; url=${origin}/refresh` }],
        ].map(
          ([name, properties]) =>
            () =>
              element(name as string, properties as Record<string, string>),
        ),
        () => {
          const image = document.createElement('img')
          image.src = './relative-to-another-base.png'
          document.body.append(image)
        },
        () => {
          const form = Object.assign(document.createElement('form'), { action: `${origin}/form`, method: 'post' })
          document.body.append(form)
          form.submit()
        },
        async () => {
          const peer = new RTCPeerConnection({ iceServers: [{ urls: `stun:${host}` }] })
          peer.createDataChannel('x')
          await peer.setLocalDescription(await peer.createOffer())
        },
      ]
      for (const way of ways) {
        try {
          await Promise.race([way(), new Promise((resolve) => setTimeout(resolve, 50))])
        } catch {
          // refused at once: what counts is whether it arrived
        }
      }
      // What was begun has its time: a packet to a peer goes out within a second.
      await new Promise((resolve) => setTimeout(resolve, 1500))
    },
    { origin: outsider.origin, host: outsider.host },
  )
  expect(outsider.reached()).toBe(0)
  expect(await page.evaluate(() => document.baseURI)).toBe(page.url())
  expect(await windowsOf(app)).toEqual([PAGE])
})

test('the page is not left: by no link, no form, no script, to no file', async ({ siteward: { app, page } }) => {
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

test('no window is opened; a link that asks for one goes to the person’s browser, and only over https', async ({
  siteward: { app, page },
}) => {
  test.skip(presentRuntime().kind === 'electron', 'Electron would open the person’s browser; the host records it')
  const opened = await page.evaluate(
    ([origin]) =>
      [
        'https://example.com/help',
        `${origin}/plain`,
        'file:///etc/passwd',
        'javascript:alert(1)',
        'smb://127.0.0.1/share',
        'app://bundle/index.html',
        'not an address',
      ].map((url) => window.open(url) === null),
    [outsider.origin],
  )
  expect(opened).toEqual(Array<boolean>(7).fill(true))
  const given = await app.evaluate((electron) => (electron as never as { host: HostControls }).host.opened)
  expect(given).toEqual([{ how: 'external', what: 'https://example.com/help' }])
  await expectAtHome(app, page)
})

test('no permission is given', async ({ page }) => {
  const states = await page.evaluate(async () => {
    const names = ['camera', 'microphone', 'geolocation', 'notifications', 'clipboard-read', 'midi', 'idle-detection']
    const asked = names.map(async (name) => (await navigator.permissions.query({ name: name as never })).state)
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
    return [...(await Promise.all(asked)), ...(await Promise.all(used))]
  })
  expect(states).toEqual([...Array<string>(7).fill('denied'), ...Array<string>(5).fill('refused')])
})

test('nothing is downloaded', async ({ siteward: { app, page } }) => {
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

  // The same clicks leave a file where nobody refuses it: it's seen here what is refused above.
  if (presentRuntime().kind === 'electron') return
  const downloadPath = mkdtempSync(join(tmpdir(), 'siteward-downloads-'))
  try {
    await session.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath })
    await save()
    await expect.poll(() => ends.slice(3)).toEqual(['completed', 'completed', 'completed'])
    expect(readdirSync(downloadPath)).toContain('kept.bin')
  } finally {
    rmSync(downloadPath, { recursive: true })
  }
})

test('a file or a link that is dropped on the window does nothing', async ({ siteward: { app, page } }) => {
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

test('what page and main log is part of what is searched at the end of the run', async ({
  siteward: { app, page },
}) => {
  await page.evaluate(() => console.log('the canary’s own word'))
  await app.evaluate(() => console.log('the canary’s own word'))
  await expectAtHome(app, page)
})
