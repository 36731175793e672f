import { wrapService, type Service } from '../service/port.ts'
import type { ConnectionKey } from './key.ts'

/** Updates the state of the key from each answer of the service: rejected or accepted. */
export function withKeyStateUpdates(key: ConnectionKey, service: Service): Service {
  return wrapService(service, async (ask) => {
    const used = key.current()
    const answer = await ask()
    // The answer is ignored if the key was replaced since the request.
    if (key.current() === used) key.recordAnswer(answer.outcome === 'applied' ? null : answer.error)
    return answer
  })
}
