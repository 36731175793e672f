import { wrapService, type Service } from '../service/port.ts'
import type { ConnectionKey } from './key.ts'

/** Marks the key as rejected or accepted after each response. */
export function withKeyStateUpdates(key: ConnectionKey, service: Service): Service {
  return wrapService(service, async (ask) => {
    const used = key.current()
    const answer = await ask()
    // Ignored if the key was replaced during the request.
    if (key.current() === used) key.recordAnswer(answer.outcome === 'applied' ? null : answer.error)
    return answer
  })
}
