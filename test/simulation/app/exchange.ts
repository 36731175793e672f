import type { SendRequest } from '../../../src/main/service/exchange.ts'
import { outcomeWithoutAnswer } from '../../../src/main/service/outcome.ts'
import { AbandonedRequest, NeverSent } from '../../../src/main/service/request-errors.ts'
import type { AppRun } from '../machine/app-run.ts'
import type { Arrival, Network } from '../service/network.ts'

/**
 * Sends the app's requests over the simulated network. A request of a run that has ended is never answered. If an answer comes
 * while the computer sleeps, it is lost when the computer wakes up.
 */
export const createSimulatedExchange =
  (network: Network, appRun: AppRun, name = appRun.name): SendRequest =>
  async ({ method, path, query, form }, key) => {
    if (!appRun.alive) return never()
    const arrival = await network.send(
      {
        method,
        path,
        query: query?.toString() ?? '',
        headers: { accept: 'application/json', authorization: `Bearer ${key?.reveal() ?? ''}` },
        body: form === undefined ? '' : new URLSearchParams(form).toString(),
      },
      name,
      () => appRun.alive && !appRun.isAsleep(),
    )
    if (appRun.isAsleep()) {
      await new Promise<void>((resolve) => appRun.after(0, resolve))
      return appRun.alive ? outcomeWithoutAnswer(new AbandonedRequest('interrupted')) : never()
    }
    return appRun.alive ? asExchanged(arrival) : never()
  }

const never = <T>(): Promise<T> => new Promise<T>(() => undefined)

function asExchanged(arrival: Arrival): Awaited<ReturnType<SendRequest>> {
  if (arrival.state === 'unsent') return outcomeWithoutAnswer(new NeverSent('unreachable'))
  if (arrival.state === 'lost') {
    return outcomeWithoutAnswer(new AbandonedRequest(arrival.as === 'timeout' ? 'timeout' : 'interrupted'))
  }
  const { status, headers, body } = arrival.answer
  const whole = arrival.whole
    ? { whole: true as const, text: body }
    : { whole: false as const, code: 'interrupted' as const }
  return { status, headers: new Headers(headers), body: whole }
}
