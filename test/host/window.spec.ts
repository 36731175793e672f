import { expect, test } from '@playwright/test'
import { launchFixture, loadAgain, pageAt, type Fixture } from './fixture.ts'

let fixture: Fixture
test.beforeAll(async () => (fixture = await launchFixture()))
test.afterAll(() => fixture.close())

/** Records the names of a window's events in main's `events`. */
const record = (names: string[]): Promise<void> =>
  fixture.main((_electron, main, names) => {
    const events: unknown[] = (main.events = []) // listeners of earlier tests go on with their own
    for (const name of names) main.window.on(name as 'show', () => events.push(name))
  }, names)
const onScreen = (): Promise<boolean> => fixture.main(({ host }, { window }) => host.isOnScreen(window))
const recorded = (): Promise<unknown[]> => fixture.main((_electron, { events }) => events)

test('the window stands where the options put it, and fills it', async () => {
  const bounds = { x: 120, y: 80, width: 640, height: 420 }
  expect(await fixture.main((_electron, { window }) => window.getBounds())).toEqual(bounds)
  const inside = await fixture.page.evaluate(() => ({ x: screenX, y: screenY, width: innerWidth, height: innerHeight }))
  expect(inside).toEqual(bounds)
})

test('setBounds and setSize move and resize it, not below its least width', async () => {
  await fixture.main((_electron, { window }) => window.setBounds({ x: 40, y: 60, width: 700, height: 500 }))
  await expect.poll(() => fixture.page.evaluate(() => [screenX, screenY, innerWidth])).toEqual([40, 60, 700])
  await fixture.main((_electron, { window }) => window.setSize(100, 400))
  await expect.poll(() => fixture.page.evaluate(() => [innerWidth, innerHeight])).toEqual([300, 400])
  expect(await fixture.main((_electron, { window }) => window.getSize())).toEqual([300, 400])
})

test('moved twice while it’s hidden, it’s shown at the place it was told last', async () => {
  for (let pause = 0; pause < 20; pause += 1) {
    await fixture.main(async (_electron, { window }, pause) => {
      window.hide()
      window.setBounds({ y: -2000 })
      await new Promise((resolve) => setTimeout(resolve, pause))
      window.setBounds({ y: 60 + pause })
      window.show()
    }, pause)
    await expect.poll(() => fixture.page.evaluate(() => screenY)).toBe(60 + pause)
    await expect.poll(() => fixture.main((_electron, { window }) => window.getBounds().y)).toBe(60 + pause)
  }
})

test('hide and show take it off the screen and back, with events', async () => {
  await record(['show', 'hide'])
  await fixture.main((_electron, { window }) => window.hide())
  await expect.poll(onScreen).toBe(false)
  expect(await fixture.main((_electron, { window }) => window.isVisible())).toBe(false)
  await fixture.main((_electron, { window }) => window.show())
  await expect.poll(onScreen).toBe(true)
  expect(await fixture.main((_electron, { window }) => window.isVisible())).toBe(true)
  await expect.poll(recorded).toEqual(['hide', 'show'])
})

test('minimize and restore, told as on X11: the window counts as visible, and not as maximised meanwhile', async () => {
  await record(['minimize', 'restore', 'hide', 'show'])
  const states = (): Promise<boolean[]> =>
    fixture.main((_electron, { window }) => [window.isMinimized(), window.isVisible(), window.isMaximized()])
  await fixture.main((_electron, { window }) => {
    window.maximize()
    window.minimize()
  })
  await expect.poll(onScreen).toBe(false)
  expect(await states()).toEqual([true, true, false])
  await fixture.main((_electron, { window }) => window.restore())
  await expect.poll(onScreen).toBe(true)
  expect(await states()).toEqual([false, true, true])
  await expect.poll(recorded).toEqual(['minimize', 'restore'])
  await fixture.main((_electron, { window }) => window.unmaximize())
})

test('maximize shows a hidden window, without telling so', async () => {
  await fixture.main((_electron, { window }) => window.hide())
  await expect.poll(onScreen).toBe(false)
  await record(['show', 'maximize'])
  await fixture.main((_electron, { window }) => window.maximize())
  await expect.poll(onScreen).toBe(true)
  await expect.poll(recorded).toEqual(['maximize'])
  await fixture.main((_electron, { window }) => window.unmaximize())
})

test('full screen is left later than it is asked for', async () => {
  await record(['enter-full-screen', 'leave-full-screen'])
  await fixture.main((_electron, { window }) => window.setFullScreen(true))
  await expect.poll(() => fixture.main((_electron, { window }) => window.isFullScreen())).toBe(true)
  const atOnce = await fixture.main((_electron, { window }) => {
    window.setFullScreen(false)
    return window.isFullScreen()
  })
  expect(atOnce).toBe(true)
  await expect.poll(recorded).toEqual(['enter-full-screen', 'leave-full-screen'])
})

