import { createBulk } from './bulk/bulk.ts'
import { createBulkOutcome } from './bulk/outcome.ts'
import { createPresets } from './bulk/presets.ts'
import { createLocalDataTransfer } from './local/local-data.ts'
import { createSavedViews } from './local/saved-views.ts'
import { createTags } from './local/tags.ts'
import { createAutoRefresh, type RefreshConditions } from './connection/auto-refresh.ts'
import { accountIdOf, type OpenConnection } from './connection/open-connection.ts'
import type { ConnectionKey } from './connection/key.ts'
import { withKeyStateUpdates } from './connection/with-key-state.ts'
import { createBudget } from './connectivity/budget.ts'
import { withPause, type Pause } from './connectivity/pause.ts'
import { createReach } from './connectivity/reach.ts'
import { createReadCache, storedRecordReader } from './outbox/remote/read-cache.ts'
import { createOutbox } from './outbox/outbox.ts'
import type { Clock, Random, ReadImport, Sealer } from './outbox/ports.ts'
import { createRefresh } from './replica/refresh.ts'
import { createView } from './replica/view.ts'
import type { ServiceClient } from './service/client.ts'
import type { Service } from './service/port.ts'
import * as requests from './service/requests.ts'
import { scheduleBackups } from './storage/backup-schedule.ts'
import { openStore, type ConnectionStore } from './storage/store.ts'
import type { StoredConnection } from './storage/app.ts'
import { ok, type Result } from '../shared/result.ts'

/** The connection to open, and the objects that its parts need. */
export interface ComposeConnectionOptions {
  record: StoredConnection
  file: string
  key: ConnectionKey
  service: Service
  sealer: Sealer
  pause: Pause
  refreshConditions: RefreshConditions
  clock: Clock
  random: Random
  readImport: ReadImport
  /** Number of days for which the activity list is kept. */
  keepDays: () => number
}

/** Opens a connection's file. The connection sends nothing before `start()`. Errors: `storage`, `disk-full`, `newer-version`. */
export function composeConnection(
  options: ComposeConnectionOptions & { service: ServiceClient },
): Result<OpenConnection> {
  const opened = openStore(options.file, options.record)
  if (!opened.ok) return opened
  const connection = wireConnection(opened.value, options)
  return ok({
    ...connection,
    close() {
      options.service.close()
      return connection.close()
    },
  })
}

/** Builds a connection on an open store. Exported for the simulation, which has a store of its own. */
export function wireConnection(
  store: ConnectionStore,
  {
    record,
    key,
    sealer,
    pause,
    clock,
    random,
    readImport,
    keepDays,
    ...options
  }: Omit<ComposeConnectionOptions, 'file'>,
): OpenConnection {
  const budget = createBudget({ clock })
  const readCache = createReadCache(clock, storedRecordReader(store))
  const service = readCache.noting(withKeyStateUpdates(key, options.service))
  const forUser = budget.wrap(service, 'user')
  const reach = createReach({ service: forUser, budget, clock, random })
  const forReplay = reach.wrap(budget.wrap(service, 'replay'))
  const isAwaited = () => refresh.isAskedFor() || (autoRefresh.isShown() && refresh.state().seenAt === null)
  // A refresh that the user waits for, or the first one, would otherwise wait until all pending edits are sent.
  const refreshSource = () => (isAwaited() ? 'replay' : autoRefresh.isShown() ? 'refresh' : 'background')
  const forRefresh = reach.wrap(budget.wrap(service, refreshSource, () => refresh.hold()))

  // The sample service has another port at each start, so its address can't identify the account.
  const identity = {
    id: record.id,
    address: record.sample ? 'sample' : record.address,
    // A getter, because a host may show its account only after the connection was added.
    get account() {
      return accountIdOf({ record, view })
    },
  }
  const outbox = createOutbox({
    identity,
    store,
    service: forReplay,
    serviceForUser: reach.wrap(forUser),
    requests,
    sealer,
    clock,
    random,
    connectivity: withPause(reach, pause),
    readCache,
    readImport,
  })
  const presets = createPresets({ store, newId: () => random.id() })
  const savedViews = createSavedViews({ store, newId: () => random.id() })
  const nextTurn = () => new Promise<void>((resolve) => void clock.after(0, resolve))
  const outcome = createBulkOutcome({ store, outbox, clock })
  const view = createView({ store, statusOf: outbox.statusOf, differsFrom: presets.differsFrom })
  const tags = createTags({ store, view })
  const bulk = createBulk({ view, outbox, outcome, newId: () => random.id(), pause: nextTurn })
  const stopBackups = store.readOnly ? () => {} : scheduleBackups(store, clock)
  const refresh = createRefresh({
    store,
    service: forRefresh,
    connectivity: reach,
    clock,
    newest: readCache.newest,
    keepDays,
  })
  const autoRefresh = createAutoRefresh({
    clock,
    random,
    refresh,
    reach,
    timeOf: (requests) => budget.timeAlone(requests, refreshSource()),
    conditions: options.refreshConditions,
    canRead: () => !store.readOnly && key.current() !== null,
  })

  return {
    record,
    key,
    outbox,
    view,
    bulk,
    outcome,
    presets,
    savedViews,
    tags,
    localData: createLocalDataTransfer({ store, savedViews }),
    refresh,
    reach,
    autoRefresh,
    readOnly: store.readOnly,
    salvaged: () => store.salvaged(),
    dismissSalvage: () => store.dismissSalvage(),
    mismatches: () => store.mismatches(),
    remoteChanges: () => store.remoteChanges(),
    activitySeen: () => store.activitySeen(),
    write: (work) => store.write(work),
    start: () => outbox.start(),
    keyChanged() {
      reach.keyChanged()
      outbox.wake()
      autoRefresh.keyAvailable()
    },
    resumed() {
      reach.resumed()
      outbox.wake()
      autoRefresh.resumed()
    },
    freeMemory() {
      readCache.forgetOld()
      bulk.forgetPreview()
    },
    async close() {
      // Probes stop before the budget closes, because a probe that a closed budget refuses would be repeated at once.
      autoRefresh.stop()
      reach.stop()
      budget.close()
      refresh.stop()
      stopBackups()
      await outbox.stop()
      store.close()
    },
  }
}
