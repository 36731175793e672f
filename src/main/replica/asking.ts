import { fail, ok, type Result } from '../../shared/result.ts'
import type { Clock } from '../outbox/ports.ts'
import type { Outcome } from '../service/outcome.ts'

export type Ask = <T>(request: () => Promise<Outcome<T>>) => Promise<Result<T>>

/** A 429 without `Retry-After`. */
const PAUSE = 15_000

/** Asks, waiting as long as a 429 says and going on then. Errors: those of the service client; `no-connection`: stopped. */
export function asking(clock: Clock, isStopped: () => boolean): Ask {
  return async (request) => {
    for (;;) {
      if (isStopped()) return fail('no-connection')
      const answer = await request()
      // The file may be closed by now: what was read is of no use to anybody.
      if (isStopped()) return fail('no-connection')
      if (answer.outcome === 'applied') return ok(answer.value)
      if (answer.error.code !== 'rate-limited') return { ok: false, error: answer.error }
      const { retryAfter } = answer.error
      const ms = retryAfter === undefined ? PAUSE : retryAfter * 1000
      await new Promise<void>((resolve) => clock.after(ms, resolve))
    }
  }
}
