import type { Socket } from 'node:net'
import { createDial, type Place } from './dial.ts'
import { Ending } from './ending.ts'
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
  open(origin: URL, stops: readonly Ending[]): Promise<Line>
  /** Reads the certificate authorities, if that hasn't been done. */
  trust(): void
}

/** Goes the ways that the system has to an origin, one after another, until a connection comes about. */
export function createLines({
  connectTimeout = 10_000,
  authorities = [],
  proxyFor = async () => 'DIRECT',
}: LineOptions): Lines {
  const dial = createDial(authorities)

  const dialProxy = ({ host, port, secure }: Proxy, stop: Ending): Promise<Socket> =>
    dial
      .open({ host, port, secure }, stop)
      .catch((cause: unknown) => Promise.reject(new NotConnected('proxy-unreachable', { cause })))

  async function go(way: Way, origin: URL, stop: Ending, waitFor: (code: UnsentCode) => void): Promise<Line> {
    waitFor(way.kind === 'proxy' ? 'proxy-unreachable' : 'unreachable')
    const target = placeOf(origin)
    if (way.kind === 'unsupported') throw new NotConnected('proxy-unsupported')
    if (way.kind === 'direct') return { socket: await dial.open(target, stop), atProxy: false }
    const proxy = await dialProxy(way, stop)
    if (!target.secure) return { socket: proxy, atProxy: true }
    const over = await openTunnel(proxy, origin, stop)
    waitFor('unreachable')
    return { socket: await dial.open({ ...target, over }, stop), atProxy: false }
  }

  async function goAll(origin: URL, stop: Ending, waitFor: (code: UnsentCode) => void): Promise<Line> {
    const words = await proxyFor(`${origin.origin}/`).catch((cause: unknown) => {
      throw new NotConnected('proxy-unsupported', { cause })
    })
    let failure: NotConnected | null = null
    for (const way of waysOf(words)) {
      if (stop.over) break
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
    trust: dial.trust,
  }
}

/**
 * A connection that comes about too late is closed: nobody waits for it any more. `waitFor`: what it's late for.
 */
function inTime(
  open: (ended: Ending, waitFor: (code: UnsentCode) => void) => Promise<Line>,
  ms: number,
  stops: readonly Ending[],
): Promise<Line> {
  const ending = new Ending()
  let late: UnsentCode = 'unreachable'
  return new Promise((resolve, reject) => {
    const end = (code: UnsentCode): void => {
      reject(new NotConnected(code))
      ending.end()
    }
    const stopped = (): void => end('no-connection')
    const timer = setTimeout(() => end(late), ms)
    const done = (): void => {
      clearTimeout(timer)
      for (const stop of stops) stop.off(stopped)
    }
    open(ending, (code) => (late = code)).then(
      (line) => {
        done()
        if (ending.over) line.socket.destroy()
        else resolve(line)
      },
      (error: unknown) => {
        done()
        reject(notConnected(error))
      },
    )
    if (stops.some(({ over }) => over)) stopped()
    else for (const stop of stops) stop.on(stopped)
  })
}

function placeOf({ protocol, hostname, port }: URL): Place {
  const secure = protocol === 'https:'
  const host = hostname.replace(/^\[|\]$/g, '')
  return { host, port: port === '' ? (secure ? 443 : 80) : Number(port), secure }
}
