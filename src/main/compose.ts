import { app, powerMonitor } from 'electron'
import { uptime } from 'node:os'
import { join } from 'node:path'
import type { Screen } from '../shared/destination.ts'
import type { WaitReason } from '../shared/edit.ts'
import type { AppState } from '../shared/state.ts'
import { watchRemoteChanges } from './bulk/preset-watch.ts'
import { composeCommands } from './compose-commands.ts'
import { composeConnections, connectionFileIn } from './compose-connections.ts'
import { composeShell, startsMinimized } from './compose-shell.ts'
import { readAppState } from './connection/app-state.ts'
import { createRefreshConditions } from './connection/refresh-conditions.ts'
import type { OpenConnection } from './connection/open-connection.ts'
import { createPause } from './connectivity/pause.ts'
import { createAnnouncer } from './ipc/announcer.ts'
import type { Journal } from './log/log.ts'
import { logStateChanges } from './log/state-changes.ts'
import type { Clock } from './outbox/ports.ts'
import { createConnectionCertificates } from './network/identities.ts'
import { createProxyLogins } from './network/proxy-logins.ts'
import { createKeychain, type Keytar } from './secrets/keychain.ts'
import { createDispatcher } from './service/dispatcher.ts'
import { systemRoutes } from './service/proxy.ts'
import { APP_ID } from './shell/app-id.ts'
import { exitWithStartError } from './shell/cannot-start.ts'
import { relaunch, startedAfterCrash } from './shell/crash.ts'
import type { AppLanguage } from './shell/language.ts'
import { parseLink } from './shell/link.ts'
import { setApplicationMenu } from './shell/menu.ts'
import type { OutboxProgress } from './shell/notification-feed.ts'
import type { OpenedWith } from './shell/opened-with.ts'
import { PAGE_ORIGIN, PAGE_URL, serveRenderer } from './shell/protocol.ts'
import { quitInOrder } from './shell/quit.ts'
import { systemFormatLocale } from './shell/region.ts'
import { createRunningMark } from './shell/running-mark.ts'
import { answerSecondStart } from './shell/second-start.ts'
import { isOurPage, restrictPages } from './shell/security.ts'
import { readArguments } from './shell/start-arguments.ts'
import type { TrayPanelCheck } from './shell/tray-host.ts'
import { loadUpdater } from './shell/updater.ts'
import { openAppData } from './storage/app.ts'
import { scheduleBackups } from './storage/backup-schedule.ts'
import { hasUpdateFeed } from './updates/feed.ts'
import { readReleaseKey } from './updates/signature.ts'
import { createUpdates } from './updates/updates.ts'
import { createWorkerReader } from './worker.ts'

const clock: Clock = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
  soon(call) {
    const turn = setImmediate(call)
    return () => clearImmediate(turn)
  },
}

/** Milliseconds after which the network and the other accounts start even if the page has not started. */
const MAX_PAGE_START = 3_000

/** Everything that exists before the parts of the app are built. */
export interface ComposeOptions {
  start: OpenedWith
  panels: TrayPanelCheck
  journal: Journal
  language: AppLanguage
}

