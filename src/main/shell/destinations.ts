import type { Destination } from '../../shared/destination.ts'

/**
 * The destination that the tray, a menu, a notification or a link asked for, perhaps before the page exists. It is kept
 * until the page takes it; the latest one counts.
 */
export interface Destinations {
  goTo(destination: Destination): void
  /** Allows the page to take the destination: the websites that it may name are loaded. */
  ready(): void
  take(): Destination | null
}

export function createDestinations(show: () => void, notify: () => void): Destinations {
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
