import { createBatches } from '../../../src/main/bulk/batches.ts'
import { createBulk } from '../../../src/main/bulk/bulk.ts'
import { random, startConnection } from '../outbox/rig.ts'

type Options = Parameters<typeof startConnection>[0] & { pause?: () => Promise<void> }

/** The connection with what is done to many of its websites. */
export function openMany({ pause = () => Promise.resolve(), ...options }: Options) {
  const connection = startConnection(options)
  const { outbox, view, outcome } = connection
  const ports = { view, outbox, outcome, newId: () => random.id(), pause }
  return { ...connection, bulk: createBulk(ports), batches: createBatches(ports) }
}
