import type { Socket } from 'node:net'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import buildConnector from 'undici/lib/core/connect.js'
import { lookup } from './lookup.ts'
import { NotConnected, notConnected, type UnsentCode } from './not-connected.ts'
import { waysOf, type Proxy, type ProxyFor, type Way } from './proxy.ts'
import { openTunnel } from './tunnel.ts'

export interface LineOptions {
  /** Milliseconds for proxy, name lookup, TCP and TLS together; 10 s (sync.md, the row "online by the OS"). */
  connectTimeout?: number
  /** Certificate authorities (PEM) beside the bundled ones and the system's. */
  authorities?: readonly string[]
  /** Left out: directly, always. */
  proxyFor?: ProxyFor
}

/** A connection that nothing was sent over yet. */
export interface Line {
  socket: Socket
  /** It ends at a proxy, which wants to be told the whole address of what is asked for. */
  atProxy: boolean
}

export interface Lines {
  /** Opens one to an origin. Rejects with {@link NotConnected}, and with `no-connection` as soon as one of `stops` says so. */
  open(origin: URL, stops: readonly AbortSignal[]): Promise<Line>
  /** Reads the certificate authorities, if that hasn't been done. */
  trust(): void
}

type Dial = Pick<buildConnector.Options, 'hostname' | 'protocol' | 'port'> & { host?: string; httpSocket?: Socket }

/** Goes the ways that the system has to an origin, one after another, until a connection comes about. */
export function createLines({
  connectTimeout = 10_000,
  authorities = [],
  proxyFor = async () => 'DIRECT',
}: LineOptions): Lines {
  const plain = buildConnector({ timeout: connectTimeout, lookup })
  let secure: buildConnector.connector | undefined
  // HTTP/2 is off: a write lost with a connection that others share would be in doubt for nothing.
  const secureConnector = (): buildConnector.connector =>
    (secure ??= buildConnector({
      timeout: connectTimeout,
      lookup,
      allowH2: false,
      secureContext: trusting(authorities),
    }))

  function dial(to: Dial, stop: AbortSignal): Promise<Socket> {
    const connect = to.protocol === 'https:' ? secureConnector() : plain
    return new Promise((resolve, reject) => {
      // Undici's connector returns the socket that it opens, whatever its types say.
      const opening = connect(to as buildConnector.Options, (...[error, socket]) => {
        stop.removeEventListener('abort', end)
        if (error === null) resolve(socket)
        else reject(notConnected(error))
      }) as unknown as Socket
      const end = (): void => void opening.destroy(new NotConnected('unreachable'))
      if (stop.aborted) end()
      else stop.addEventListener('abort', end, { once: true })
    })
  }

  const dialProxy = ({ host, port, secure }: Proxy, stop: AbortSignal): Promise<Socket> =>
    dial({ hostname: host, host, port: String(port), protocol: secure ? 'https:' : 'http:' }, stop).catch(
      (cause: unknown) => Promise.reject(new NotConnected('proxy-unreachable', { cause })),
    )

  async function go(way: Way, origin: URL, stop: AbortSignal, waitFor: (code: UnsentCode) => void): Promise<Line> {
    waitFor(way.kind === 'proxy' ? 'proxy-unreachable' : 'unreachable')
    const { host, port, protocol } = origin
    const target = { host, hostname: origin.hostname.replace(/^\[|\]$/g, ''), port, protocol }
    if (way.kind === 'unsupported') throw new NotConnected('proxy-unsupported')
    if (way.kind === 'direct') return { socket: await dial(target, stop), atProxy: false }
    const proxy = await dialProxy(way, stop)
    if (protocol === 'http:') return { socket: proxy, atProxy: true }
    const httpSocket = await openTunnel(proxy, origin, stop)
    waitFor('unreachable')
    return { socket: await dial({ ...target, httpSocket }, stop), atProxy: false }
  }

  async function goAll(origin: URL, stop: AbortSignal, waitFor: (code: UnsentCode) => void): Promise<Line> {
    const words = await proxyFor(`${origin.origin}/`).catch((cause: unknown) => {
      throw new NotConnected('proxy-unsupported', { cause })
    })
    let failure: NotConnected | null = null
    for (const way of waysOf(words)) {
      if (stop.aborted) break
      try {
        return await go(way, origin, stop, waitFor)
      } catch (cause) {
        failure = notConnected(cause)
        // A proxy that answered has decided; the next way is for one that doesn't answer.
        if (!['proxy-unreachable', 'proxy-unsupported'].includes(failure.code)) break
      }
    }
    throw failure ?? new NotConnected('proxy-unsupported')
  }

  return {
    open: (origin, stops) => inTime((ended, waitFor) => goAll(origin, ended, waitFor), connectTimeout, stops),
    trust: () => void secureConnector(),
  }
}

/**
 * A connection that comes about too late is closed: nobody waits for it any more. `waitFor`: what it's late for. Each of
 * `stops` is listened to by itself: made one by `AbortSignal.any`, it would stay in memory for as long as one of them
 * may still come (https://github.com/nodejs/node/issues/64476).
 */
function inTime(
  open: (ended: AbortSignal, waitFor: (code: UnsentCode) => void) => Promise<Line>,
  ms: number,
  stops: readonly AbortSignal[],
): Promise<Line> {
  const ending = new AbortController()
  let late: UnsentCode = 'unreachable'
  return new Promise((resolve, reject) => {
    const end = (code: UnsentCode): void => {
      reject(new NotConnected(code))
      ending.abort()
    }
    const stopped = (): void => end('no-connection')
    const timer = setTimeout(() => end(late), ms)
    const done = (): void => {
      clearTimeout(timer)
      for (const stop of stops) stop.removeEventListener('abort', stopped)
    }
    open(ending.signal, (code) => (late = code)).then(
      (line) => {
        done()
        if (ending.signal.aborted) line.socket.destroy()
        else resolve(line)
      },
      (error: unknown) => {
        done()
        reject(notConnected(error))
      },
    )
    if (stops.some(({ aborted }) => aborted)) stopped()
    else for (const stop of stops) stop.addEventListener('abort', stopped, { once: true })
  })
}

function trusting(authorities: readonly string[]): SecureContext {
  const known = [...getCACertificates('default'), ...getCACertificates('system'), ...authorities]
  return createSecureContext({ ca: [...new Set(known)] })
}
