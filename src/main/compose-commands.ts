import { app, clipboard, Notification } from 'electron'
import { randomUUID } from 'node:crypto'
import { release } from 'node:os'
import type { AppState, NetworkRoute } from '../shared/state.ts'
import type { Shell } from './compose-shell.ts'
import { createConnectionKey, type ConnectionKey } from './connection/key.ts'
import type { Connections } from './connection/ports.ts'
import type { ReadTable } from './bulk/table/read-table.ts'
import { readAnswerAndDate, probeDisk, tryKeychain } from './diagnostics/checks.ts'
import { reportText } from './diagnostics/report.ts'
import { checkSetUp, type SetUpProbes } from './diagnostics/set-up.ts'
import { appHandlers } from './ipc/app.ts'
import { bulkHandlers } from './ipc/bulk.ts'
import { connectionHandlers, type CheckedAddress } from './ipc/connection.ts'
import { networkHandlers } from './ipc/network.ts'
import { diagnosticsHandlers } from './ipc/diagnostics.ts'
import { localDataHandlers } from './ipc/local.ts'
import { outboxHandlers } from './ipc/edits.ts'
import { settingsFileHandlers } from './ipc/settings-file.ts'
import { createSettingsFile } from './local/settings-file.ts'
import { presetHandlers } from './ipc/presets.ts'
import { registerCommands } from './ipc/registrar.ts'
import { tableHandlers } from './ipc/table.ts'
import { transferHandlers } from './ipc/transfer.ts'
import { websiteHandlers } from './ipc/websites.ts'
import type { IsOurPage } from './ipc/checked.ts'
import type { Journal } from './log/log.ts'
import type { Clock } from './outbox/ports.ts'
import type { ConnectionCertificates } from './network/identities.ts'
import type { ProxyLogins } from './network/proxy-logins.ts'
import { stepResultsOf } from './network/steps.ts'
import type { Keychain } from './secrets/keychain.ts'
import { createService } from './service/client.ts'
import { certificatesFromEnvironment, type ServiceDispatcher } from './service/dispatcher.ts'
import { ownAddresses } from './service/own-addresses.ts'
import { preferredRouteView, type RoutesTo } from './service/proxy.ts'
import { openLink } from './shell/security.ts'
import type { AppStore, StoredConnection } from './storage/app.ts'
import type { Updates } from './updates/updates.ts'

/** Everything that the handlers of the bridge need: the running parts of the app, and callbacks. */
export interface ComposeCommandsOptions {
  /** Folder of the app's data. */
  folder: string
  shell: Shell
  store: AppStore
  connections: Connections
  updates: Updates
  keychain: Keychain
  dispatcher: ServiceDispatcher
  identities: ConnectionCertificates
  proxyLogins: ProxyLogins
  routesTo: RoutesTo
  state: () => AppState
  stateChanged: () => void
  /** Called each time the page asks which screen to open, which it first does once it has read its data. */
  onPageStarted: () => void
  /** The user has dismissed the message about a crash or an unexpected end of the app. */
  onMishapDismissed: () => void
  isOurs: IsOurPage
  clock: Clock
  journal: Journal
  readTable: ReadTable
}

