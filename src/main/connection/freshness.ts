import type { Clock } from '../outbox/ports.ts'
import type { OpenConnection } from './open.ts'

const STALE = 5 * 60_000

/**
 * When the list is read again by itself: on connect, when the window is shown after five minutes or after a run that
 * failed, and when the service is back after such a run. Never while the window is hidden: nothing of it then waits for the service.
 */
export interface Freshness {
  shown(): void
  hidden(): void
  /** The key came, or another one. */
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
