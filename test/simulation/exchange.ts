import type { SendRequest } from '../../src/main/service/exchange.ts'
import type { Life } from './life.ts'
import type { Arrival, Network } from './service/network.ts'

/** How the app's requests leave in the model: over the simulated network, as long as the app lives. */
export const createModelExchange =
  (network: Network, life: Life, name = life.name): SendRequest =>
  async ({ method, path, query, form }, key) => {
    if (!life.alive) return never()
    const arrival = await network.send(
      {
        method,
        path,
        query: query?.toString() ?? '',
        headers: { accept: 'application/json', authorization: `Bearer ${key?.reveal() ?? ''}` },
        body: form === undefined ? '' : new URLSearchParams(form).toString(),
      },
      name,
      () => life.alive && !life.isAsleep(),
    )
    if (life.isAsleep()) {
      await new Promise<void>((resolve) => life.after(0, resolve))
      return life.alive ? { state: 'lost', code: 'interrupted' } : never()
    }
    return life.alive ? asExchanged(arrival) : never()
  }

const never = <T>(): Promise<T> => new Promise<T>(() => undefined)

function asExchanged(arrival: Arrival): Awaited<ReturnType<SendRequest>> {
  if (arrival.state === 'unsent') return { state: 'unsent', code: 'unreachable' }
  if (arrival.state === 'lost') return { state: 'lost', code: arrival.as === 'timeout' ? 'timeout' : 'interrupted' }
  const { status, headers, body } = arrival.answer
  const whole = arrival.whole
    ? { whole: true as const, text: body }
    : { whole: false as const, code: 'interrupted' as const }
  return { state: 'answered', answer: { status, headers: new Headers(headers), body: whole } }
}
