import { isIP, type Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import { Agent, buildConnector, Pool, ProxyAgent, Socks5ProxyAgent, type Dispatcher } from 'undici'
import { lookup } from './lookup.ts'
import type { Proxy, Way } from './proxy.ts'
import { neverSent, NeverSent, type UnsentCode } from './request-errors.ts'

export { fetch } from 'undici'

/** The connections of one way to one origin. */
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

/** Throws {@link NeverSent} for a way that can't be gone. */
export function openConnections(way: Way, origin: URL, { timeout, secureContext }: ConnectOptions): Connections {
  const secure = origin.protocol === 'https:' || way.kind === 'https'
  const tls = { timeout, lookup, rejectUnauthorized: true, ...(secure && { secureContext: secureContext() }) }
  // Both resume each other's TLS sessions.
  const connect = tagged(buildConnector(tls))
  return {
    kept: dispatcherOf(way, origin, tls, connect, { keepAliveTimeout: IDLE, keepAliveMaxTimeout: IDLE }),
    fresh: dispatcherOf(way, origin, tls, connect, { pipelining: 0 }),
  }
}

type Tls = buildConnector.BuildOptions & { timeout: number }

function dispatcherOf(
  way: Way,
  origin: URL,
  tls: Tls,
  connect: buildConnector.connector,
  keep: Agent.Options,
): Dispatcher {
  switch (way.kind) {
    case 'unsupported':
      throw new NeverSent('proxy-unsupported')
    case 'direct':
      return new Agent({ ...keep, connect })
    case 'socks5':
      return new Agent({ ...keep, connect: throughSocks(way, connect, tls) })
    case 'http':
    case 'https':
      return origin.protocol === 'https:'
        ? new ProxyAgent({
            ...keep,
            uri: urlOf(way).origin,
            requestTls: tls,
            clientFactory: (proxy) => tunnels(proxy, tls),
            ...(way.login !== undefined && { token: basic(way.login) }),
          })
        : forwarding(new Agent({ ...keep, connect: toProxy(tls) }), way)
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
function forwarding(toProxy: Dispatcher, way: Proxy): Dispatcher {
  const { origin } = urlOf(way)
  return toProxy.compose((dispatch) => (options, handler) => {
    const service = new URL(options.origin ?? '')
    const headers = {
      ...(options.headers as Record<string, string>),
      host: service.host,
      ...(way.login !== undefined && { 'proxy-authorization': basic(way.login) }),
    }
    return dispatch({ ...options, origin, path: service.origin + options.path, headers }, handler)
  })
}

/** undici's SOCKS5 agent sets no time limit on TLS and keeps idle connections; only its handshake is used. */
type SocksHandshake = Socks5ProxyAgent & { createSocks5Connection(host: string, port: number): Promise<Socket> }

function throughSocks(way: Proxy, connect: buildConnector.connector, tls: Tls): buildConnector.connector {
  const { name: username, password } = way.login ?? {}
  const login = { ...(username !== undefined && { username }), ...(password !== undefined && { password }) }
  const socks = new Socks5ProxyAgent(urlOf(way), { ...login, connect: toProxy(tls) }) as SocksHandshake
  return (options, callback) => {
    const secure = options.protocol === 'https:'
    const port = options.port === '' ? (secure ? 443 : 80) : Number(options.port)
    socks.createSocks5Connection(options.hostname, port).then(
      (socket) => (secure ? connect({ ...options, httpSocket: socket }, callback) : callback(null, socket)),
      (error: unknown) => callback(neverSent(error, 'proxy-unreachable'), null),
    )
  }
}

const urlOf = ({ kind, host, port }: Proxy): URL =>
  new URL(`${kind}://${host.includes(':') ? `[${host}]` : host}:${String(port)}`)

const basic = ({ name, password }: NonNullable<Proxy['login']>): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
