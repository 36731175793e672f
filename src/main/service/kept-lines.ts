import type { Line } from './line.ts'

/** Milliseconds that a connection is kept without a request: less than the five seconds after which many services close theirs. */
const IDLE = 4000

/**
 * Milliseconds after an answer for which its connection is good enough for a write: it goes right behind what was before it, as queued
 * ones do, or over its own. What can't be asked twice without being done twice (POST; RFC 9110, 9.2.2) always has its own.
 */
const GOOD_FOR = new Map([
  ['GET', IDLE],
  ['PUT', 200],
  ['DELETE', 200],
])

/** Milliseconds for which a service that lost a write gets each over a connection of its own: an hour. */
const DISTRUST = 3_600_000

/** Connections over which something was answered, for what follows it: one for each origin. */
export interface KeptLines {
  /** Null: there is none that's good enough. Whoever takes it has it alone; it may just have been closed. */
  take(origin: string, method: string): Line | null
  /** Nothing is sent over it now. One that the service closes, or speaks over unasked, is no longer kept; nor the one before it. */
  keep(origin: string, line: Line): void
  /** A write was lost, with a kept connection or while the service was expected to keep one. */
  distrust(origin: string): void
  /** Whether one over which this was asked may be kept at all. */
  mayKeep(origin: string, method: string): boolean
  /** Closes them all. */
  close(): void
}

export function createKeptLines(): KeptLines {
  const kept = new Map<string, { line: Line; age: () => number; release: () => void }>()
  const distrusted = new Map<string, () => number>()

  const mayKeep = (origin: string, method: string): boolean =>
    method === 'GET' || (distrusted.get(origin)?.() ?? Infinity) > DISTRUST

  return {
    take(origin, method) {
      const found = kept.get(origin)
      if (found === undefined || found.age() > (GOOD_FOR.get(method) ?? -1) || !mayKeep(origin, method)) return null
      found.release()
      found.line.socket.ref()
      return found.line
    },
    keep(origin, line) {
      const { socket } = line
      // One that has closed would never tell of it again.
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
      kept.set(origin, { line, age: ageing(), release })
    },
    distrust: (origin) => void distrusted.set(origin, ageing()),
    mayKeep,
    close() {
      for (const { line } of kept.values()) line.socket.destroy()
    },
  }
}

/** Milliseconds since it was made: by the clock on the wall, which goes on in a sleep, or by the one that nobody sets back. */
function ageing(): () => number {
  const [wall, monotonic] = [Date.now(), performance.now()]
  return () => Math.max(Date.now() - wall, performance.now() - monotonic)
}
