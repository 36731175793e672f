import type { Outcome } from './outcome.ts'
import type { Service } from './port.ts'

/** Puts the same thing around each of the six operations: a key, a budget, an ear. */
export function wrapService(
  service: Service,
  around: <T>(ask: () => Promise<Outcome<T>>) => Promise<Outcome<T>>,
): Service {
  return {
    list: (query) => around(() => service.list(query)),
    listNext: (next) => around(() => service.listNext(next)),
    get: (id) => around(() => service.get(id)),
    create: (draft) => around(() => service.create(draft)),
    update: (id, changes) => around(() => service.update(id, changes)),
    delete: (id) => around(() => service.delete(id)),
    account: () => around(() => service.account()),
  }
}
