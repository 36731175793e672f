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
  /** Null: stopped. Each wait has its own listener, so that nothing of what was read outlives its wait. */
  const orStopped = <T>(work: Promise<T>): Promise<T | null> =>
    new Promise((resolve, reject) => {
      const end = () => resolve(null)
      stop.addEventListener('abort', end, { once: true })
      void work.then(resolve, reject).finally(() => stop.removeEventListener('abort', end))
    })

  async function pause(ms: number): Promise<void> {
    let cancel = () => {}
    await orStopped(new Promise<void>((resolve) => (cancel = clock.after(ms, resolve))))
    cancel()
  }

  return async (request) => {
    while (!stop.aborted) {
      const answer = await orStopped(request())
      // The file may be closed by now: what was read is of no use to anybody.
      if (answer === null) break
      if (answer.outcome === 'applied') return ok(answer.value)
      if (answer.error.code !== 'rate-limited') return { ok: false, error: answer.error }
      await pause(toldWait(answer.error))
    }
    return fail('no-connection')
  }
}
