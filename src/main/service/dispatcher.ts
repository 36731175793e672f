import { setImmediate as othersTurn } from 'node:timers/promises'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { Dispatcher } from 'undici'
import { Attempt } from './attempt.ts'
import { certificateAuthorities } from './authorities.ts'
import type { Connections } from './connections.ts'
import type { Way, WaysTo } from './proxy.ts'
import { neverSent, NeverSent, type LostCode, type UnsentCode } from './request-errors.ts'

export interface DispatcherOptions {
  /** Milliseconds for each step to a connection; 10 s (sync.md, the row "online by the OS"). */
  connectTimeout?: number
  /** Certificate authorities (PEM) beside the bundled ones and the system's. */
  authorities?: readonly string[]
  /** Left out: directly, always. */
  waysTo?: WaysTo
}

/** One request on its way out. */
export interface Sending {
  /** Sends the request, once. Rejects with a {@link NeverSent} tag where that is so. */
  fetch: typeof globalThis.fetch
  /** Status of the answer. */
  status(): number
  /** Ends the request with `unsent` if no byte of it was sent, else with `lost`; null: it goes on. */
  end(unsent: UnsentCode, lost: LostCode | null): void
  /** To be called once, when the request is over. */
  done(): void
}

/** How requests reach the service. Whoever made it destroys it. */
export interface ServiceDispatcher {
  begin(method: string, origin: string): Sending
  /** Loads the HTTP client and parses the certificate authorities, before the first request has to wait for it. */
  warm(): Promise<void>
  /** Ends all requests: those that were sent as lost, the others as never sent. Closes all connections. */
  interrupt(): void
  /** As {@link interrupt}; from then on nothing is sent. */
  destroy(): Promise<void>
}

/** Milliseconds for which an origin that lost a write gets each write over a connection of its own: an hour. */
const DISTRUST = 3_600_000

/**
 * Chooses the connection of each request (docs/decisions/0002-what-a-write-goes-over.md). Reads may use one that is still
 * open. A write does so only right after a good answer, and one that must not be done twice (POST; RFC 9110, 9.2.2) never.
 */
export function createDispatcher({
  connectTimeout = 10_000,
  authorities = [],
  waysTo = async () => [{ kind: 'direct' }],
}: DispatcherOptions = {}): ServiceDispatcher {
  const connections = new Map<string, Connections>()
  const underWay = new Set<Attempt>()
  const lastAnswer = new Map<string, () => number>()
  const lastLoss = new Map<string, () => number>()
  let destroyed = false
  let secureContext: SecureContext | undefined
  const trust = (): SecureContext => (secureContext ??= trusting(authorities))

  async function dispatcherFor(way: Way, method: string, origin: string): Promise<Dispatcher> {
    const { openConnections, IDLE } = await load()
    const name = JSON.stringify([way, origin])
    const found =
      connections.get(name) ?? openConnections(way, new URL(origin), { timeout: connectTimeout, secureContext: trust })
    connections.set(name, found)
    const answeredJustNow = (lastAnswer.get(origin)?.() ?? Infinity) <= IDLE
    const distrusted = (lastLoss.get(origin)?.() ?? Infinity) <= DISTRUST
    const mayReuse = method === 'GET' || (method !== 'POST' && answeredJustNow && !distrusted)
    return mayReuse ? found.kept : found.fresh
  }

  /** Goes the system's ways one after another, until one gets through. */
  async function sendBy(attempt: Attempt, method: string, url: string, init: RequestInit): Promise<Response> {
    const { origin } = new URL(url)
    const { fetch } = await load()
    const ways = await Promise.race([waysTo(origin), attempt.aborted()]).catch((cause: unknown) => {
      throw cause instanceof NeverSent ? cause : new NeverSent('proxy-unsupported', { cause })
    })
    // A connection that has just answered is free again a turn later.
    await othersTurn()
    let failure: unknown
    for (const way of ways) {
      try {
        const dispatcher = attempt.over(await dispatcherFor(way, method, origin))
        const options = { ...init, signal: attempt.signal, dispatcher }
        return (await fetch(url, options as Parameters<typeof fetch>[1])) as unknown as Response
      } catch (error) {
        failure = attempt.sent ? error : neverSent(error)
        if (!mayGoRound(failure)) break
      }
    }
    throw failure
  }

  function finish(attempt: Attempt, method: string, origin: string): void {
    const interrupted = !underWay.delete(attempt)
    if (attempt.complete && attempt.status >= 200 && attempt.status <= 299) lastAnswer.set(origin, ageing())
    else lastAnswer.delete(origin)
    if (attempt.sent && !attempt.complete && !interrupted && method !== 'GET') lastLoss.set(origin, ageing())
  }

  async function endAll(): Promise<void> {
    for (const attempt of underWay) attempt.end('no-connection', 'interrupted')
    underWay.clear()
    const closing = [...connections.values()].flatMap(({ kept, fresh }) => [kept.destroy(), fresh.destroy()])
    connections.clear()
    await Promise.all(closing)
  }

  return {
    begin(method, origin) {
      const attempt = new Attempt()
      underWay.add(attempt)
      if (destroyed) attempt.end('no-connection', null)
      return {
        fetch: (url, init = {}) => sendBy(attempt, method, String(url), init),
        status: () => attempt.status,
        end: (unsent, lost) => attempt.end(unsent, lost),
        done: () => finish(attempt, method, origin),
      }
    },
    async warm() {
      await load()
      // Node keeps what it has read.
      certificateAuthorities('system')
      await othersTurn()
      trust()
    },
    interrupt: () => void endAll(),
    async destroy() {
      destroyed = true
      await endAll()
    },
  }
}

/** undici takes about 90 ms to load, which the start of the app doesn't wait for. */
const load = () => import('./connections.ts')

/** True if another way may be tried: a proxy that answered has decided, one that did not has not. */
const mayGoRound = (failure: unknown): boolean =>
  failure instanceof NeverSent && ['proxy-unreachable', 'proxy-unsupported'].includes(failure.code)

function trusting(authorities: readonly string[]): SecureContext {
  const known = [...certificateAuthorities('default'), ...certificateAuthorities('system'), ...authorities]
  return createSecureContext({ ca: [...new Set(known)] })
}

/** Returns the milliseconds since the call: the wall clock goes on in a sleep, the other one is never set back. */
function ageing(): () => number {
  const [wall, monotonic] = [Date.now(), performance.now()]
  return () => Math.max(Date.now() - wall, performance.now() - monotonic)
}
