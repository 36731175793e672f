import { expect, test } from '@playwright/test'
import { launchFixture, ready, type Fixture } from './fixture.ts'

let fixture: Fixture
test.beforeAll(async () => (fixture = await launchFixture()))
test.afterAll(() => fixture.close())

test('a tray and its menu are listed, and a click on an item is the app’s', async () => {
  const seen = await fixture.main(({ Tray, Menu, nativeImage, host }, main) => {
    main.events = []
    const tray = new Tray(nativeImage.createEmpty())
    tray.setToolTip('3 waiting')
    const template = [
      { label: 'Open', click: () => main.events.push('open') },
      { type: 'separator' as const },
      { label: 'More', submenu: [{ id: 'deep', label: 'Deep', type: 'checkbox' as const, checked: false }] },
    ]
    tray.setContextMenu(Menu.buildFromTemplate(template))
    tray.on('click', () => main.events.push('tray'))
    const [listed] = host.trays
    listed?.menu?.items[0]?.click()
    listed?.menu?.getMenuItemById('deep')?.click()
    listed?.emit('click')
    const deep = listed?.menu?.getMenuItemById('deep')?.checked
    const result = { toolTip: listed?.toolTip, types: listed?.menu?.items.map((item) => item.type), deep }
    tray.destroy()
    return { ...result, events: main.events, left: host.trays.length }
  })
  const types = ['normal', 'separator', 'submenu']
  expect(seen).toEqual({ toolTip: '3 waiting', types, deep: true, events: ['open', 'tray'], left: 0 })
})

test('the application menu is kept as it was set', async () => {
  const labels = await fixture.main(({ Menu }) => {
    Menu.setApplicationMenu(Menu.buildFromTemplate([{ label: 'App', submenu: [{ role: 'quit' }] }]))
    const [first] = Menu.getApplicationMenu()?.items ?? []
    return [first?.label, first?.submenu?.items[0]?.role]
  })
  expect(labels).toEqual(['App', 'quit'])
})

test('dialogs are answered from the queue, then as if cancelled, and are recorded', async () => {
  const answers = await fixture.main(async ({ dialog, host }, { window }) => {
    host.dialogs.queue.push({ response: 1 })
    const buttons = ['Delete', 'Keep', 'Cancel']
    const queued = await dialog.showMessageBox(window, { message: 'Delete?', buttons })
    const escaped = await dialog.showMessageBox({ message: 'Again?', buttons })
    host.dialogs.queue.push({ filePath: '/tmp/x.csv' })
    const saved = await dialog.showSaveDialog({})
    const opened = await dialog.showOpenDialog({ properties: ['openFile'] })
    const asked = host.dialogs.answered.map(({ kind, options }) => [kind, options['message']])
    return { queued: queued.response, escaped: escaped.response, saved, opened, asked }
  })
  expect(answers).toEqual({
    queued: 1,
    escaped: 2,
    saved: { canceled: false, filePath: '/tmp/x.csv' },
    opened: { canceled: true, filePaths: [] },
    asked: [
      ['message', 'Delete?'],
      ['message', 'Again?'],
      ['save', undefined],
      ['open', undefined],
    ],
  })
})

test('notifications, login items, links and protocol clients are recorded', async () => {
  const seen = await fixture.main(async ({ app, host, Notification, shell }, main) => {
    main.events = []
    const notification = new Notification({ title: 'Sent', body: '3 changes' })
    notification.on('click', () => main.events.push('click'))
    notification.show()
    host.notifications[0]?.emit('click')
    app.setLoginItemSettings({ openAtLogin: true })
    app.setAsDefaultProtocolClient('siteward')
    await shell.openExternal('https://help.test/')
    return {
      body: host.notifications[0]?.body,
      events: main.events,
      login: [app.getLoginItemSettings().openAtLogin, host.loginItems],
      opened: host.opened,
      clients: host.protocolClients,
    }
  })
  expect(seen).toEqual({
    body: '3 changes',
    events: ['click'],
    login: [true, [{ openAtLogin: true }]],
    opened: [{ how: 'external', what: 'https://help.test/' }],
    clients: ['siteward'],
  })
})

test('nativeImage reads a PNG', async () => {
  const url =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const sizes = await fixture.main(({ nativeImage }, _main, url) => {
    const image = nativeImage.createFromDataURL(url)
    return [
      image.getSize(),
      image.isEmpty(),
      nativeImage.createFromPath('/none.png').isEmpty(),
      image.toDataURL() === url,
    ]
  }, url)
  expect(sizes).toEqual([{ width: 1, height: 1 }, false, true, true])
})

