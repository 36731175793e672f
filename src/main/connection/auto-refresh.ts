import type { Clock } from '../outbox/ports.ts'
import type { OpenConnection } from './open.ts'

const REFRESH_AFTER = 5 * 60_000

/**
 * Decides when the list is refreshed automatically: on connect, when the window is shown more than five minutes after
 * the last refresh or after a failed one, and when the service is back after a failed one. Never while the window is
 * hidden.
 */
export interface AutoRefresh {
  shown(): void
  hidden(): void
  /** The connection has received its key, or a new one. */
  keyAvailable(): void
  watch(connection: OpenConnection | null): void
}

export function createAutoRefresh(clock: Clock, isVisible: () => boolean): AutoRefresh {
  let connection: OpenConnection | null = null
  let lastRun: number | null = null
  let unwatch: () => void = () => undefined

  function run(): void {
    if (connection === null || connection.readOnly || connection.key.current() === null) return
    lastRun = clock.monotonic()
    void connection.refresh.run()
  }

  return {
    shown() {
      connection?.reach.setWaiting('window', true)
      const failed = connection !== null && connection.refresh.state().error !== null
      if (lastRun === null || failed || clock.monotonic() - lastRun >= REFRESH_AFTER) run()
    },
    keyAvailable() {
      if (isVisible()) run()
    },
    hidden: () => connection?.reach.setWaiting('window', false),
    watch(next) {
      unwatch()
      connection = next
      lastRun = null
      if (next === null) return
      next.reach.setWaiting('window', isVisible())
      let wasOnline = next.reach.state().state === 'online'
      unwatch = next.reach.onChange(() => {
        const online = next.reach.state().state === 'online'
        const back = online && !wasOnline && next.refresh.state().error !== null
        wasOnline = online
        if (back && isVisible()) run()
      })
    },
  }
}
