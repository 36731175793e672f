import { ok, type AppError, type Result } from '../../shared/result.ts'
import { queueDelete, takeBack, type Stamp } from './commands.ts'
import type { Outbox } from './contract.ts'
import type { Clock, OutboxStore } from './ports.ts'
import type { Waits } from './waits.ts'

/** Edits that are queued or taken back in a few milliseconds, in one transaction. */
const SLICE = 25

export interface ManyPorts {
  store: OutboxStore
  waits: Waits
  clock: Clock
  stamp: () => Stamp
  /** Gives others their turn. */
  pause: () => Promise<void>
  /** Edits of these websites came or went. */
  onChange: (websites: string[]) => void
}

type Many = Pick<Outbox, 'deleteMany' | 'takeBackMany'>

/** Deletes of many websites, and the way back of many creates or deletes. */
export function createMany({ store, waits, clock, stamp, pause, onChange }: ManyPorts): Many {
  /** `done` is told of those of a slice that were carried out, once they're on disk. */
  async function inSlices<T>(
    keys: readonly string[],
    work: (key: string) => Result<T>,
    done: (values: T[]) => void,
  ): Promise<(AppError | null)[]> {
    const errors: (AppError | null)[] = []
    for (let from = 0; from < keys.length; from += SLICE) {
      if (from > 0) await pause()
      const slice = keys.slice(from, from + SLICE)
      const written = store.write(() => ok(slice.map(work)))
      const results = written.ok ? written.value : slice.map(() => written)
      errors.push(...results.map((one) => (one.ok ? null : one.error)))
      const values = results.flatMap((one) => (one.ok ? [one.value] : []))
      if (values.length === 0) continue
      done(values)
      onChange(slice.filter((_, at) => results[at]?.ok))
    }
    return errors
  }

  return {
    deleteMany(keys) {
      const queued: string[] = []
      return inSlices(
        keys,
        (key) => queueDelete(store, key, stamp()),
        (ids) => {
          queued.push(...ids.filter((id) => id !== null))
          // Those before too: all of them are offered back once the last one is queued.
          for (const id of queued) waits.armUndo(id)
        },
      )
    },
    takeBackMany(kind, keys) {
      const at = clock.wall()
      return inSlices(
        keys,
        (key) => takeBack(store, key, kind, at),
        (edits) => {
          for (const { id } of edits) waits.forget(id)
        },
      )
    },
  }
}
