import type { AppState } from '../../shared/state.ts'
import type { Broadcast } from './broadcast.ts'
import type { OpenConnection } from '../connection/open-connection.ts'

export interface AnnouncerOptions {
  state: () => AppState
  /** The connection that the window shows. */
  active: () => OpenConnection | null
  broadcast: Broadcast
  onState: (state: AppState) => void
}

/** Notifies the window and the tray of changes. Changes of the state in the same tick are combined. */
export function createAnnouncer({ state, active, broadcast, onState }: AnnouncerOptions) {
  let due = false
  let stopped = false

  /**
   * Sends the state to the window and the tray. Call this when the state has changed, and when another connection has become
   * active: the window then reads everything again.
   */
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

  /** Follows a connection that runs. Returns a function that stops it. */
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
        // The window reads the edits again, because their list shows why an edit is held.
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
    /** Stops reading and sending the state, as the data is about to be closed. */
    stop: () => void (stopped = true),
  }
}
