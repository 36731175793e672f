import { setImmediate as nextTurn } from 'node:timers/promises'
import tls from 'node:tls'
import type { Dispatcher } from 'undici'
import { RequestAttempt } from './attempt.ts'
import type { Agents } from './agents.ts'
import type { Route, RoutesTo } from './proxy.ts'
import { neverSent, NeverSent, type LostCode, type UnsentCode } from './request-errors.ts'
import { createTlsContexts, type LoadTlsIdentity, type TlsContexts, type TlsIdentity } from './tls-identity.ts'

export interface DispatcherOptions {
  /** Milliseconds for each step of connecting; default 10 s (docs/sync.md#network-state-and-time-limits). */
  connectTimeout?: number
  /** PEM, in addition to the bundled authorities and those of the operating system. */
  authorities?: readonly string[]
  /** Default: no proxy. */
  routesTo?: RoutesTo
  /** Requests wait for this promise, while their time limits run. Default: resolved. */
  mayBegin?: Promise<void>
}

/** A single request that knows if a byte of it was sent. */
export interface OutgoingRequest {
  /** To be called once. Rejects with {@link NeverSent} if no byte of the request was sent. */
  fetch: typeof globalThis.fetch
  status(): number
  /** Aborts the request with `unsent` if no byte was sent, else with `lost`. If `lost` is null, a sent request continues. */
  end(unsent: UnsentCode, lost: LostCode | null): void
  /** Must be called once, when the request is over. */
  done(): void
}

/** The network below all clients. Only the code that creates it destroys it. */
export interface ServiceDispatcher {
  /** Returns a request that is not sent yet. `identity`: loads the TLS settings of the connection; default: none. */
  begin(method: string, origin: string, identity?: LoadTlsIdentity): OutgoingRequest
  /** Loads the HTTP client and the certificate authorities, so that the first request need not wait for that. */
  warm(): Promise<void>
  /** Ends all requests: sent requests as lost, unsent requests as never sent. Closes all connections. */
  interrupt(): void
  /** Like {@link ServiceDispatcher.interrupt}, and sends nothing afterwards. */
  destroy(): Promise<void>
}

/** Milliseconds after a lost write during which every write to its origin uses a new connection. */
const DISTRUST_TIME = 3_600_000

/**
 * Reads may reuse an idle connection. An idempotent write reuses one only right after a good response; a POST (RFC 9110, 9.2.2)
 * never does. See docs/decisions/0002-what-a-write-goes-over.md.
 */
