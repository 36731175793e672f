import fc from 'fast-check'
import type { IpcMainInvokeEvent } from 'electron'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { withChecks, type Invoke } from '../../src/main/ipc/checked.ts'
import type { Handler, Handlers } from '../../src/main/ipc/handlers.ts'
import { readAppState } from '../../src/main/connection/app-state.ts'
import { createPause } from '../../src/main/connectivity/pause.ts'
import { appHandlers, type AppHandlersOptions } from '../../src/main/ipc/app.ts'
import { bulkHandlers } from '../../src/main/ipc/bulk.ts'
import { localDataHandlers } from '../../src/main/ipc/local.ts'
import { presetHandlers } from '../../src/main/ipc/presets.ts'
import { connectionHandlers } from '../../src/main/ipc/connection.ts'
import { diagnosticsHandlers, type DiagnosticsHandlersOptions } from '../../src/main/ipc/diagnostics.ts'
import { outboxHandlers } from '../../src/main/ipc/edits.ts'
import { settingsFileHandlers } from '../../src/main/ipc/settings-file.ts'
import { createSettingsFile } from '../../src/main/local/settings-file.ts'
import { networkHandlers, type NetworkHandlersOptions } from '../../src/main/ipc/network.ts'
import { createGate } from '../../src/main/ipc/gate.ts'
import { tableHandlers } from '../../src/main/ipc/table.ts'
import { transferHandlers } from '../../src/main/ipc/transfer.ts'
import { websiteHandlers } from '../../src/main/ipc/websites.ts'
import { createJournal } from '../../src/main/log/log.ts'
import { checkSetUp } from '../../src/main/diagnostics/set-up.ts'
import { reportText } from '../../src/main/diagnostics/report.ts'
import { createProxyLogins } from '../../src/main/network/proxy-logins.ts'
import { stepResultsOf } from '../../src/main/network/steps.ts'
import { createKeychain } from '../../src/main/secrets/keychain.ts'
import { Secret } from '../../src/main/secrets/secret.ts'
import { ownAddresses } from '../../src/main/service/own-addresses.ts'
import { preferredRouteView, readRoutes } from '../../src/main/service/proxy.ts'
import { xdgAutostart } from '../../src/main/shell/autostart.ts'
import { createPendingDestination } from '../../src/main/shell/destinations.ts'
import {
  readQueueFile,
  readWebsiteListFile,
  readSettingsFile,
  readUserTable,
  writeUserFile,
} from '../../src/main/shell/user-file.ts'
import { readTable } from '../../src/main/bulk/table/read-table.ts'
import type { FileDialogs } from '../../src/main/shell/chosen-files.ts'
import { createSettings } from '../../src/main/shell/settings.ts'
import { createFormDrafts } from '../../src/main/shell/form-draft.ts'
import { commands, type CommandName } from '../../src/preload/bridge.ts'
import { fail, ok, resultSchema } from '../../src/shared/result.ts'
import type { AppState } from '../../src/shared/state.ts'
import { Rig } from '../unit/connection/rig.ts'
import { fitting } from './fitting.ts'
import { cloneable, corrupted } from './hostile.ts'
import { settings, timeout } from './settings.ts'

const names = Object.keys(commands) as CommandName[]
const event = {} as IpcMainInvokeEvent

/** Secrets that occur in no generated request. Any occurrence in an answer or a file is a leak. */
const KEY = 'key-of-the-fuzz'
const PASSWORD = 'password-of-the-fuzz'

