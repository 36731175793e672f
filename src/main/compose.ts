import { app, clipboard, nativeTheme, powerMonitor, session } from 'electron'
import { randomUUID } from 'node:crypto'
import { release } from 'node:os'
import { join } from 'node:path'
import type { HistoryEntry, WaitReason } from '../shared/edit.ts'
import type { AppState } from '../shared/state.ts'
import { createAnnouncer } from './ipc/announcer.ts'
import { composeConnection } from './compose-connection.ts'
import { readAppState } from './connection/app-state.ts'
import { createPause } from './connectivity/pause.ts'
import { createConnections } from './connection/connections.ts'
import { probe } from './connection/probe.ts'
import { createFreshness } from './connection/freshness.ts'
import type { OpenConnection } from './connection/open.ts'
import { createConnectionKey } from './connection/key.ts'
import { createEmbeddedSample } from './connection/sample.ts'
import { freeBytes, tryKeychain } from './diagnostics/asking.ts'
import { reportText } from './diagnostics/report.ts'
import { checkSetUp, type SetUpParts } from './diagnostics/set-up.ts'
import { appHandlers } from './ipc/app.ts'
import { createBroadcast } from './ipc/broadcast.ts'
import { connectionHandlers } from './ipc/connection.ts'
import { diagnosticsHandlers } from './ipc/diagnostics.ts'
import { editHandlers } from './ipc/edits.ts'
import { registerCommands } from './ipc/registrar.ts'
import { transferHandlers } from './ipc/transfer.ts'
import { websiteHandlers } from './ipc/websites.ts'
import type { Journal } from './log/log.ts'
import { logStateChanges } from './log/state-changes.ts'
import type { Clock, Random } from './outbox/ports.ts'
import { startSampleService } from './sample/service.ts'
import { forgetEntries } from './secrets/entries.ts'
import { createKeychain, type Keytar } from './secrets/keychain.ts'
import { createSealer } from './secrets/sealer.ts'
import { createService } from './service/client.ts'
import { createDispatcher } from './service/dispatcher.ts'
import { createAutostart } from './shell/autostart.ts'
import { cannotStart } from './shell/cannot-start.ts'
import { relaunch, startedAfterCrash } from './shell/crash.ts'
import { setApplicationMenu } from './shell/menu.ts'
import { parseLink } from './shell/link.ts'
import type { OpenedWith } from './shell/opened-with.ts'
import { readArguments } from './shell/start-arguments.ts'
import { createDock } from './shell/dock.ts'
import { createDestinations } from './shell/destinations.ts'
import { createLetGo } from './shell/let-go.ts'
import { createUnfinished } from './shell/unfinished.ts'
import { createNewsDesk } from './shell/news.ts'
import { createNotifications } from './shell/notifications.ts'
import { createPendingFiles } from './shell/pending-files.ts'
import { PAGE_ORIGIN, PAGE_URL, serveRenderer } from './shell/protocol.ts'
import { quitInOrder } from './shell/quit.ts'
import { isOurPage, secure } from './shell/security.ts'
import { createSettings } from './shell/settings.ts'
import { createTray } from './shell/tray.ts'
import { trayQuirks } from './shell/tray-quirks.ts'
import { trayView } from './shell/tray-view.ts'
import { loadUpdater } from './shell/updater.ts'
import { createMainWindow } from './shell/window.ts'
import { openAppData } from './storage/app-data.ts'
import { eraseFile } from './storage/erase.ts'
import { prepareAside } from './storage/prepare-in-worker.ts'
import { hasFeed } from './updates/feed.ts'
import { createUpdates } from './updates/updates.ts'

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

const random: Random = { id: randomUUID, fraction: Math.random }