/** Builds and starts the app. Only this file and the other compose-*.ts files construct its parts. */
export async function compose({ start, panels, journal, language }: ComposeOptions): Promise<void> {
  const { log } = journal
  const resources = join(app.getAppPath(), 'resources')
  const bundles = join(app.getAppPath(), 'out')
  const folder = app.getPath('userData')
  const opened = openAppData(folder)
  if (!opened.ok) {
    log('cannotStart', { code: opened.error.code })
    return exitWithStartError(folder, opened.error.code)
  }
  const store = opened.value
  const stopBackups = scheduleBackups(store, clock)
  const running = createRunningMark({
    platform: process.platform,
    env: process.env,
    now: Date.now(),
    bootedAt: Date.now() - uptime() * 1000,
    note: { read: () => store.note('running'), write: (mark) => void store.saveNote('running', mark) },
  })
  if (running.endedUnexpectedly) log('cutShort', {})

  const keychain = createKeychain({
    load: async () => (await import('keytar')).default as Keytar,
    service: APP_ID,
    records: store.keychainRecords,
  })
  const identities = createConnectionCertificates({
    keychain,
    fileOf: (id) => `${connectionFileIn(folder, id)}.network.json`,
    now: () => Date.now(),
  })
  const proxyLogins = createProxyLogins(keychain)
  const routesTo = proxyLogins.withLogins(systemRoutes((url) => app.resolveProxy(url), process.env))
  // The network and the other accounts wait until the window shows its list, which would otherwise take 10 % longer.
  let beginRest = (): void => undefined
  const mayBegin = new Promise<void>((resolve) => (beginRest = resolve))
  const dispatcher = createDispatcher({ routesTo, mayBegin })
  const pause = createPause(store.settings().paused)
  const stateChanged = (): void => announcer.stateChanged()
  const refreshConditions = createRefreshConditions({
    minutes: store.settings().refreshEvery,
    pause,
    power: powerMonitor,
  })
  const connections = composeConnections({
    folder,
    prepareWorker: join(bundles, 'main', 'prepare-worker.js'),
    importWorker: join(bundles, 'main', 'import-worker.js'),
    store,
    keychain,
    dispatcher,
    identities,
    pause,
    clock,
    refreshConditions,
    onKeyState: stateChanged,
    onRun(connection) {
      const { id } = connection.record
      const stopWatching = announcer.watch(connection)
      const stopReporting = watchRemoteChanges(connection, (news, drifts) => shell.remoteChanges(id, news, drifts))
      return () => {
        stopReporting()
        stopWatching()
      }
    },
    onActive: stateChanged,
  })

  const releaseKey = hasUpdateFeed(installation()) ? readReleaseKey(app.getAppPath()) : null
  const updates = createUpdates({
    load: releaseKey && (() => loadUpdater(releaseKey)),
    after: clock.after,
    async sendingAtRest() {
      // Pauses sending without changing the setting, so that the new version sends again.
      pause.hold()
      await Promise.all(connections.all().map(({ outbox }) => outbox.atRest()))
    },
    quit: () => app.quit(),
    relaunch,
    onChange: stateChanged,
    log,
  })

  let mishap: AppState['mishap'] = startedAfterCrash() ? 'restarted' : running.endedUnexpectedly ? 'cutShort' : null
  const setMishap = (value: typeof mishap): void => {
    mishap = value
    stateChanged()
  }
  const region = systemFormatLocale(process.platform, process.env, app.getSystemLocale())
  language.choose(store.settings().language, region)
  const state = (): AppState =>
    readAppState(connections, keychain, store, pause, { mishap, update: updates.state(), language: language.state() })

  // In development, Vite's server provides the page, with hot reload.
  const dev = app.isPackaged ? undefined : process.env['ELECTRON_RENDERER_URL']
  const pageOrigin = dev === undefined ? PAGE_ORIGIN : new URL(dev).origin
  const shell = composeShell({
    resources,
    preload: join(bundles, 'preload', 'index.cjs'),
    url: dev ?? PAGE_URL,
    store,
    connections,
    state,
    hidden: start.hidden,
    onSettings(now) {
      pause.set(now.paused)
      refreshConditions.setMinutes(now.refreshEvery)
      if (language.choose(now.language, region)) drawMenu()
      stateChanged()
    },
    onVisible: (visible) => connections.setVisible(visible),
    onReload: () => setMishap('reloaded'),
    panels,
    clock,
    log,
  })
  const { window, pendingDestination } = shell
  const logState = logStateChanges(log, () => parkReasons(connections.active()))
  const announcer = createAnnouncer({
    state,
    active: connections.active,
    broadcast: shell.broadcast,
    onState(now) {
      shell.update(now, new Map(connections.all().map((each) => [each.record.id, outboxProgressOf(each)])))
      logState(now)
    },
  })
  keychain.onState((now) => {
    stateChanged()
    if (now === 'ready') connections.keychainOpened()
  })

  restrictPages(pageOrigin)
  serveRenderer(join(bundles, 'renderer'))
  const show = (screen: Screen): void => pendingDestination.goTo({ to: 'screen', screen })
  const drawMenu = (): void => setApplicationMenu({ show, quit: shell.quit, settings: shell.settings })
  drawMenu()
  composeCommands({
    folder,
    shell,
    store,
    connections,
    updates,
    keychain,
    dispatcher,
    identities,
    proxyLogins,
    routesTo,
    state,
    stateChanged,
    onPageStarted: beginRest,
    onMishapDismissed: () => setMishap(null),
    isOurs: (event) => isOurPage(event, window.contents(), pageOrigin),
    clock,
    journal,
    readTable: createWorkerReader(join(bundles, 'main', 'table-worker.js'), 'not-a-table'),
  })

  const isQuitting = quitInOrder({
    app,
    power: powerMonitor,
    release: () => window.release(),
    async close() {
      // Stopped first, so that the window and the tray don't show how the accounts are closed one after another.
      announcer.stop()
      running.clear()
      updates.stop()
      await connections.close()
      shell.stop()
      await dispatcher.destroy()
      keychain.close()
      stopBackups()
      store.close()
    },
    onClosed: () => updates.closed(),
    log,
  })

  let again = false
  /** Starts the app again after the current quit, unless an update will be installed then. */
  function startAgain(...links: string[]): void {
    if (!again && !updates.willInstall()) relaunch(...links)
    again = true
  }
  /** Opens the destination of a link. If the app is quitting, the app starts again and opens it then. */
  function follow(link: string): void {
    const destination = parseLink(link)
    if (destination === null) return
    if (isQuitting()) startAgain(link)
    else pendingDestination.goTo(destination)
  }
  start.onLink(follow)
  app.on('second-instance', (_event, argv, _folder, data) => {
    const { hidden, link } = readArguments(argv)
    if (link !== null) follow(link)
    else if (isQuitting() && !hidden) startAgain()
    else if (!hidden) window.show()
    // During a quit, the second start is answered only at the end. If the quit hangs, the second start reports an error.
    if (isQuitting()) app.once('quit', () => answerSecondStart(data))
    else answerSecondStart(data)
  })
  app.on('activate', () => window.show())
  app.on('window-all-closed', () => undefined) // the app stays in the tray
  // Aborts all requests before and after a sleep, because no request survives one, even if it begins just before.
  powerMonitor.on('suspend', () => dispatcher.interrupt())
  powerMonitor.on('resume', () => {
    dispatcher.interrupt()
    connections.resumed()
  })

  const restoring = connections.restore()
  connections.sweep()
  if (!start.hidden) window.show()
  else if (startsMinimized(shell.settings.now())) window.showMinimized()
  else clock.soon(beginRest)
  clock.after(MAX_PAGE_START, beginRest)
  void mayBegin.then(() => {
    if (!isQuitting()) void connections.runOthers()
  })
  const restored = await restoring
  if (!restored.ok) stateChanged()
  pendingDestination.ready()
  shell.formDrafts.ready()
  void dispatcher.warm()
  updates.start()
}

function outboxProgressOf({ outbox, key }: OpenConnection): OutboxProgress {
  const found = outbox.activity({ results: true, limit: 1 })
  return {
    last: (found.ok && found.value.entries[0]?.edit) || null,
    sent: outbox.sentCount(),
    keyAccepted: key.isAccepted(),
  }
}

/** Reads only the first 100 edits. */
function parkReasons(connection: OpenConnection | null): WaitReason[] {
  const listed = connection?.outbox.list({ page: 1, per_page: 100 })
  return listed?.ok ? listed.value.edits.flatMap(({ state, reason }) => (state === 'parked' ? (reason ?? []) : [])) : []
}

const installation = () => ({
  isPackaged: app.isPackaged,
  resources: process.resourcesPath,
  program: process.execPath,
  platform: process.platform,
  env: process.env,
})
