import { wrapService, type Service } from '../service/port.ts'
import type { ConnectionKey } from './key.ts'

/** Tells the key what each answer of the service says of it: refused, or good again. */
export function heardByKey(key: ConnectionKey, service: Service): Service {
  return wrapService(service, async (ask) => {
    const used = key.current()
    const answer = await ask()
    // An answer to a key that has been replaced meanwhile tells nothing of the new one.
    if (key.current() === used) key.heard(answer.outcome === 'applied' ? null : answer.error)
    return answer
  })
}