/** Builds the app from its parts, and starts it. Here and in compose-connection.ts alone parts meet. */
export async function compose(start: OpenedWith, { log, recent }: Journal): Promise<void> {
  const resources = join(app.getAppPath(), 'resources')
  const bundles = join(app.getAppPath(), 'out')
  const folder = app.getPath('userData')
  const opened = openAppData(folder)
  if (!opened.ok) {
    log('cannotStart', { code: opened.error.code })
    return cannotStart(folder, opened.error.code)
  }
  const store = opened.value
  nativeTheme.themeSource = store.settings().theme

  const keychain = createKeychain({
    load: async () => (await import('keytar')).default as Keytar,
    service: KEYCHAIN_SERVICE,
    records: store.keychainRecords,
  })
  const dispatcher = createDispatcher({ proxyFor: (origin) => session.defaultSession.resolveProxy(origin) })
  const sample = createEmbeddedSample(() =>
    startSampleService({ websites: SAMPLE_WEBSITES, file: join(folder, 'sample.jsonl') }),
  )

  const pause = createPause(store.settings().paused)
  const connectionFile = (id: string): string => join(folder, 'connections', `${id}.sqlite`)
  let mishap: AppState['mishap'] = startedAfterCrash() ? 'restarted' : null
  const becameOf = (what: typeof mishap): void => {
    mishap = what
    announcer.stateChanged()
  }
  const state = (): AppState => readAppState(connections, keychain, store, pause, { mishap, update: updates.state() })
  const connections = createConnections({
    app: store,
    sample,
    newId: randomUUID,
    service: (address, key) => createService({ address, key, dispatcher }),
    key: (connection) => createConnectionKey(keychain, connection, () => announcer.stateChanged()),
    async open(record, key, service) {
      const file = connectionFile(record.id)
      const known = store.connections().some(({ id }) => id === record.id)
      const prepared = await prepareAside(join(bundles, 'main', 'prepare-worker.js'), {
        file,
        kind: 'connection',
        known,
      })
      if (!prepared.ok) return prepared
      const sealer = createSealer(keychain, record.id)
      return composeConnection({ record, key, service, file, sealer, pause, clock, random })
    },
    discard: ({ id }) => eraseFile(connectionFile(id)),
    forgetSecrets: (id) => forgetEntries(keychain, id),
    sweep: () => void keychain.sweep(),
    onActive(connection) {
      freshness.watch(connection)
      announcer.activeChanged(connection)
    },
    onKey: () => freshness.keyGiven(),
  })

  // While developing, the page comes from Vite's server, with its hot reload.
  const dev = app.isPackaged ? undefined : process.env['ELECTRON_RENDERER_URL']
  const pageOrigin = dev === undefined ? PAGE_ORIGIN : new URL(dev).origin
  const window = createMainWindow({
    preload: join(bundles, 'preload', 'index.cjs'),
    icon: join(resources, 'icon.png'),
    url: dev ?? PAGE_URL,
    onShow() {
      freshness.shown()
      letGo.shown()
    },
    onHide() {
      freshness.hidden()
      letGo.hidden()
    },
    onReload: () => becameOf('reloaded'),
    onOpen: createDock(),
    onGone() {
      if (store.note('toldOfTray') === true) return
      notifications.tellOfTray()
      store.saveNote('toldOfTray', true)
    },
    keeps: () => store.settings().keepWindow,
    place: { read: () => store.note('windowPlace'), write: (place) => void store.saveNote('windowPlace', place) },
    log,
  })
  const unfinished = createUnfinished(() => connections.active()?.record.id ?? null)
  const letGo = createLetGo(
    clock.after,
    () => !unfinished.isHeld(),
    () => window.letGo(),
  )
  const broadcast = createBroadcast(() => window.contents(), log)
  const pendingFiles = createPendingFiles(() => window.contents())
  const freshness = createFreshness(clock, () => window.isVisible())

  const autostart = createAutostart(app, process.platform, process.env)
  autostart.refresh()
  const settings = createSettings({
    store,
    autostart,
    onChange(now) {
      nativeTheme.themeSource = now.theme
      pause.set(now.paused)
      announcer.stateChanged()
      broadcast('settingsChanged', now)
    },
  })

  const open = (): void => window.show()
  const quit = (): void => app.quit()
  const updates = createUpdates({
    load: hasFeed(installation()) ? loadUpdater : null,
    after: clock.after,
    async sendingAtRest() {
      // Until the new version runs: the setting stays as it is.
      pause.set(true)
      await connections.active()?.outbox.atRest()
    },
    quit,
    relaunch,
    onChange: () => announcer.stateChanged(),
    log,
  })
  const destinations = createDestinations(open, () => broadcast('destination', undefined))
  const { leadTo } = destinations
  const notifications = createNotifications(settings.now, (destination) =>
    destination === null ? open() : leadTo(destination),
  )
  const news = createNewsDesk({
    clock,
    isFocused: () => window.isFocused(),
    tell: (found) => notifications.tell(found),
  })
  const tray = createTray(resources, trayQuirks(process.platform), trayView(state(), null), {
    open,
    quit,
    sendNow: () => void connections.active()?.outbox.sendNow(),
    pause: () => void settings.change({ paused: true }),
    resume: () => void settings.change({ paused: false }),
    add: () => leadTo({ to: 'add', domain: '' }),
    settings: () => leadTo({ to: 'screen', screen: 'settings' }),
  })
  const logState = logStateChanges(log, () => parkReasons(connections.active()))
  const announcer = createAnnouncer({
    state,
    broadcast,
    onState(now) {
      const last = latest(connections.active())
      tray.render(trayView(now, last))
      news.heard(now, last)
      logState(now)
    },
  })
  keychain.onState((now) => {
    announcer.stateChanged()
    if (now === 'ready') connections.keychainOpened()
  })

  const setUp: SetUpParts = {
    freeBytes: () => freeBytes(folder),
    clock: () => ({ now: clock.wall(), latest: connections.active()?.refresh.state().seenAt ?? null }),
    keychain: () => tryKeychain(keychain),
    async ask() {
      const active = connections.active()
      const view = connections.view()
      if (active === null || view === null) return null
      const service = createService({ address: view.address, key: () => active.key.current(), dispatcher })
      return probe(service).finally(() => service.close())
    },
    secure: () => {
      const view = connections.view()
      return view && !view.insecure
    },
    // macOS and Windows always have one; no Linux panel tells.
    tray: () => (process.platform === 'linux' ? null : true),
  }
  secure(pageOrigin, log)
  serveRenderer(join(bundles, 'renderer'))
  setApplicationMenu({ show: (screen) => leadTo({ to: 'screen', screen }), quit })
  registerCommands(
    {
      ...appHandlers({
        state,
        about: { version: app.getVersion(), runtime: runtime(), folder },
        settings,
        takeDestination: () => destinations.take(),
        unfinished,
        onMishapDismissed: () => becameOf(null),
        updates: { download: () => void updates.download(), restart: () => void updates.restart() },
      }),
      ...connectionHandlers(connections, () => announcer.stateChanged()),
      ...websiteHandlers(connections),
      ...editHandlers(connections, () => announcer.stateChanged()),
      ...transferHandlers(connections, pendingFiles),
      ...diagnosticsHandlers({
        checkSetUp: () => checkSetUp(setUp),
        report: (address) => reportText({ ...runningOn(), state: state(), recent: recent() }, address),
        copy: (text) => clipboard.writeText(text),
      }),
    },
    (event) => isOurPage(event, window.contents(), pageOrigin),
    log,
  )

  const follow = (link: string): void => {
    const destination = parseLink(link)
    if (destination !== null) leadTo(destination)
  }
  start.onLink(follow)
  app.on('second-instance', (_event, argv) => {
    const { hidden, link } = readArguments(argv)
    if (link !== null) follow(link)
    else if (!hidden) open()
  })
  app.on('activate', open)
  app.on('window-all-closed', () => undefined) // it goes on in the tray
  // What is under way doesn't live through a sleep, nor does what begins in the last moment before it.
  powerMonitor.on('suspend', () => dispatcher.interrupt())
  powerMonitor.on('resume', () => {
    dispatcher.interrupt()
    connections.active()?.resumed()
    if (window.isVisible()) freshness.shown()
  })
  quitInOrder({
    release: () => window.release(),
    async close() {
      updates.stop()
      await connections.close()
      announcer.stop()
      news.stop()
      letGo.shown()
      await dispatcher.destroy()
      store.close()
    },
    last: () => updates.closed(),
    log,
  })

  const restoring = connections.restore()
  connections.sweep()
  if (!start.hidden) window.show()
  else if (settings.now().keepWindow) window.showMinimized()
  const restored = await restoring
  if (!restored.ok) announcer.stateChanged()
  destinations.ready()
  if (window.isVisible()) freshness.shown()
  void dispatcher.warm()
  updates.start()
}

/** What became of an edit most lately. */
function latest(connection: OpenConnection | null): HistoryEntry | null {
  const found = connection?.outbox.history({ page: 1, per_page: 1 })
  return found?.ok ? (found.value.entries[0] ?? null) : null
}

/** Why edits need the person, as far as the first of them tell. */
function parkReasons(connection: OpenConnection | null): WaitReason[] {
  const listed = connection?.outbox.list({ page: 1, per_page: 100 })
  return listed?.ok ? listed.value.edits.flatMap(({ state, reason }) => (state === 'parked' ? (reason ?? []) : [])) : []
}

const runningOn = () => ({
  version: app.getVersion(),
  runtime: runtime(),
  os: `${process.platform} ${release()} ${process.arch}`,
})

const installation = () => ({
  isPackaged: app.isPackaged,
  resources: process.resourcesPath,
  program: process.execPath,
  platform: process.platform,
  env: process.env,
})

const runtime = (): string => `Electron ${process.versions.electron}, Node ${process.versions.node}`
