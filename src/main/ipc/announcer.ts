import type { AppState } from '../../shared/state.ts'
import type { Broadcast } from './broadcast.ts'
import type { OpenConnection } from '../connection/open-connection.ts'

export interface AnnouncerOptions {
  state: () => AppState
  active: () => OpenConnection | null
  broadcast: Broadcast
  onState: (state: AppState) => void
}

/** Notifies the window and the tray of changes. Several changes in one tick are sent once. */
export function createAnnouncer({ state, active, broadcast, onState }: AnnouncerOptions) {
  let due = false
  let stopped = false

  /** Sends the state to the window and the tray. Must be called when the state, or the active connection, has changed. */
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

  /** Announces the changes of a connection. Returns a function that stops this. */
  function watch(connection: OpenConnection): () => void {
    const isActive = (): boolean => active() === connection
    const stops = [
      connection.outbox.onChange(({ websites }) => {
        if (isActive()) broadcast('websitesChanged', { keys: websites })
        if (isActive()) broadcast('editsChanged', undefined)
        stateChanged()
      }),
      connection.refresh.onChange(({ websites, account }) => {
        if (isActive() && websites) broadcast('websitesChanged', { keys: null })
        if (isActive() && account) broadcast('accountChanged', undefined)
        stateChanged()
      }),
      connection.reach.onChange(() => {
        // The list of edits shows why an edit is held, so the window reads it again.
        if (isActive()) broadcast('editsChanged', undefined)
        stateChanged()
      }),
    ]
    stateChanged()
    return () => {
      for (const stop of stops) stop()
      stateChanged()
    }
  }

  return {
    stateChanged,
    watch,
    /** Called before the data is closed, after which the state can't be read. */
    stop: () => void (stopped = true),
  }
}
