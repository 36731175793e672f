import type { AppState } from '../../shared/state.ts'
import type { Broadcast } from './broadcast.ts'
import type { OpenConnection } from '../connection/open.ts'

/** Tells the window and the tray what changed. Many changes in one turn are told once. */
export interface Announcer {
  stateChanged(): void
  /** Another connection is active, or none: everything may have changed. */
  activeChanged(connection: OpenConnection | null): void
  /** Nothing is read or told any more: the data is being closed. */
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
  let forget: (() => void)[] = []

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
        // What an edit waits for is part of how it's shown.
        broadcast('editsChanged', undefined)
        stateChanged()
      }),
    ]
  }

  return {
    stateChanged,
    stop: () => void (stopped = true),
    activeChanged(connection) {
      for (const stop of forget) stop()
      forget = connection === null ? [] : watch(connection)
      broadcast('websitesChanged', { keys: null })
      broadcast('editsChanged', undefined)
      broadcast('accountChanged', undefined)
      stateChanged()
    },
  }
}
