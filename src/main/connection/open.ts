import { ok, type Result } from '../../shared/result.ts'
import { createBudget, withBudget } from '../connectivity/budget.ts'
import { createReach, withReach, type ReachMonitor } from '../connectivity/reach.ts'
import { createOutbox, type Outbox } from '../outbox/outbox.ts'
import type { Clock, Random, Sealer } from '../outbox/ports.ts'
import { createRefresh, type Refresh } from '../replica/refresh.ts'
import { createView, type View } from '../replica/view.ts'
import type { Service } from '../service/port.ts'
import * as requests from '../service/requests.ts'
import type { StoredConnection } from '../storage/app.ts'
import { openStore } from '../storage/store.ts'
import type { ConnectionKey } from './key.ts'
import { heardByKey } from './heard-by-key.ts'

/** One connection at work: its file is open, its outbox replays. Nothing of it is shared with another connection. */
export interface OpenConnection {
  readonly record: StoredConnection
  readonly key: ConnectionKey
  readonly outbox: Outbox
  readonly view: View
  readonly refresh: Refresh
  readonly reach: ReachMonitor
  /** A key was given or came back: goes on with what waited for it. */
  resume(): void
  close(): Promise<void>
}

export interface OpenOptions {
  record: StoredConnection
  file: string
  key: ConnectionKey
  /** The client for this connection's address with its key. */
  service: Service
  sealer: Sealer
  clock: Clock
  random: Random
}

/** Opens the connection's file and wires its parts. Errors: `storage`, `disk-full`. */
export function openConnection(options: OpenOptions): Result<OpenConnection> {
  const { record, key, sealer, clock, random } = options
  const opened = openStore(options.file)
  if (!opened.ok) return opened
  const store = opened.value

  const budget = createBudget({ clock })
  const keyed = heardByKey(key, options.service)
  const reach = createReach({ service: withBudget(keyed, budget, 'person'), budget, clock, random })
  const forReplay = withReach(withBudget(keyed, budget, 'replay'), reach)
  const forRefresh = withReach(withBudget(keyed, budget, 'refresh'), reach)

  const outbox = createOutbox({ store, service: forReplay, requests, sealer, clock, random, connectivity: reach })
  const view = createView({ store, standing: outbox.standing })
  const refresh = createRefresh({ store, service: forRefresh, connectivity: reach, clock })
  outbox.start()

  return ok({
    record,
    key,
    outbox,
    view,
    refresh,
    reach,
    resume() {
      reach.retryNow()
      outbox.wake()
    },
    async close() {
      refresh.stop()
      await outbox.stop()
      reach.stop()
      store.close()
    },
  })
}
