import { setImmediate as othersTurn } from 'node:timers/promises'
import tls, { type SecureContext } from 'node:tls'
import type { Dispatcher } from 'undici'
import { Attempt } from './attempt.ts'
import type { Connections } from './agents.ts'
import type { Route, RoutesTo } from './proxy.ts'
import { neverSent, NeverSent, type LostCode, type UnsentCode } from './request-errors.ts'

export interface DispatcherOptions {
  /** Milliseconds for each step to a connection; 10 s (docs/sync.md#network-state-and-time-limits). */
  connectTimeout?: number
  /** Certificate authorities (PEM) beside the bundled ones and the system's. */
  authorities?: readonly string[]
  /** Default: directly. */
  routesTo?: RoutesTo
}

/** One request that is about to be sent. */
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
  routesTo = async () => [{ kind: 'direct' }],
}: DispatcherOptions = {}): ServiceDispatcher {
  const connections = new Map<string, Connections>()
  const underWay = new Set<Attempt>()
  // Milliseconds since 1970, by origin. The clock goes on in a sleep, as timers don't.
  const lastAnswer = new Map<string, number>()
  const lastLoss = new Map<string, number>()
  let destroyed = false
  let secureContext: SecureContext | undefined
  const trust = (): SecureContext => (secureContext ??= trusting(authorities))

  async function dispatcherFor(route: Route, method: string, origin: string): Promise<Dispatcher> {
    const { openConnections, IDLE } = await load()
    const name = JSON.stringify([route, origin])
    const found =
      connections.get(name) ??
      openConnections(route, new URL(origin), { timeout: connectTimeout, secureContext: trust })
    connections.set(name, found)
    const answeredJustNow = Date.now() - (lastAnswer.get(origin) ?? -Infinity) <= IDLE
    const distrusted = Date.now() - (lastLoss.get(origin) ?? -Infinity) <= DISTRUST
    const mayReuse = method === 'GET' || (method !== 'POST' && answeredJustNow && !distrusted)
    return mayReuse ? found.kept : found.fresh
  }

  /** Tries the system's routes one after another, until one gets through. */
  async function sendBy(attempt: Attempt, method: string, url: string, init: RequestInit): Promise<Response> {
    const { origin } = new URL(url)
    const { fetch } = await load()
    const routes = await Promise.race([routesTo(origin), attempt.aborted()]).catch((cause: unknown) => {
      throw cause instanceof NeverSent ? cause : new NeverSent('proxy-unsupported', { cause })
    })
    // A connection that has just answered is free again a turn later.
    await othersTurn()
    let failure: unknown
    for (const route of routes) {
      try {
        const dispatcher = attempt.over(await dispatcherFor(route, method, origin))
        const options = { ...init, signal: attempt.signal, dispatcher }
        return (await fetch(url, options as Parameters<typeof fetch>[1])) as unknown as Response
      } catch (error) {
        failure = attempt.sent ? error : neverSent(error)
        if (!mayTryNext(failure)) break
      }
    }
    throw failure
  }

  function finish(attempt: Attempt, method: string, origin: string): void {
    const interrupted = !underWay.delete(attempt)
    if (attempt.complete && attempt.status >= 200 && attempt.status <= 299) lastAnswer.set(origin, Date.now())
    else lastAnswer.delete(origin)
    if (attempt.sent && !attempt.complete && !interrupted && method !== 'GET') lastLoss.set(origin, Date.now())
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
const load = () => import('./agents.ts')

/** True if the next route may be tried: after a proxy that didn't answer, not after one that refused. */
const mayTryNext = (failure: unknown): boolean =>
  failure instanceof NeverSent && ['proxy-unreachable', 'proxy-unsupported'].includes(failure.code)

function trusting(authorities: readonly string[]): SecureContext {
  const known = [...certificateAuthorities('default'), ...certificateAuthorities('system'), ...authorities]
  return tls.createSecureContext({ ca: [...new Set(known)] })
}

/**
 * Returns the bundled certificate authorities (`default`) or those that the operating system trusts (`system`), as PEM.
 * Node before 22.15 can't read the system's; the bundled ones alone are used there.
 */
function certificateAuthorities(from: 'default' | 'system'): readonly string[] {
  // A named import would fail to link where the function is missing.
  const read = tls.getCACertificates as typeof tls.getCACertificates | undefined
  if (read !== undefined) return read(from)
  return from === 'default' ? tls.rootCertificates : []
}
