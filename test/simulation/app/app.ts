import { wireConnection } from '../../../src/main/compose-connection.ts'
import { createPause, type Pause } from '../../../src/main/connectivity/pause.ts'
import { createConnectionKey } from '../../../src/main/connection/key.ts'
import type { OpenConnection } from '../../../src/main/connection/open-connection.ts'
import { createSealer } from '../../../src/main/secrets/sealer.ts'
import { createServiceOver } from '../../../src/main/service/client.ts'
import type { ActivityEntry } from '../../../src/shared/activity.ts'
import type { EditView, HistoryEntry } from '../../../src/shared/edit.ts'
import { listQuerySchema, type WebsiteView } from '../../../src/shared/website.ts'
import { noBackgroundRefresh } from '../../no-background-refresh.ts'
import { readHere } from '../../read-here.ts'
import { guarded } from '../disk/guarded.ts'
import type { Disk } from '../disk/disk.ts'
import { createSimulatedExchange } from './exchange.ts'
import type { HistoryRecord } from '../../../src/main/outbox/model/history-record.ts'
import type { SimulatedKeychain } from '../machine/keychain.ts'
import type { AppRun } from '../machine/app-run.ts'
import type { Seeded } from '../machine/random.ts'
import type { Network } from '../service/network.ts'

/** One run of the app: the real parts of a connection over the simulated world. */
export interface App extends OpenConnection {
  appRun: AppRun
  pause: Pause
  /** The first 100 pending edits. Empty if the run has ended. */
  edits(): EditView[]
  /** The first 100 websites by domain, with the pending edits applied. Empty if the run has ended. */
  websites(): WebsiteView[]
  /** The last 1,000 results of edits, the latest first. Empty if the run has ended. */
  history(): HistoryEntry[]
  /** Like {@link history}, but the records as stored, without what is added for display. */
  results(): HistoryRecord[]
  /** The last 1,000 activity entries of remote changes, the latest first. Empty if the run has ended. */
  remote(): ActivityEntry[]
}

export interface AppWorld {
  disk: Disk
  network: Network
  keychain: SimulatedKeychain
  connection: string
  /** Null if the service shows no account. */
  accountId: string | null
  paused: boolean
  random: Seeded
  newId: () => string
}

const everything = { ...listQuerySchema.parse({ per_page: 100, sort_by: 'domain', sort: 'asc' }), page: 1 }

/** Sorts websites of the same domain by id, because the keys by which SQLite would sort them are random. */
const byDomainAndId = (a: WebsiteView, b: WebsiteView): number =>
  a.domain === b.domain ? (a.id ?? '').localeCompare(b.id ?? '') : 0

export function startApp(
  { disk, network, keychain, connection: id, accountId, paused, random, newId }: AppWorld,
  appRun: AppRun,
): App {
  const pause = createPause(paused)
  const key = createConnectionKey(keychain, id, () => undefined)
  const record = { id, address: 'https://service.invalid', accountId, name: 'Ada', sample: false }
  const connection = wireConnection(guarded(disk.open(), appRun), {
    record,
    key,
    service: createServiceOver(createSimulatedExchange(network, appRun), () => key.current()),
    sealer: createSealer(keychain, id),
    pause,
    clock: appRun,
    random: { id: newId, fraction: () => random.fraction() },
    readImport: readHere,
    refreshConditions: noBackgroundRefresh,
    keepDays: () => 365,
  })
  const { outbox, view } = connection

  connection.start()
  connection.autoRefresh.setShown(true)
  void key.load().then(() => {
    if (appRun.alive && key.current() !== null) connection.keyChanged()
  })

  return {
    ...connection,
    appRun,
    pause,
    edits() {
      const listed = outbox.list({ page: 1, per_page: 100 })
      return listed.ok ? listed.value.edits : []
    },
    websites() {
      const listed = view.list(everything)
      return listed.ok ? listed.value.websites.toSorted(byDomainAndId) : []
    },
    history() {
      const listed = outbox.activity({ results: true, limit: 1000 })
      return listed.ok ? listed.value.entries.flatMap(({ edit }) => edit ?? []) : []
    },
    results() {
      const stored = outbox.activityRecords({ results: true, limit: 1000 })
      return stored.ok ? stored.value.records.flatMap(({ result }) => result ?? []) : []
    },
    remote() {
      const listed = outbox.activity({ author: 'remote', limit: 1000 })
      return listed.ok ? listed.value.entries : []
    },
  }
}
