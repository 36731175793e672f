import type { Clock } from '../outbox/ports.ts'
import type { OpenConnection } from './open.ts'

const STALE = 5 * 60_000

/**
 * Decides when the list is refreshed automatically: on connect, when the window is shown more than five minutes after
 * the last refresh or after a failed one, and when the service is back after a failed one. Never while the window is
 * hidden.
 */
export interface Freshness {
  shown(): void
  hidden(): void
  /** The connection has received its key, or a new one. */
  keyGiven(): void
  watch(connection: OpenConnection | null): void
}

export function createFreshness(clock: Clock, isVisible: () => boolean): Freshness {
  let connection: OpenConnection | null = null
  let ranAt: number | null = null
  let forget: () => void = () => undefined

  function run(): void {
    if (connection === null || connection.readOnly || connection.key.current() === null) return
    ranAt = clock.monotonic()
    void connection.refresh.run()
  }

  return {
    shown() {
      connection?.reach.want('window', true)
      const failed = connection !== null && connection.refresh.state().error !== null
      if (ranAt === null || failed || clock.monotonic() - ranAt >= STALE) run()
    },
    keyGiven() {
      if (isVisible()) run()
    },
    hidden: () => connection?.reach.want('window', false),
    watch(next) {
      forget()
      connection = next
      ranAt = null
      if (next === null) return
      next.reach.want('window', isVisible())
      let wasOnline = next.reach.state().state === 'online'
      forget = next.reach.onChange(() => {
        const online = next.reach.state().state === 'online'
        const back = online && !wasOnline && next.refresh.state().error !== null
        wasOnline = online
        if (back && isVisible()) run()
      })
    },
  }
}
