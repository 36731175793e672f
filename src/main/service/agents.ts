import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import { Agent, buildConnector, Pool, ProxyAgent, Socks5ProxyAgent, type Dispatcher } from 'undici'
import type { Proxy, Route } from './proxy.ts'
import { neverSent, NeverSent, type UnsentCode } from './request-errors.ts'

export { fetch } from 'undici'

/** The connections of one route to one origin. */
export interface Connections {
  /** Keeps a connection for {@link IDLE} after an answer. */
  kept: Dispatcher
  /** Opens a connection for each request. */
  fresh: Dispatcher
}

export interface ConnectOptions {
  /** Milliseconds for each step: reaching the proxy, opening its tunnel, reaching the service. */
  timeout: number
  /** Returns the trusted authorities, which are only read for TLS. */
  secureContext: () => SecureContext
}

/** Milliseconds after an answer for which its connection is kept: some proxies close one silently after 300. */
export const IDLE = 200

const THIS_MACHINE: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/**
 * The system's, but for `localhost` and what ends in it: that is this machine whatever a resolver says (RFC 6761, "localhost."), since plain
 * http to it is taken to be safe; and it's both families, as a service there may listen on one of them alone.
 */
const lookup: LookupFunction = (hostname, options, callback) => {
  if (!/^(.+\.)?localhost$/i.test(hostname)) systemLookup(hostname, options, callback)
  else if (options.all === true) process.nextTick(callback, null, THIS_MACHINE)
  else process.nextTick(callback, null, '127.0.0.1', 4)
}

/** Throws {@link NeverSent} for a kind of proxy that isn't supported. */
export function openConnections(route: Route, origin: URL, { timeout, secureContext }: ConnectOptions): Connections {
  const secure = origin.protocol === 'https:' || route.kind === 'https'
  const tls = { timeout, lookup, rejectUnauthorized: true, ...(secure && { secureContext: secureContext() }) }
  // Both resume each other's TLS sessions.
  const connect = tagged(buildConnector(tls))
  return {
    kept: dispatcherOf(route, origin, tls, connect, { keepAliveTimeout: IDLE, keepAliveMaxTimeout: IDLE }),
    fresh: dispatcherOf(route, origin, tls, connect, { pipelining: 0 }),
  }
}

type Tls = buildConnector.BuildOptions & { timeout: number }

function dispatcherOf(
  route: Route,
  origin: URL,
  tls: Tls,
  connect: buildConnector.connector,
  keep: Agent.Options,
): Dispatcher {
  switch (route.kind) {
    case 'unsupported':
      throw new NeverSent('proxy-unsupported')
    case 'direct':
      return new Agent({ ...keep, connect })
    case 'socks5':
      return new Agent({ ...keep, connect: throughSocks(route, connect, tls) })
    case 'http':
    case 'https':
      return origin.protocol === 'https:'
        ? new ProxyAgent({
            ...keep,
            uri: urlOf(route).origin,
            requestTls: tls,
            clientFactory: (proxy) => tunnels(proxy, tls),
            ...(route.login !== undefined && { token: basic(route.login) }),
          })
        : forwarding(new Agent({ ...keep, connect: toProxy(tls) }), route)
  }
}

/** Tags the errors of a connector: until there is a connection nothing is sent. */
const tagged =
  (connect: buildConnector.connector, code?: UnsentCode): buildConnector.connector =>
  (options, callback) =>
    connect(options, (error, socket) => {
      if (error !== null) callback(code === undefined ? neverSent(error) : new NeverSent(code, { cause: error }), null)
      else if (socket !== null) callback(null, socket)
    })

function toProxy(tls: Tls): buildConnector.connector {
  const connect = tagged(buildConnector(tls), 'proxy-unreachable')
  return ({ hostname, servername = '', ...rest }, callback) =>
    connect(
      {
        ...rest,
        hostname: hostname.replace(/^\[|\]$/g, ''),
        // A server name is no address (RFC 6066, 3).
        ...(servername !== '' && isIP(servername) === 0 && { servername }),
      },
      callback,
    )
}

/** Asks a proxy for tunnels (CONNECT), for {@link ProxyAgent}. */
function tunnels(proxy: URL, tls: Tls): Dispatcher {
  const pool = new Pool(proxy, { connect: toProxy(tls), headersTimeout: tls.timeout })
  const ask = pool.connect.bind(pool)
  return Object.assign(pool, {
    async connect(options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
      const answer = await ask(options).catch((error: unknown) => {
        throw neverSent(error, 'proxy-unreachable')
      })
      const { statusCode: status, socket } = answer
      // ProxyAgent takes 200 alone, though any 2xx opens a tunnel (RFC 9110, 9.3.6).
      if (status >= 200 && status <= 299) return { ...answer, statusCode: 200 }
      socket.on('error', () => undefined).destroy()
      throw new NeverSent(status === 407 ? 'proxy-login' : 'proxy-refused', { status })
    },
  }) as Dispatcher
}

/** Sends plain http to the proxy itself, with the whole address of what is asked for (RFC 9112, 3.2.2). */
function forwarding(toProxy: Dispatcher, route: Proxy): Dispatcher {
  const { origin } = urlOf(route)
  return toProxy.compose((dispatch) => (options, handler) => {
    const service = new URL(options.origin ?? '')
    const headers = {
      ...(options.headers as Record<string, string>),
      host: service.host,
      ...(route.login !== undefined && { 'proxy-authorization': basic(route.login) }),
    }
    return dispatch({ ...options, origin, path: service.origin + options.path, headers }, handler)
  })
}

/** undici's SOCKS5 agent sets no time limit on TLS and keeps idle connections; only its handshake is used. */
type SocksHandshake = Socks5ProxyAgent & { createSocks5Connection(host: string, port: number): Promise<Socket> }

function throughSocks(route: Proxy, connect: buildConnector.connector, tls: Tls): buildConnector.connector {
  const { name: username, password } = route.login ?? {}
  const login = { ...(username !== undefined && { username }), ...(password !== undefined && { password }) }
  const reachProxy = toProxy(tls)
  return (options, callback) => {
    let proxy: Socket | null = null
    const socks = new Socks5ProxyAgent(urlOf(route), {
      ...login,
      connect: (to, reached) =>
        reachProxy(to, (...result) => {
          proxy = result[1]
          reached(...result)
        }),
    }) as SocksHandshake
    const secure = options.protocol === 'https:'
    const port = options.port === '' ? (secure ? 443 : 80) : Number(options.port)
    socks.createSocks5Connection(options.hostname, port).then(
      (socket) => (secure ? connect({ ...options, httpSocket: socket }, callback) : callback(null, socket)),
      (error: unknown) => {
        // The agent leaves the connection open if the proxy stays silent.
        proxy?.destroy()
        callback(neverSent(error, 'proxy-unreachable'), null)
      },
    )
  }
}

const urlOf = ({ kind, host, port }: Proxy): URL =>
  new URL(`${kind}://${host.includes(':') ? `[${host}]` : host}:${String(port)}`)

const basic = ({ name, password }: NonNullable<Proxy['login']>): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
