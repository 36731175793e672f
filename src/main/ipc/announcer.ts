import type { AppState } from '../../shared/state.ts'
import type { Broadcast } from './broadcast.ts'
import type { OpenConnection } from '../connection/open-connection.ts'

/** Notifies the window and the tray of changes. Changes of the state in the same tick are combined. */
export interface Announcer {
  /** Call this also when another connection has become active. The window then reads everything again. */
  stateChanged(): void
  /** Follows a connection that runs. Returns a function that stops it. */
  watch(connection: OpenConnection): () => void
  /** Stops reading and sending the state, as the data is about to be closed. */
  stop(): void
}

export interface AnnouncerOptions {
  state: () => AppState
  /** The connection that the window shows. */
  active: () => OpenConnection | null
  broadcast: Broadcast
  onState: (state: AppState) => void
}

export function createAnnouncer({ state, active, broadcast, onState }: AnnouncerOptions): Announcer {
  let due = false
  let stopped = false

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
        // The list of edits shows why an edit is held.
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
    stop: () => void (stopped = true),
    watch,
  }
}