let rig: Rig
let lines: string[]
/** Texts that are valid in a request, besides the keys of existing websites. */
let texts: string[]
let invoke: Record<CommandName, Invoke>
beforeEach(async () => {
  rig = new Rig()
  const host = await rig.host({ id: 1, key: KEY, websites: ['a.example', 'b.example'] })
  const { id } = await rig.connected(host.address, KEY)
  await expect.poll(() => rig.connections.active()?.view.total()).toBe(2)
  texts = [host.address, id]
  const checkedAddress = { last: null }
  // The real handlers of all commands. The compiler reports a command without a handler here.
  const handlers: Handlers = {
    ...appHandlers(ofTheApp(rig)),
    ...connectionHandlers(
      rig.connections,
      () => undefined,
      () => undefined,
      checkedAddress,
    ),
    ...networkHandlers({ ...ofTheNetwork(rig), checked: checkedAddress }),
    ...websiteHandlers(
      rig.connections,
      () => undefined,
      () => ({ statisticsAddresses: {} }),
      () => undefined,
      () => undefined,
    ),
    ...bulkHandlers(
      rig.connections,
      () => undefined,
      () => undefined,
    ),
    ...presetHandlers(rig.connections),
    ...localDataHandlers(rig.connections),
    ...outboxHandlers(
      rig.connections,
      () => undefined,
      () => undefined,
    ),
    ...tableHandlers({
      connections: rig.connections,
      files: oneFile(join(rig.folder, 'exported.json')),
      readTable: (bytes) => Promise.resolve(readTable(bytes)),
      onProgress: () => undefined,
    }),
    ...transferHandlers(rig.connections, oneFile(join(rig.folder, 'exported.json')), () => undefined),
    ...settingsFileHandlers(
      createSettingsFile({
        connections: rig.connections,
        accounts: () => rig.app.connections(),
        settings: settingsOf(rig),
        newId: randomUUID,
      }),
      oneFile(join(rig.folder, 'settings.json')),
      () => undefined,
    ),
    ...diagnosticsHandlers(diagnostics),
    // Any other address counts as unreachable, so that no other machine is contacted.
    connect: ({ address, apiKey, keep }) =>
      address === host.address ? rig.connections.connect(address, new Secret(apiKey), keep) : fail('unreachable'),
  }
  const gate = createGate(() => 0, { atOnce: 1000, perSecond: Number.POSITIVE_INFINITY })
  lines = []
  const { log } = createJournal(
    ({ text }) => lines.push(text),
    () => 0,
  )
  const behind = { isOurPage: () => true, gate, log }
  invoke = Object.fromEntries(
    names.map((name) => [name, withChecks(name, handlers[name] as Handler<CommandName>, behind)]),
  ) as typeof invoke
})
afterEach(() => rig.close())

async function textsOfTheApp(): Promise<string[]> {
  const list = rig.connections.active()?.view.list({ search: '', sort: 'asc', page: 1, ...everything })
  const keys = list?.ok ? list.value.websites.map(({ key }) => key) : []
  return [...texts, ...keys, 'c.example', 'taken.example', '192.0.2.0/24', 'utm_source']
}
const everything = { search_by: 'domain', sort_by: 'id', per_page: 100 } as const

/** File dialogs in which the user chooses this file, but cancels every fifth time. */
function oneFile(path: string): FileDialogs {
  let questions = 0
  const say = () => Promise.resolve(questions++ % 5 === 4 ? null : path)
  const open = async <T>(read: (path: string) => Promise<T>) => {
    const chosen = await say()
    return chosen === null ? null : read(chosen)
  }
  const chooseCertificates = () => Promise.resolve(questions++ % 5 === 4 ? null : ok([Buffer.from('no certificate')]))
  return {
    askSavePath: say,
    write: writeUserFile,
    openQueue: () => open(readQueueFile),
    openSettings: () => open(readSettingsFile),
    openList: () => open(readWebsiteListFile),
    openTable: () => open(readUserTable),
    chooseCertificates,
  }
}

function stateOf({ app, connections, keys }: Rig): AppState {
  const keychain = createKeychain({ load: async () => keys.keytar, service: 'test', records: app.keychainRecords })
  const own = { mishap: null, update: null, language: { shown: 'en', system: 'en', formats: 'en' } as const }
  return readAppState(connections, keychain, app, createPause(false), own)
}

