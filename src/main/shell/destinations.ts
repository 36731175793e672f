import type { Destination } from '../../shared/destination.ts'

/**
 * Where the person wants to be: the tray, a menu, a notification or a link says so, perhaps before there is a page. It's
 * kept until the page takes it, and the latest wish counts.
 */
export interface Destinations {
  leadTo(destination: Destination): void
  /** From here on it can be taken: what it leads to is there. */
  ready(): void
  take(): Destination | null
}

export function createDestinations(show: () => void, tell: () => void): Destinations {
  let wanted: Destination | null = null
  let isReady = false
  return {
    leadTo(destination) {
      wanted = destination
      show()
      if (isReady) tell()
    },
    ready() {
      isReady = true
      if (wanted !== null) tell()
    },
    take() {
      if (!isReady) return null
      const taken = wanted
      wanted = null
      return taken
    },
  }
}
