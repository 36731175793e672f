import type { Line } from './line.ts'

/** Milliseconds that a connection is kept without a request: less than the five seconds after which many services close theirs. */
const IDLE = 4000

/**
 * Milliseconds after an answer for which its connection is good enough for a write: a moment in which hardly anything closes it. What
 * can't be asked twice without being done twice (POST; RFC 9110, 9.2.2) never goes over one that was kept.
 */
const GOOD_FOR = new Map([
  ['GET', IDLE],
  ['PUT', 1000],
  ['DELETE', 1000],
])

/** Milliseconds for which a service that lost a write with a kept connection gets each over one of its own: an hour. */
const DISTRUST = 3_600_000

/** Connections over which something was answered, for what follows it: one for each origin. */
export interface KeptLines {
  /** Null: there is none that's good enough. Whoever takes it has it alone. */
  take(origin: string, method: string): Line | null
  /** Nothing is sent over it now. One that the service closes, or speaks over unasked, is no longer kept; nor the one before it. */
  keep(origin: string, line: Line): void
  /** A write was lost with a kept one: it may happen again. */
  distrust(origin: string): void
  /** Closes them all. */
  close(): void
}

/** By the clock on the wall, which goes on while the machine sleeps. */
export function createKeptLines(): KeptLines {
  const kept = new Map<string, { line: Line; since: number; release: () => void }>()
  const distrusted = new Map<string, number>()

  const isWithin = (ms: number, since = -Infinity): boolean => {
    const age = Date.now() - since
    return age >= 0 && age <= ms
  }

  return {
    take(origin, method) {
      const found = kept.get(origin)
      if (found === undefined || !isWithin(GOOD_FOR.get(method) ?? -1, found.since)) return null
      if (method !== 'GET' && isWithin(DISTRUST, distrusted.get(origin))) return null
      found.release()
      found.line.socket.ref()
      return found.line
    },
    keep(origin, line) {
      const { socket } = line
      if (!socket.writable) return
      const before = kept.get(origin)
      before?.release()
      before?.line.socket.destroy()
      const drop = (): void => void socket.destroy()
      const ends = ['data', 'end', 'timeout'] as const
      function release(): void {
        kept.delete(origin)
        for (const end of ends) socket.off(end, drop)
        socket.off('close', release).setTimeout(0)
      }
      for (const end of ends) socket.on(end, drop)
      socket.once('close', release).setTimeout(IDLE).unref().resume()
      kept.set(origin, { line, since: Date.now(), release })
    },
    distrust: (origin) => void distrusted.set(origin, Date.now()),
    close() {
      for (const { line } of kept.values()) line.socket.destroy()
    },
  }
}
