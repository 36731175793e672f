import { expect, PAGE, test, windowsOf } from './support/intruder.ts'

test('the page can’t contact another host in any of the ways that a page has', async ({
  siteward: { app, page },
  outsider,
}) => {
  await page.evaluate(
    async ({ origin, host }) => {
      await new Promise((resolve) => setTimeout(resolve))
      const element = (name: string, properties: Record<string, string>): void => {
        const made = document.createElement(name)
        for (const [key, value] of Object.entries(properties)) {
          try {
            made.setAttribute(key, value)
          } catch {
            // Trusted types refuse the value before the content policy can.
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
        // The page has no RTCPeerConnection any more, but the window of an empty frame has one.
        async () => {
          const frame = document.body.appendChild(document.createElement('iframe'))
          const { RTCPeerConnection: Peer } = frame.contentWindow as unknown as typeof globalThis
          const relay = { urls: `turn:${host}?transport=tcp`, username: 'x', credential: 'x' }
          const peer = new Peer({ iceServers: [{ urls: `stun:${host}` }, relay] })
          peer.createDataChannel('x')
          await peer.setLocalDescription(await peer.createOffer())
        },
      ]
      for (const way of ways) {
        try {
          await Promise.race([way(), new Promise((resolve) => setTimeout(resolve, 50))])
        } catch {
          // A refusal at once is fine: the test checks what arrives.
        }
      }
      // A connection that was begun sends its first packet to a peer within a second.
      await new Promise((resolve) => setTimeout(resolve, 1500))
    },
    { origin: outsider.origin, host: outsider.host },
  )
  expect(outsider.reached()).toBe(0)
  expect(await page.evaluate(() => 'RTCPeerConnection' in window)).toBe(false)
  expect(await page.evaluate(() => document.baseURI)).toBe(page.url())
  expect(await windowsOf(app)).toEqual([PAGE])
})

test('a request that no content policy forbids is canceled by main', async ({ siteward: { app }, outsider }) => {
  const errors = await app.evaluate(async ({ BrowserWindow, session }, origin) => {
    const { webRequest } = session.defaultSession
    const errors: string[] = []
    webRequest.onErrorOccurred(({ error }) => errors.push(error))
    const window = new BrowserWindow({ show: false })
    await window.loadURL('data:text/html,')
    const requests = [`${origin}/plain`, 'https://example.com/'].map((url) => `fetch('${url}', { mode: 'no-cors' })`)
    await window.webContents.executeJavaScript(`Promise.allSettled([${requests.join()}])`)
    window.destroy()
    webRequest.onErrorOccurred(null)
    return errors
  }, outsider.origin)
  expect(errors).toEqual(['net::ERR_BLOCKED_BY_CLIENT', 'net::ERR_BLOCKED_BY_CLIENT'])
  expect(outsider.reached()).toBe(0)
})
