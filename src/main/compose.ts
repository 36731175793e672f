import { app, dialog, nativeTheme, powerMonitor } from 'electron'
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { screens } from '../preload/bridge.ts'
import type { AppState } from '../shared/state.ts'
import { createAnnouncer } from './ipc/announcer.ts'
import { readAppState } from './connection/app-state.ts'
import { createConnections } from './connection/connections.ts'
import { createFreshness } from './connection/freshness.ts'
import { createConnectionKey } from './connection/key.ts'
import { openConnection } from './connection/open.ts'
import { createEmbeddedSample } from './connection/sample.ts'
import { appHandlers } from './ipc/app.ts'
import { createBroadcast } from './ipc/broadcast.ts'
import { connectionHandlers } from './ipc/connection.ts'
import { editHandlers } from './ipc/edits.ts'
import { registerCommands } from './ipc/registrar.ts'
import { websiteHandlers } from './ipc/websites.ts'
import type { Clock } from './outbox/ports.ts'
import { startSampleService } from './sample/service.ts'
import { createKeychain, type Keytar } from './secrets/keychain.ts'
import { createSealer } from './secrets/sealer.ts'
import { createService } from './service/client.ts'
import { setApplicationMenu } from './shell/menu.ts'
import { PAGE_ORIGIN, PAGE_URL, serveRenderer } from './shell/protocol.ts'
import { isOurPage, secure } from './shell/security.ts'
import { createTray, type TrayState } from './shell/tray.ts'
import { createMainWindow } from './shell/window.ts'
import { openAppStore } from './storage/app.ts'

const KEYCHAIN_SERVICE = 'app.siteward.desktop'
const SAMPLE_WEBSITES = 428

const clock: Clock = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
}

/** Builds the app from its parts, and starts it. The only place where parts meet. */
export async function compose(): Promise<void> {
  const resources = join(app.getAppPath(), 'resources')
  const bundles = join(app.getAppPath(), 'out')
  const folder = app.getPath('userData')
  mkdirSync(join(folder, 'connections'), { recursive: true })

  const opened = openAppStore(join(folder, 'siteward.sqlite'))
  if (!opened.ok) {
    dialog.showErrorBox(
      'Siteward can’t start',
      opened.error.code === 'disk-full'
        ? `There is no room left on the disk that holds ${folder}. Make some room and start again.`
        : `Siteward’s own data in ${folder} can’t be opened. Nothing in it was changed.`,
    )
    app.exit(1)
    return
  }
  const store = opened.value
  nativeTheme.themeSource = store.settings().theme

  const keychain = createKeychain({
    load: async () => (await import('keytar')).default as Keytar,
    service: KEYCHAIN_SERVICE,
    records: store.keychainRecords,
  })
  const sample = createEmbeddedSample(() =>
    startSampleService({ websites: SAMPLE_WEBSITES, file: join(folder, 'sample.json') }),
  )

  const state = (): AppState => readAppState(connections, keychain)
  const connections = createConnections({
    app: store,
    sample,
    newId: randomUUID,
    service: (address, key) => createService({ address, key }),
    key: (connection) => createConnectionKey(keychain, connection, () => announcer.stateChanged()),
    open: (record, key, service) =>
      openConnection({
        record,
        key,
        service,
        file: join(folder, 'connections', `${record.id}.sqlite`),
        sealer: createSealer(keychain, record.id),
        clock,
        random: { id: randomUUID, fraction: Math.random },
      }),
    onActive(connection) {
      freshness.watch(connection)
      announcer.activeChanged(connection)
    },
  })

  // While developing, the page comes from Vite's server, with its hot reload.
  const dev = app.isPackaged ? undefined : process.env['ELECTRON_RENDERER_URL']
  const pageOrigin = dev === undefined ? PAGE_ORIGIN : new URL(dev).origin
  const window = createMainWindow({
    preload: join(bundles, 'preload', 'index.cjs'),
    icon: join(resources, 'icon.png'),
    url: dev ?? PAGE_URL,
    onShow: () => freshness.shown(),
    onHide: () => freshness.hidden(),
  })
  const broadcast = createBroadcast(() => window.contents())
  const freshness = createFreshness(clock, () => window.isVisible())

  const open = (): void => window.show()
  const quit = (): void => app.quit()
  const show = (screen: (typeof screens)[number]): void => {
    window.show()
    broadcast('show', { screen })
  }
  const tray = createTray(resources, { open, quit })
  const announcer = createAnnouncer({ state, broadcast, onState: (now) => tray.render(trayState(now)) })
  keychain.onState(() => announcer.stateChanged())

  secure(pageOrigin)
  serveRenderer(join(bundles, 'renderer'))
  setApplicationMenu({ show, quit })
  registerCommands(
    {
      ...appHandlers({
        store,
        state,
        about: { version: app.getVersion(), runtime: runtime(), folder },
        onSettings(settings) {
          nativeTheme.themeSource = settings.theme
          broadcast('settingsChanged', settings)
        },
      }),
      ...connectionHandlers(connections),
      ...websiteHandlers(connections),
      ...editHandlers(connections),
    },
    (event) => isOurPage(event, window.contents(), pageOrigin),
  )

  app.on('second-instance', open)
  app.on('activate', open)
  app.on('window-all-closed', () => undefined) // it goes on in the tray
  powerMonitor.on('resume', () => connections.active()?.resume())
  quitWhole(
    () => window.release(),
    () => connections.close().finally(() => store.close()),
  )

  const restoring = connections.restore()
  window.show()
  const restored = await restoring
  if (!restored.ok) console.error(`the last connection isn't ready: ${restored.error.code}`)
  if (window.isVisible()) freshness.shown()
}

/** Edits are on disk: quitting waits for no network, only for the request in flight to be put down as in doubt. */
function quitWhole(release: () => void, close: () => Promise<void>): void {
  let closed = false
  app.on('before-quit', (event) => {
    release()
    if (closed) return
    event.preventDefault()
    void close().finally(() => {
      closed = true
      app.quit()
    })
  })
}

function trayState({ connection, reach, waiting, parked }: AppState): TrayState {
  if (parked > 0) return { kind: 'attention', count: parked }
  if (connection !== null && reach.state === 'offline') return { kind: 'offline', count: waiting }
  return waiting > 0 ? { kind: 'pending', count: waiting } : { kind: 'idle' }
}

const runtime = (): string => `Electron ${process.versions.electron}, Node ${process.versions.node}`
