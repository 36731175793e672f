import { createBatches } from '../../../src/main/bulk/batches.ts'
import { createBulk } from '../../../src/main/bulk/bulk.ts'
import { createOutcome } from '../../../src/main/bulk/outcome.ts'
import type { BatchStore } from '../../../src/main/bulk/ports.ts'
import { random, startConnection } from '../outbox/rig.ts'

type Options = Parameters<typeof startConnection>[0] & {
  /** What stands before the store of batches. */
  store?: (kept: BatchStore) => BatchStore
  pause?: () => Promise<void>
}

/** The connection with what is done to many of its websites. */
export function openMany({ store = (kept) => kept, pause = () => Promise.resolve(), ...options }: Options) {
  const connection = startConnection(options)
  const { outbox, view } = connection
  const outcome = createOutcome({ store: store(connection.store), outbox, clock: options.clock })
  const ports = { view, outbox, outcome, newId: () => random.id(), pause }
  return { ...connection, outcome, bulk: createBulk(ports), batches: createBatches(ports) }
}
