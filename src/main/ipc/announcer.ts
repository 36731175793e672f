import type { AppState } from '../../shared/state.ts'
import type { Broadcast } from './broadcast.ts'
import type { OpenConnection } from '../connection/open.ts'

/** Notifies the window and the tray of changes. Changes of the state in the same tick are combined. */
export interface Announcer {
  stateChanged(): void
  /** Another connection has become active, or none, so everything may have changed. */
  activeChanged(connection: OpenConnection | null): void
  /** Stops reading and sending the state, as the data is about to be closed. */
  stop(): void
}

export interface AnnouncerOptions {
  state: () => AppState
  broadcast: Broadcast
  onState: (state: AppState) => void
}

export function createAnnouncer({ state, broadcast, onState }: AnnouncerOptions): Announcer {
  let due = false
  let stopped = false
  let stopWatching: (() => void)[] = []

  function stateChanged(): void {
    if (due || stopped) return
    due = true
    setImmediate(() => {
      due = false
      if (stopped) return
      const now = state()
      broadcast('state', now)
      onState(now)
    })
  }

  function watch(connection: OpenConnection): (() => void)[] {
    return [
      connection.outbox.onChange(({ websites }) => {
        broadcast('websitesChanged', { keys: websites })
        broadcast('editsChanged', undefined)
        stateChanged()
      }),
      connection.refresh.onChange(({ websites, account }) => {
        if (websites) broadcast('websitesChanged', { keys: null })
        if (account) broadcast('accountChanged', undefined)
        stateChanged()
      }),
      connection.reach.onChange(() => {
        // The list of edits shows why an edit is held.
        broadcast('editsChanged', undefined)
        stateChanged()
      }),
    ]
  }

  return {
    stateChanged,
    stop: () => void (stopped = true),
    activeChanged(connection) {
      for (const stop of stopWatching) stop()
      stopWatching = connection === null ? [] : watch(connection)
      broadcast('websitesChanged', { keys: null })
      broadcast('editsChanged', undefined)
      broadcast('accountChanged', undefined)
      stateChanged()
    },
  }
}
