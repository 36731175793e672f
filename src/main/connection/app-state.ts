import type { AppState } from '../../shared/state.ts'
import type { Pause } from '../connectivity/pause.ts'
import type { Keychain } from '../secrets/keychain.ts'
import type { AppStore } from '../storage/app.ts'
import type { Connections } from './connections.ts'
import type { OpenConnection } from './open-connection.ts'

/** Collects the state that the window shows, from all connections and from the active one. */
export function readAppState(
  connections: Connections,
  keychain: Keychain,
  app: AppStore,
  pause: Pause,
  own: Pick<AppState, 'mishap' | 'update' | 'language'>,
): AppState {
  const active = connections.active()
  const common = {
    accounts: connections.accounts(),
    keychain: keychain.state(),
    paused: pause.isSet(),
    salvaged: recoveryToShow(app, active),
    ...own,
  }
  if (active === null) return { ...common, ...nothingActive, problem: connections.problem() }
  return {
    ...common,
    problem: active.outbox.failure(),
    connection: connections.view(),
    reach: active.reach.state(),
    ...active.outbox.counts(),
    unconfirmed: active.outbox.isUnconfirmed(),
    websites: active.view.total(),
    delivery: active.outbox.delivery(),
    bulkChange: active.outcome.state(),
    lastOrder: active.outbox.lastOrder(),
    mismatches: active.mismatches(),
    remoteChanges: active.remoteChanges(),
    readOnly: active.readOnly,
    refresh: active.refresh.state(),
  }
}

/** The values of the app's state while no connection is active. */
const nothingActive = {
  connection: null,
  reach: { state: 'unknown' },
  waiting: 0,
  parked: 0,
  unconfirmed: false,
  websites: 0,
  delivery: null,
  bulkChange: null,
  lastOrder: 0,
  mismatches: 0,
  remoteChanges: 0,
  readOnly: false,
  refresh: { running: false, ended: 0, read: 0, total: null, seenAt: null, error: null },
} as const

/** The recovery of the active connection's file comes before that of the app's own file, as in `dismissSalvage`. */
function recoveryToShow(app: AppStore, active: OpenConnection | null): AppState['salvaged'] {
  const [own, of] = [app.salvaged(), active?.salvaged() ?? null]
  return of !== null ? { ...of, of: 'connection' } : own !== null ? { ...own, of: 'app' } : null
}