function ofTheNetwork({ app, identities, keys, folder }: Rig): Omit<NetworkHandlersOptions, 'checked'> {
  const keychain = createKeychain({ load: async () => keys.keytar, service: 'test', records: app.keychainRecords })
  const proxyLogins = createProxyLogins(keychain)
  const routes = proxyLogins.withLogins(async () => readRoutes('PROXY proxy.example:8080'))
  return {
    identities,
    proxyLogins,
    connections: () => app.connections(),
    route: (address) => preferredRouteView(routes, address, proxyLogins.has),
    chooseFiles: oneFile(folder).chooseCertificates,
    test: async ({ address }) => stepResultsOf(fail('tls'), { address, route: { kind: 'direct' }, client: false }),
    onChange: () => undefined,
  }
}

const settingsOf = ({ app, folder }: Rig) =>
  createSettings({
    store: app,
    autostart: xdgAutostart(join(folder, 'autostart.desktop'), ['siteward']),
    shortcut: () => true,
    onChange: () => undefined,
  })

function ofTheApp({ app, connections, folder }: Rig): AppHandlersOptions {
  const formDrafts = createFormDrafts({
    connection: () => connections.view()?.id ?? null,
    read: (id) => app.note(`formDrafts_${id}`),
    write: (id, drafts) => app.saveNote(`formDrafts_${id}`, drafts),
  })
  formDrafts.ready()
  const pendingDestination = createPendingDestination(
    () => undefined,
    () => undefined,
  )
  pendingDestination.ready()
  pendingDestination.goTo({ to: 'screen', screen: 'settings' })
  return {
    state: () => stateOf(rig),
    about: () => ({ version: '1.0.0', runtime: 'Electron', folder, certificates: [] }),
    settings: settingsOf(rig),
    takeDestination: () => pendingDestination.take(),
    formDrafts,
    onMishapDismissed: () => undefined,
    quit: () => undefined,
    ownAddresses: () => ownAddresses('http://127.0.0.1:9'),
    updates: {
      state: () => ({ state: 'none', error: null }),
      check: () => Promise.resolve(),
      download: () => Promise.resolve(),
      restart: () => Promise.resolve(),
    },
  }
}

const diagnostics: DiagnosticsHandlersOptions = {
  checkSetUp: () =>
    checkSetUp({
      probeDisk: () => Promise.resolve(ok(0)),
      clock: () => ({ now: 0, latest: null }),
      keychain: () => Promise.resolve(fail('keychain-locked')),
      ask: () => Promise.resolve({ answer: fail('certificate'), date: null }),
      secure: () => true,
      tray: () => Promise.resolve(null),
      notifications: () => false,
    }),
  report: async (address) =>
    reportText(
      { version: '1', runtime: 'Electron', os: 'Linux', state: stateOf(rig), tray: null, recent: [] },
      address,
    ),
  copy: () => undefined,
}

/** True if the value fits the schema. Some values make zod throw: it can't freeze bytes. No valid request has such a value. */
function doesFit({ safeParse }: { safeParse: (value: unknown) => { success: boolean } }, value: unknown): boolean {
  try {
    return safeParse(value).success
  } catch {
    return false
  }
}

describe('whatever is asked of the bridge', () => {
  test.each(names)(
    '%s answers by the contract, without a secret in its answer, and logs nothing',
    async (name) => {
      const { request, answer } = commands[name]
      const fits = fitting(request, await textsOfTheApp(), [KEY, PASSWORD])
      const requests = fc.oneof(fits, corrupted(fits), cloneable)
      await fc.assert(
        fc.asyncProperty(requests, async (value) => {
          const result = await invoke[name](event, value)
          expect(resultSchema(answer).safeParse(result).success).toBe(true)
          expect(JSON.stringify(result)).not.toMatch(/-of-the-fuzz/)
          if (result.ok) return
          expect(result.error.code).not.toMatch(/^(internal|malformed-answer|flooded)$/)
          if (!doesFit(request, value)) expect(result).toEqual(fail('malformed-request'))
        }),
        settings(60),
      )
      expect(lines).toEqual([])
      expect(Object.keys(Object.prototype)).toEqual([])
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    },
    timeout,
  )
})
