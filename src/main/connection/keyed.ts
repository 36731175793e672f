import { fail } from '../../shared/result.ts'
import type { Service } from '../service/port.ts'
import { wrapService } from '../service/wrap.ts'
import type { ConnectionKey } from './key.ts'

/**
 * A service whose key may be missing just now: then nothing is sent, and each answer says `key-missing`. The key is
 * told what each answer says of it: refused, or good again.
 */
export function keyedService(key: ConnectionKey, service: Service): Service {
  return wrapService(service, async (ask) => {
    const used = key.current()
    if (used === null) return { outcome: 'notApplied', error: fail('key-missing').error, meta: {} }
    const answer = await ask()
    // An answer to a key that has been replaced meanwhile tells nothing of the new one.
    if (key.current() === used) key.heard(answer.outcome === 'applied' ? null : answer.error)
    return answer
  })
}