export function createDispatcher({
  connectTimeout = 10_000,
  authorities = [],
  routesTo = async () => [{ kind: 'direct' }],
  mayBegin = Promise.resolve(),
}: DispatcherOptions = {}): ServiceDispatcher {
  const agents = new Map<string, Agents>()
  const attempts = new Set<RequestAttempt>()
  // By origin, in milliseconds since 1970: when the last request ended, if its response was good, and when a write was last lost.
  // Unlike timers, the wall clock continues while the computer sleeps.
  const lastAnswer = new Map<string, number>()
  const lastLoss = new Map<string, number>()
  let destroyed = false
  const systemAuthorities = (): string[] => [
    ...certificateAuthorities('default'),
    ...certificateAuthorities('system'),
    ...authorities,
  ]
  const commonContexts = createTlsContexts(0, null, systemAuthorities)
  const contexts = new WeakMap<TlsIdentity, TlsContexts>()
  let identities = 0

  /** undici takes about 90 ms to load, and the start of the app should not wait for that. */
  const load = async () => {
    await mayBegin
    return import('./agents.ts')
  }

  /** The same identity object always gets the same contexts. */
  function contextsOf(identity: TlsIdentity | null): TlsContexts {
    if (identity === null) return commonContexts
    const created = contexts.get(identity) ?? createTlsContexts(++identities, identity, systemAuthorities)
    contexts.set(identity, created)
    return created
  }

  /** Returns an agent that may reuse an idle connection, or one that opens a new connection. */
  async function dispatcherFor(route: Route, method: string, origin: string, tls: TlsContexts): Promise<Dispatcher> {
    const { createAgents, IDLE_TIMEOUT } = await load()
    const name = JSON.stringify([route, origin, tls.id])
    const pair = agents.get(name) ?? createAgents(route, new URL(origin), { timeout: connectTimeout, tls })
    agents.set(name, pair)
    const answeredJustNow = Date.now() - (lastAnswer.get(origin) ?? -Infinity) <= IDLE_TIMEOUT
    const distrusted = Date.now() - (lastLoss.get(origin) ?? -Infinity) <= DISTRUST_TIME
    const mayReuse = method === 'GET' || (method !== 'POST' && answeredJustNow && !distrusted)
    return mayReuse ? pair.keepAlive : pair.oneShot
  }

  /** Sends a request over the first usable route to its origin: tries the next one if a proxy is unreachable or unsupported. */
  async function sendOverRoutes(
    attempt: RequestAttempt,
    method: string,
    url: string,
    init: RequestInit,
    identity: LoadTlsIdentity,
  ): Promise<Response> {
    const { origin } = new URL(url)
    const { fetch } = await Promise.race([load(), attempt.aborted()])
    const routes = await Promise.race([routesTo(origin), attempt.aborted()]).catch((cause: unknown) => {
      throw cause instanceof NeverSent ? cause : new NeverSent('proxy-unsupported', { cause })
    })
    const tls = contextsOf(await Promise.race([identity(), attempt.aborted()]))
    // undici frees a connection only one turn of the event loop after its response. Then this request may reuse it.
    await nextTurn()
    let failure: unknown
    for (const route of routes) {
      try {
        const dispatcher = attempt.over(await dispatcherFor(route, method, origin, tls))
        const options = { ...init, signal: attempt.signal, dispatcher }
        return (await fetch(url, options as Parameters<typeof fetch>[1])) as unknown as Response
      } catch (error) {
        failure = attempt.sent ? error : neverSent(error)
        if (!mayTryNextRoute(failure)) break
      }
    }
    throw failure
  }

  /** Remembers for later writes if the response was good or lost. */
  function finish(attempt: RequestAttempt, method: string, origin: string): void {
    const interrupted = !attempts.delete(attempt)
    if (attempt.complete && attempt.status >= 200 && attempt.status <= 299) lastAnswer.set(origin, Date.now())
    else lastAnswer.delete(origin)
    if (attempt.sent && !attempt.complete && !interrupted && method !== 'GET') lastLoss.set(origin, Date.now())
  }

  async function endAll(): Promise<void> {
    for (const attempt of attempts) attempt.end('no-connection', 'interrupted')
    attempts.clear()
    const closing = [...agents.values()].flatMap(({ keepAlive, oneShot }) => [keepAlive.destroy(), oneShot.destroy()])
    agents.clear()
    await Promise.all(closing)
  }

  return {
    begin(method, origin, identity = async () => null) {
      const attempt = new RequestAttempt()
      attempts.add(attempt)
      if (destroyed) attempt.end('no-connection', null)
      return {
        fetch: (url, init = {}) => sendOverRoutes(attempt, method, String(url), init, identity),
        status: () => attempt.status,
        end: (unsent, lost) => attempt.end(unsent, lost),
        done: () => finish(attempt, method, origin),
      }
    },
    async warm() {
      await load()
      // Read now, because Node caches the authorities for later requests.
      certificateAuthorities('system')
      await nextTurn()
      commonContexts.service()
    },
    interrupt: () => void endAll(),
    async destroy() {
      destroyed = true
      await endAll()
    },
  }
}

/** True if a proxy was not reached or is not supported. A refusal by a proxy is final. */
const mayTryNextRoute = (failure: unknown): boolean =>
  failure instanceof NeverSent && ['proxy-unreachable', 'proxy-unsupported'].includes(failure.code)

/**
 * Returns the trusted authorities of a source, as PEM. `extra`: the authorities in the file that `NODE_EXTRA_CA_CERTS` names.
 * Node before 22.15 can only read the bundled ones (`default`), and returns an empty list for the others.
 */
function certificateAuthorities(from: 'default' | 'system' | 'extra'): readonly string[] {
  // A named import would fail to link if the function is missing.
  const read = tls.getCACertificates as typeof tls.getCACertificates | undefined
  if (read !== undefined) return read(from)
  return from === 'default' ? tls.rootCertificates : []
}

/** Returns the certificate files and folders that the environment names, if Node uses them. */
export function certificatesFromEnvironment(env: NodeJS.ProcessEnv = process.env): string[] {
  const extra = certificateAuthorities('extra').length > 0 ? env['NODE_EXTRA_CA_CERTS'] : undefined
  const system = process.platform === 'linux' && certificateAuthorities('system').length > 0
  return [extra, ...(system ? [env['SSL_CERT_FILE'], env['SSL_CERT_DIR']] : [])].filter((path) => path !== undefined)
}
