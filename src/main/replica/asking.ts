import { fail, ok, type Result } from '../../shared/result.ts'
import { toldWait } from '../outbox/backoff.ts'
import type { Clock } from '../outbox/ports.ts'
import type { Outcome } from '../service/outcome.ts'

export type Ask = <T>(request: () => Promise<Outcome<T>>) => Promise<Result<T>>

/**
 * Asks, waiting as long as a 429 says (an hour at most) and going on then. Errors: those of the service client;
 * `no-connection`: stopped, and then at once, whatever was waited for.
 */
export function asking(clock: Clock, stop: AbortSignal): Ask {
  const stopped = new Promise<null>((resolve) => {
    stop.addEventListener('abort', () => resolve(null), { once: true })
  })

  async function pause(ms: number): Promise<void> {
    let cancel = () => {}
    await Promise.race([stopped, new Promise<void>((resolve) => (cancel = clock.after(ms, resolve)))])
    cancel()
  }

  return async (request) => {
    while (!stop.aborted) {
      const answer = await Promise.race([stopped, request()])
      // The file may be closed by now: what was read is of no use to anybody.
      if (answer === null) break
      if (answer.outcome === 'applied') return ok(answer.value)
      if (answer.error.code !== 'rate-limited') return { ok: false, error: answer.error }
      await pause(toldWait(answer.error))
    }
    return fail('no-connection')
  }
}
