import type { AppState } from '../../shared/state.ts'
import type { Pause } from '../connectivity/pause.ts'
import type { Keychain } from '../secrets/keychain.ts'
import type { AppStore } from '../storage/app.ts'
import type { Connections } from './connections.ts'
import type { OpenConnection } from './open-connection.ts'

/** Collects the state that every screen can show. */
export function readAppState(
  connections: Connections,
  keychain: Keychain,
  app: AppStore,
  pause: Pause,
  own: Pick<AppState, 'mishap' | 'update' | 'language'>,
): AppState {
  const accounts = connections.accounts()
  const active = connections.active()
  if (active === null) {
    return {
      problem: connections.problem(),
      accounts,
      connection: null,
      reach: { state: 'unknown' },
      keychain: keychain.state(),
      ...own,
      paused: pause.isSet(),
      waiting: 0,
      parked: 0,
      unconfirmed: false,
      websites: 0,
      delivery: null,
      bulkChange: null,
      mismatches: 0,
      remoteChanges: 0,
      readOnly: false,
      salvaged: salvaged(app, null),
      refresh: { running: false, ended: 0, read: 0, total: null, seenAt: null, error: null },
    }
  }
  return {
    problem: active.outbox.failure(),
    accounts,
    connection: connections.view(),
    reach: active.reach.state(),
    keychain: keychain.state(),
    ...own,
    paused: pause.isSet(),
    ...active.outbox.counts(),
    unconfirmed: active.outbox.isUnconfirmed(),
    websites: active.view.total(),
    delivery: active.outbox.delivery(),
    bulkChange: active.outcome.state(),
    mismatches: active.mismatches(),
    remoteChanges: active.remoteChanges(),
    readOnly: active.readOnly,
    salvaged: salvaged(app, active),
    refresh: active.refresh.state(),
  }
}

function salvaged(app: AppStore, active: OpenConnection | null): AppState['salvaged'] {
  const [own, of] = [app.salvaged(), active?.salvaged() ?? null]
  return of !== null ? { ...of, of: 'connection' } : own !== null ? { ...own, of: 'app' } : null
}
