import { fail } from '../../../shared/result.ts'
import type { Outcome } from '../../service/outcome.ts'
import type { Service } from '../../service/port.ts'
import type { OutboxPorts } from '../ports.ts'

type RequestPorts = Pick<OutboxPorts, 'service' | 'connectivity'>

/** The outcome of a request that is not made because sending was stopped. `no-connection` counts as never sent. */
const STOPPED: Outcome<never> = { outcome: 'notApplied', error: fail('no-connection').error, meta: {} }

/**
 * Wraps the service and the probe so that nothing is sent once `isActive` is false, not even a read that follows a write. The
 * answer to a request that has begun is passed on.
 */
export function withoutRequestsAfterStop(
  { service, connectivity }: RequestPorts,
  isActive: () => boolean,
): RequestPorts {
  const ask = <T>(request: () => Promise<Outcome<T>>): Promise<Outcome<T>> =>
    isActive() ? request() : Promise.resolve(STOPPED)
  const guarded: Service = {
    list: (query) => ask(() => service.list(query)),
    listNext: (next) => ask(() => service.listNext(next)),
    get: (id) => ask(() => service.get(id)),
    create: (draft) => ask(() => service.create(draft)),
    update: (id, changes) => ask(() => service.update(id, changes)),
    delete: (id) => ask(() => service.delete(id)),
    account: () => ask(() => service.account()),
  }
  const probe = () => (isActive() ? connectivity.probe() : Promise.resolve(false))
  return { service: guarded, connectivity: { ...connectivity, probe } }
}