export function composeCommands(options: ComposeCommandsOptions): void {
  const { shell, connections, updates, state, stateChanged } = options
  const { version, runtime, os } = appVersions()
  const route = (address: string) => preferredRouteView(options.routesTo, address, options.proxyLogins.has)
  // The list is reloaded too, because the undo of a bulk change may restore tags and notes.
  const bulkChangeMoved = () => {
    shell.broadcast('websitesChanged', { keys: null })
    stateChanged()
  }
  const openInBrowser = (url: string) => openLink(url, options.journal.log)
  const checkedAddress: CheckedAddress = { last: null }
  registerCommands(
    {
      ...appHandlers({
        state,
        about: () => ({ version, runtime, folder: options.folder, certificates: certificatesFromEnvironment() }),
        settings: shell.settings,
        takeDestination() {
          options.onPageStarted()
          return shell.pendingDestination.take()
        },
        formDrafts: shell.formDrafts,
        onMishapDismissed: options.onMishapDismissed,
        quit: () => app.quit(),
        ownAddresses: async () => {
          const view = connections.view()
          return view && (await route(view.address)).kind === 'direct' ? ownAddresses(view.address) : []
        },
        updates,
      }),
      ...connectionHandlers(connections, stateChanged, openInBrowser, checkedAddress),
      ...networkHandlers({
        identities: options.identities,
        proxyLogins: options.proxyLogins,
        connections: () => options.store.connections(),
        checked: checkedAddress,
        route,
        chooseFiles: shell.files.chooseCertificates,
        test: (connection) => testConnection(options, connection, route),
        onChange(id) {
          for (const connection of connections.all()) {
            if (id === null || connection.record.id === id) connection.keyChanged()
          }
        },
      }),
      ...websiteHandlers(
        connections,
        openInBrowser,
        shell.settings.now,
        (text) => clipboard.writeText(text),
        () => options.keychain.askAgain(),
      ),
      ...bulkHandlers(connections, bulkChangeMoved, (progress) => shell.broadcast('changing', progress)),
      ...presetHandlers(connections),
      ...localDataHandlers(connections),
      ...outboxHandlers(connections, stateChanged, bulkChangeMoved),
      ...tableHandlers({
        connections,
        files: shell.files,
        readTable: options.readTable,
        onProgress: (progress) => shell.broadcast('importing', progress),
      }),
      ...transferHandlers(connections, shell.files, (event, progress) => shell.broadcast(event, progress)),
      ...settingsFileHandlers(
        createSettingsFile({
          connections,
          accounts: () => options.store.connections(),
          settings: shell.settings,
          newId: randomUUID,
        }),
        shell.files,
        stateChanged,
      ),
      ...diagnosticsHandlers({
        checkSetUp: () => checkSetUp(setUpProbesOf(options)),
        async report(address) {
          const tray = await shell.hasTray()
          return reportText({ version, runtime, os, state: state(), tray, recent: options.journal.recent() }, address)
        },
        copy: (text) => clipboard.writeText(text),
      }),
    },
    options.isOurs,
    options.journal.log,
  )
}

/** Sends one read request with a connection's key. Returns its result, and the date of the response. */
async function askServiceWithKey(
  options: ComposeCommandsOptions,
  id: string,
  address: string,
  key: ConnectionKey,
  mayLoadKey: boolean,
) {
  const { dispatcher, identities, connections } = options
  const identity = () => identities.load(id)
  const service = createService({ address, key: () => key.current(), dispatcher, identity })
  const running = () => connections.all().find((connection) => connection.key === key)
  const onLoad = () => running()?.keyChanged()
  // If the key works, a connection that is offline, or whose key was rejected, tries again now and not much later.
  const onAccepted = () => running()?.reach.retryNow()
  return readAnswerAndDate(service, key, onLoad, onAccepted, mayLoadKey).finally(() => service.close())
}

/** Tests a saved connection with one read request, even if it doesn't run, and returns the result of each step. */
async function testConnection(
  options: ComposeCommandsOptions,
  { id, address }: StoredConnection,
  route: (address: string) => Promise<NetworkRoute>,
) {
  options.keychain.askAgain()
  const running = options.connections.all().find(({ record }) => record.id === id)
  const key = running?.key ?? createConnectionKey(options.keychain, id, () => undefined)
  if (running === undefined) await key.load()
  const { answer } = await askServiceWithKey(options, id, address, key, true)
  return stepResultsOf(answer, {
    address,
    route: await route(address),
    client: options.identities.view(id).client !== null,
  })
}

function setUpProbesOf(options: ComposeCommandsOptions): SetUpProbes {
  const { folder, shell, clock, keychain, connections } = options
  return {
    probeDisk: () => probeDisk(folder),
    clock: () => ({ now: clock.wall(), latest: connections.active()?.refresh.state().seenAt ?? null }),
    keychain: () => tryKeychain(keychain),
    async ask(mayLoadKey) {
      const [active, view] = [connections.active(), connections.view()]
      return active === null || view === null
        ? null
        : askServiceWithKey(options, view.id, view.address, active.key, mayLoadKey)
    },
    secure() {
      const view = connections.view()
      return view && !view.insecure
    },
    tray: shell.hasTray,
    notifications: () => Notification.isSupported(),
  }
}

const appVersions = () => ({
  version: app.getVersion(),
  runtime: `Electron ${process.versions.electron}, Node ${process.versions.node}`,
  os: `${process.platform} ${release()} ${process.arch}`,
})
