import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { Agent, buildConnector, Client, Socks5ProxyAgent, type Dispatcher } from 'undici'
import type { Proxy, Route } from './proxy.ts'
import { neverSent, NeverSent, isClientCertificateRefused, type UnsentCode } from './request-errors.ts'
import type { TlsContexts } from './tls-identity.ts'

export { fetch } from 'undici'

/** Two ways to send requests over one route to one origin. */
export interface Agents {
  /** Keeps each connection for {@link IDLE_TIMEOUT} after a response, and reuses it. */
  keepAlive: Dispatcher
  /** Opens a new connection for each request. */
  oneShot: Dispatcher
}

export interface ConnectOptions {
  /** Milliseconds for each step: connecting to the proxy, opening the tunnel, connecting to the service. */
  timeout: number
  /** The trusted certificate authorities and the client's certificate. Used only for TLS. */
  tls: Pick<TlsContexts, 'service' | 'proxy'>
}

/** Milliseconds for which an idle connection is kept. Some proxies silently close it after 300. */
export const IDLE_TIMEOUT = 200

/** The addresses of `localhost`, which needs no lookup. */
const THIS_MACHINE: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/**
 * `localhost` and names below it always mean this machine (RFC 6761), because the app allows plain http to them. Both address
 * families are returned, because a local service may listen on only one.
 */
const lookup: LookupFunction = (hostname, options, callback) => {
  if (!/^(.+\.)?localhost$/i.test(hostname)) systemLookup(hostname, options, callback)
  else if (options.all === true) process.nextTick(callback, null, THIS_MACHINE)
  else process.nextTick(callback, null, '127.0.0.1', 4)
}

/** Throws {@link NeverSent} if the kind of proxy isn't supported. */
export function createAgents(route: Route, origin: URL, { timeout, tls }: ConnectOptions): Agents {
  const common = { timeout, lookup, rejectUnauthorized: true }
  const options: Tls = {
    service: { ...common, ...(origin.protocol === 'https:' && { secureContext: tls.service() }) },
    proxy: { ...common, ...(route.kind === 'https' && { secureContext: tls.proxy() }) },
  }
  // Shared by both agents, so that each can resume the TLS sessions of the other.
  const connect = withCertificateAlert(tagErrorsNeverSent(buildConnector(options.service)))
  return {
    keepAlive: createAgent(route, origin, options, connect, {
      keepAliveTimeout: IDLE_TIMEOUT,
      keepAliveMaxTimeout: IDLE_TIMEOUT,
    }),
    oneShot: createAgent(route, origin, options, connect, { pipelining: 0 }),
  }
}

type ConnectorOptions = buildConnector.BuildOptions & { timeout: number }

/** The proxy never gets the client's certificate. */
interface Tls {
  service: ConnectorOptions
  proxy: ConnectorOptions
}

function createAgent(
  route: Route,
  origin: URL,
  tls: Tls,
  connect: buildConnector.connector,
  options: Agent.Options,
): Dispatcher {
  switch (route.kind) {
    case 'unsupported':
      throw new NeverSent('proxy-unsupported')
    case 'direct':
      return new Agent({ ...options, connect })
    case 'socks5':
      return new Agent({ ...options, connect: throughSocks(route, connect, tls.proxy) })
    case 'http':
    case 'https':
      return origin.protocol === 'https:'
        ? new Agent({ ...options, connect: throughTunnel(route, connect, tls.proxy) })
        : forwarding(new Agent({ ...options, connect: proxyConnector(tls.proxy) }), route)
  }
}

/** Tags the connector's errors as never sent, with `code` or else with the code of their cause. */
const tagErrorsNeverSent =
  (connect: buildConnector.connector, code?: UnsentCode): buildConnector.connector =>
  (options, callback) =>
    connect(options, (error, socket) => {
      if (error !== null) callback(code === undefined ? neverSent(error) : new NeverSent(code, { cause: error }), null)
      else if (socket !== null) callback(null, socket)
    })

/** If the server refuses the client's certificate, fails with its alert. undici itself reports "other side closed" instead. */
const withCertificateAlert =
  (connect: buildConnector.connector): buildConnector.connector =>
  (options, callback) =>
    connect(options, (...[error, socket]: Parameters<buildConnector.Callback>) => {
      if (error !== null) return callback(error, null)
      socket.on('error', (alert) => void (isClientCertificateRefused(alert) && socket.destroy(alert)))
      callback(null, socket)
    })

/** Returns a connector to a proxy, whose failure proves that the request was never sent. */
function proxyConnector(tls: ConnectorOptions): buildConnector.connector {
  const connect = tagErrorsNeverSent(buildConnector(tls), 'proxy-unreachable')
  return ({ hostname, servername = '', ...rest }, callback) =>
    connect(
      {
        ...rest,
        hostname: hostname.replace(/^\[|\]$/g, ''),
        // TLS allows no IP address as server name (RFC 6066, 3).
        ...(servername !== '' && isIP(servername) === 0 && { servername }),
      },
      callback,
    )
}

/**
 * Connects to a secure service through a tunnel of the proxy (RFC 9110, 9.3.6). `connect`: connects to the service inside the
 * tunnel. `tls`: the options for the connection to the proxy.
 */
function throughTunnel(
  route: Proxy,
  connect: buildConnector.connector,
  tls: ConnectorOptions,
): buildConnector.connector {
  const proxy = { connect: proxyConnector(tls), headersTimeout: tls.timeout }
  return (options, callback) => {
    const client = new Client(urlOf(route).origin, proxy)
    const host = options.host ?? options.hostname
    const path = options.port === '' ? `${host}:443` : host
    const headers = { host: path, ...(route.login !== undefined && { 'proxy-authorization': basic(route.login) }) }
    client
      .connect({ path, headers })
      .then(
        ({ statusCode: status, socket }) => {
          if (status >= 200 && status <= 299) return connect({ ...options, httpSocket: socket as Socket }, callback)
          socket.on('error', () => undefined).destroy()
          const code = status === 407 ? 'proxy-login' : status === 403 ? 'proxy-refused' : 'proxy-failed'
          callback(new NeverSent(code, { status }), null)
        },
        (error: unknown) => callback(neverSent(error, 'proxy-unreachable'), null),
      )
      // The tunnel stays open, because its socket no longer belongs to the client.
      .finally(() => void client.destroy())
  }
}

/** Sends plain http requests to the proxy, with the service's absolute URL in the request line (RFC 9112, 3.2.2). */
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

/** Only the handshake of undici's SOCKS5 agent is used: the agent has no TLS timeout and keeps idle connections. */
type SocksHandshake = Socks5ProxyAgent & { createSocks5Connection(host: string, port: number): Promise<Socket> }

/** The proxy looks up the service's name. */
function throughSocks(
  route: Proxy,
  connect: buildConnector.connector,
  tls: ConnectorOptions,
): buildConnector.connector {
  const { name: username, password } = route.login ?? {}
  const login = { ...(username !== undefined && { username }), ...(password !== undefined && { password }) }
  const reachProxy = proxyConnector(tls)
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
        // The agent leaves the connection open if the proxy does not answer.
        proxy?.destroy()
        callback(neverSent(error, 'proxy-unreachable'), null)
      },
    )
  }
}

const urlOf = ({ kind, host, port }: Proxy): URL =>
  new URL(`${kind}://${host.includes(':') ? `[${host}]` : host}:${String(port)}`)

/** Returns the login as the value of a `Proxy-Authorization` header. */
const basic = ({ name, password }: NonNullable<Proxy['login']>): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
