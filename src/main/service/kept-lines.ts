import type { Line } from './line.ts'

/** Milliseconds that a connection is kept without a request: less than the five seconds after which many services close theirs. */
const IDLE = 4000

/** Connections over which a read was answered, for the read that follows it: one for each origin. */
export interface KeptLines {
  /** Null: there is none. Whoever takes it has it alone. */
  take(origin: string): Line | null
  /** Nothing is sent over it now. One that the service closes, or speaks over unasked, is no longer kept. */
  keep(origin: string, line: Line): void
  /** Closes them all. */
  close(): void
}

export function createKeptLines(): KeptLines {
  const kept = new Map<string, { line: Line; release: () => void }>()

  return {
    take(origin) {
      const found = kept.get(origin)
      if (found === undefined) return null
      found.release()
      found.line.socket.ref()
      return found.line
    },
    keep(origin, line) {
      const { socket } = line
      if (!socket.writable) return
      if (kept.has(origin)) return void socket.destroy()
      const drop = (): void => void socket.destroy()
      const ends = ['data', 'end', 'timeout'] as const
      function release(): void {
        kept.delete(origin)
        for (const end of ends) socket.off(end, drop)
        socket.off('close', release).setTimeout(0)
      }
      for (const end of ends) socket.on(end, drop)
      socket.once('close', release).setTimeout(IDLE).unref().resume()
      kept.set(origin, { line, release })
    },
    close() {
      for (const { line } of kept.values()) line.socket.destroy()
    },
  }
}
