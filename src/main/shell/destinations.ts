import type { Destination } from '../../shared/destination.ts'
import type { Connections } from '../connection/ports.ts'

/**
 * The destination that the tray, a menu, a notification or a link asked for, perhaps before the page exists. It is kept
 * until the page takes it; the latest one counts.
 */
export interface PendingDestination {
  goTo(destination: Destination): void
  /** Allows the page to take the destination: the websites that it may name are loaded. */
  ready(): void
  take(): Destination | null
}

export function createPendingDestination(show: () => void, notify: () => void): PendingDestination {
  let pending: Destination | null = null
  let isReady = false
  return {
    goTo(destination) {
      pending = destination
      show()
      if (isReady) notify()
    },
    ready() {
      isReady = true
      if (pending !== null) notify()
    },
    take() {
      if (!isReady) return null
      const taken = pending
      pending = null
      return taken
    },
  }
}

/**
 * Returns a function that shows a destination in an account. If the account can't be shown, `open` only opens the window: the
 * destination must not appear in another account.
 */
export const createGoToAccount =
  (
    connections: Pick<Connections, 'active' | 'switchTo'>,
    { goTo }: Pick<PendingDestination, 'goTo'>,
    open: () => void,
  ) =>
  async (account: string, destination: Destination): Promise<void> => {
    const isShown = connections.active()?.record.id === account || (await connections.switchTo(account)).ok
    if (isShown) goTo(destination)
    else open()
  }