test('offline reaches net, navigator.onLine and the events of the page, over a reload', async () => {
  const states = async (): Promise<unknown> => [
    await fixture.main(({ net }) => net.isOnline()),
    await fixture.page.evaluate(() => navigator.onLine),
  ]
  expect(await states()).toEqual([true, true])
  await fixture.main(({ host }) => host.setOnline(false))
  await expect.poll(states).toEqual([false, false])
  await fixture.page.reload()
  await ready(fixture.page)
  await expect.poll(states).toEqual([false, false])
  await fixture.main(({ host }) => host.setOnline(true))
  await expect.poll(states).toEqual([true, true])
  await expect.poll(() => fixture.page.evaluate('log')).toContain('online')
})

test('themeSource and the desktop’s scheme reach prefers-color-scheme and updated', async () => {
  const isDark = (): Promise<boolean> => fixture.page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  await fixture.main(({ nativeTheme, host }, main) => {
    main.events = []
    nativeTheme.on('updated', () => main.events.push(nativeTheme.shouldUseDarkColors))
    host.setColorScheme('dark')
  })
  await expect.poll(isDark).toBe(true)
  await fixture.main(({ nativeTheme }) => (nativeTheme.themeSource = 'light'))
  await expect.poll(isDark).toBe(false)
  await fixture.main(({ nativeTheme, host }) => {
    host.setColorScheme('light')
    nativeTheme.themeSource = 'dark'
  })
  await expect.poll(isDark).toBe(true)
  await fixture.page.reload()
  await expect.poll(isDark).toBe(true)
  expect(await fixture.main((_electron, main) => main.events)).toEqual([true, false, true])
})

test('sleep and wake come from powerMonitor', async () => {
  const heard = await fixture.main(({ powerMonitor, host }) => {
    const heard: string[] = []
    for (const event of ['suspend', 'resume', 'lock-screen'] as const) {
      powerMonitor.on(event as 'suspend', () => heard.push(event))
    }
    host.suspend()
    host.resume()
    host.power('lock-screen')
    return heard
  })
  expect(heard).toEqual(['suspend', 'resume', 'lock-screen'])
})

test('the screen is the X server’s', async () => {
  const display = await fixture.main(({ screen }) => screen.getPrimaryDisplay().bounds)
  expect(display).toEqual({ x: 0, y: 0, width: 1600, height: 1000 })
})

test('an API or event that the host lacks throws with its name', async () => {
  const messages = await fixture.main((electron, { window }) => {
    type Loose = Record<string, (...args: unknown[]) => unknown>
    const loose = (value: unknown): Loose => value as Loose
    const attempts = [
      () => loose(electron.app)['getAppMetrics']?.(),
      () => loose(electron)['madeUp'],
      () => electron.safeStorage.isEncryptionAvailable(),
      () => loose(window)['setProgressBar']?.(1),
      () => loose(window.webContents)['print']?.(),
      () => loose(electron.BrowserWindow)['addDevToolsExtension']?.(),
      () => electron.app.on('made-up' as 'ready', () => undefined),
    ]
    return attempts.map((attempt) => {
      try {
        return String(attempt())
      } catch (error) {
        return (error as Error).message
      }
    })
  })
  const lacks = (api: string): string => `the development host has no Electron API "${api}"`
  expect(messages).toEqual([
    lacks('app.getAppMetrics'),
    lacks('electron.madeUp'),
    lacks('safeStorage.isEncryptionAvailable'),
    lacks('BrowserWindow.setProgressBar'),
    lacks('WebContents.print'),
    lacks('BrowserWindow.addDevToolsExtension'),
    lacks("app event 'made-up'"),
  ])
})

test('the app’s names and folders', async () => {
  const seen = await fixture.main(({ app }) => [
    app.getName(),
    app.getVersion(),
    app.isPackaged,
    app.getPath('userData'),
    app.getPath('logs'),
    app.dock ?? null,
    process.versions.electron,
  ])
  const { folder } = fixture
  expect(seen).toEqual([
    'Host Fixture',
    '1.2.3',
    false,
    folder,
    `${folder}/logs`,
    null,
    expect.stringMatching(/-host$/),
  ])
})
