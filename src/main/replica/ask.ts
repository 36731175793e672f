import { fail, ok, type Result } from '../../shared/result.ts'
import { retryAfterOf } from '../outbox/backoff.ts'
import type { Clock } from '../outbox/ports.ts'
import type { Outcome } from '../service/outcome.ts'

/** Sends a request, and sends it again after each 429. Errors: those of other responses, and `no-connection` once stopped. */
export type SendWithRetry = <T>(request: () => Promise<Outcome<T>>) => Promise<Result<T>>

/** Waits for at most an hour after each 429. Fails with `no-connection` as soon as `stop` is aborted. */
export function createSendWithRetry(clock: Clock, stop: AbortSignal): SendWithRetry {
  /** Resolves to null when `stop` is aborted. Removes the listener after each wait, so that no response stays in memory. */
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
      if (answer === null) break
      if (answer.outcome === 'applied') return ok(answer.value)
      if (answer.error.code !== 'rate-limited') return { ok: false, error: answer.error }
      await pause(retryAfterOf(answer.error))
    }
    return fail('no-connection')
  }
}