test('a second window takes the focus, and gives it back', async () => {
  const focused = (): Promise<string | undefined> =>
    fixture.main(({ BrowserWindow }) => BrowserWindow.getFocusedWindow()?.webContents.getURL())
  await fixture.main((_electron, { window }) => window.focus())
  await expect.poll(focused).toBe('app://bundle/index.html')
  await record(['focus', 'blur'])
  // Loaded, it's shown, and takes the focus no more.
  await fixture.main(async ({ BrowserWindow }) => {
    const second = new BrowserWindow({ width: 320, height: 240 })
    await second.loadURL('app://bundle/next.html')
  })
  await expect.poll(focused).toBe('app://bundle/next.html')
  await fixture.main((_electron, { window }) => window.focus())
  await expect.poll(focused).toBe('app://bundle/index.html')
  expect(await recorded()).toEqual(['blur', 'focus'])
  await fixture.main(({ BrowserWindow }, { window }) => {
    for (const other of BrowserWindow.getAllWindows()) if (other !== window) other.destroy()
  })
  await expect.poll(() => fixture.main(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
})

test('show: false loads unseen; ready-to-show comes before it is shown', async () => {
  await fixture.main(({ BrowserWindow }, main) => {
    main.events = []
    const quiet = new BrowserWindow({ show: false, width: 320, height: 240 })
    quiet.once('ready-to-show', () => main.events.push(['ready', quiet.isVisible()]))
    quiet.once('closed', () => main.events.push(['closed', quiet.isDestroyed()]))
    return quiet.loadURL('app://bundle/index.html?quiet')
  })
  await pageAt(fixture.app, 'quiet')
  const seen = await fixture.main(({ BrowserWindow, host }) =>
    Promise.all(BrowserWindow.getAllWindows().map((window) => host.isOnScreen(window))),
  )
  expect(seen).toEqual([true, false])
  await fixture.main(({ BrowserWindow }) => BrowserWindow.getAllWindows()[1]?.close())
  await expect.poll(recorded).toEqual([
    ['ready', false],
    ['closed', true],
  ])
})

test("the title is the page's, unless page-title-updated is prevented", async () => {
  await expect.poll(() => fixture.main((_electron, { window }) => window.getTitle())).toBe('Fixture')
  await fixture.page.evaluate(() => (document.title = 'Another'))
  await expect.poll(() => fixture.main((_electron, { window }) => window.getTitle())).toBe('Another')
  await fixture.main((_electron, { window }) => {
    window.once('page-title-updated', (event) => event.preventDefault())
    window.setTitle('Ours')
  })
  await fixture.page.evaluate(() => (document.title = 'Theirs'))
  expect(await fixture.page.evaluate(() => document.title)).toBe('Theirs')
  expect(await fixture.main((_electron, { window }) => window.getTitle())).toBe('Ours')
})

test('capturePage gives a picture of the size of the window', async () => {
  const size = await fixture.main(async (_electron, { window }) => (await window.capturePage()).getSize())
  const inside = await fixture.page.evaluate(() => ({ width: innerWidth, height: innerHeight }))
  expect(size).toEqual(inside)
})

test('executeJavaScript answers, and rejects what is thrown', async () => {
  const run = (code: string): Promise<unknown> =>
    fixture.main((_electron, { window }, code) => window.webContents.executeJavaScript(code), code)
  expect(await run('Promise.resolve({ sum: 1 + 1 })')).toEqual({ sum: 2 })
  await expect(run('(() => { throw new TypeError("in the page") })()')).rejects.toThrow('in the page')
})

const closings: Record<string, () => Promise<unknown>> = {
  'win.close()': () => fixture.main((_electron, { window }) => window.close()),
  'the page': () => fixture.page.evaluate(() => window.close()),
  'the title bar': () => fixture.main(({ host }, { window }) => host.pressTitleBarClose(window)),
}
for (const [who, close] of Object.entries(closings)) {
  test(`a close by ${who} can be prevented: the window hides instead`, async () => {
    await fixture.main((_electron, main) => {
      main.events = []
      main.window.once('close', (event) => {
        event.preventDefault()
        main.events.push('close')
        main.window.hide()
      })
    })
    await close()
    await expect.poll(recorded).toEqual(['close'])
    await expect.poll(onScreen).toBe(false)
    await fixture.main((_electron, { window }) => window.show())
    await expect.poll(onScreen).toBe(true)
    expect(await recorded()).toEqual(['close'])
  })
}

test('reload and navigation are no close', async () => {
  await record(['close'])
  await fixture.page.reload()
  await loadAgain(fixture)
  expect(await recorded()).toEqual([])
})

test('a crash of the page is told, and a load brings it back', async () => {
  await fixture.main((_electron, main) => {
    main.events = []
    main.window.webContents.on('render-process-gone', (_event, { reason }) => main.events.push(reason))
    main.window.webContents.forcefullyCrashRenderer()
  })
  await expect.poll(recorded).toEqual(['crashed'])
  const title = await fixture.main(async (_electron, { window }) => {
    await window.loadURL('app://bundle/index.html')
    return window.webContents.executeJavaScript(
      "[document.title, typeof api, document.querySelector('h1').textContent]",
    )
  })
  expect(title).toEqual(['Fixture', 'object', 'Fixture'])
})

test('of windows that have gone nothing is kept', async () => {
  const kept = await fixture.main(async ({ BrowserWindow }) => {
    process.getBuiltinModule('node:v8').setFlagsFromString('--expose-gc')
    const collect = process.getBuiltinModule('node:vm').runInNewContext('gc') as () => void
    const gone: WeakRef<object>[] = []
    const come = async (): Promise<void> => {
      const window = new BrowserWindow({ width: 300, height: 200 })
      await window.loadURL('app://bundle/index.html?going')
      const closed = new Promise<void>((resolve) => window.once('closed', () => resolve()))
      window.destroy()
      await closed
      gone.push(new WeakRef(window), new WeakRef(window.webContents))
    }
    for (let n = 0; n < 5; n++) await come()
    const left = () => gone.filter((ref) => ref.deref() !== undefined).length
    for (let turn = 0; turn < 50 && left() > 0; turn++) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      collect()
    }
    return left()
  })
  expect(kept).toBe(0)
})

test('without a listener of window-all-closed the app quits with its last window', async () => {
  const child = fixture.app.process()
  const gone = fixture.app.waitForEvent('close')
  await fixture.main((_electron, { window }) => window.close())
  await gone
  expect(child.exitCode).toBe(0)
})
