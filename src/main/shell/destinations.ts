import type { Destination } from '../../shared/destination.ts'

/**
 * Keeps the latest destination that the tray, a menu, a notification or a link asked for, until the page takes it. `show`: opens
 * the window. `notify`: asks its page to take the destination.
 */
export function createPendingDestination(show: () => void, notify: () => void) {
  let pending: Destination | null = null
  let isReady = false
  return {
    goTo(destination: Destination): void {
      pending = destination
      show()
      if (isReady) notify()
    },
    /** True if the page has not yet taken this kind of destination. */
    isPending: (to: Destination['to']): boolean => pending?.to === to,
    /** Allows the page to take the destination: the websites that it may name are loaded. */
    ready(): void {
      isReady = true
      if (pending !== null) notify()
    },
    /** Returns the destination and forgets it. Null if there is none, or before `ready`. */
    take(): Destination | null {
      if (!isReady) return null
      const taken = pending
      pending = null
      return taken
    },
  }
}
