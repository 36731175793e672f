import { createServer, request as forward, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { connect, createServer as createPlainServer, type Socket } from 'node:net'
import { readRoutes, type Route } from '../../../src/main/service/proxy.ts'
import type { TlsIdentity } from '../../../src/main/service/tls-identity.ts'
import { client, dispatching, listening } from './host.ts'
import { socksServer, type SocksOptions } from './socks-server.ts'

/** Returns functions that create clients. The clients use proxies, and trust this authority (PEM). */
export function clientsThrough(authority: string) {
  /**
   * Returns a client whose operating system names these routes. `requested` lists the origins for which it was asked. Limits are
   * in milliseconds.
   */
  function through(
    address: string,
    pacResult: string | (() => Promise<Route[]>),
    { connect: connectTimeout = 10_000, request = 5000, identity = null as TlsIdentity | null } = {},
  ) {
    const requested: string[] = []
    const routesTo = (origin: string): Promise<Route[]> => {
      requested.push(origin)
      return typeof pacResult === 'string' ? Promise.resolve(readRoutes(pacResult)) : pacResult()
    }
    const dispatcher = dispatching({ authorities: [authority], routesTo, connectTimeout })
    return {
      requested,
      service: client({ address, dispatcher, identity: async () => identity, limits: { request } }),
    }
  }
  const withLogin = (address: string, proxy: string, login: { name: string; password: string }) =>
    through(address, async () => readRoutes(proxy).map((way) => ({ ...way, login }))).service
  return { through, withLogin }
}

export const unsent = (code: string, status?: number) => ({
  outcome: 'notApplied',
  error: { code, message: '', ...(status !== undefined && { status }) },
  meta: {},
})

interface ProxyOptions {
  /** Answers instead of the service. */
  answer?: RequestListener
  /** The answer to a CONNECT, instead of a tunnel. */
  refusal?: string
  /** Handles a tunnel, instead of connecting it to the service. */
  tunnel?: (client: Socket) => void
  /** The certificate of a proxy that uses TLS. */
  credentials?: { key: string; cert: string; requestCert?: boolean; rejectUnauthorized?: boolean }
  /** Called with the subject of each client certificate. Empty if the client sends none. */
  onPeer?: (subject: string) => void
  /** The `Proxy-Authorization` that the proxy requires. It answers 407 without it. */
  login?: string
}

/** Starts a forward proxy until the test ends. It records its requests. */
export async function startProxy({ answer, refusal, tunnel, credentials, login, onPeer }: ProxyOptions = {}) {
  const requests: { method: string; target: string; headers: IncomingMessage['headers'] }[] = []
  const note = ({ method = '', url = '', headers }: IncomingMessage) => requests.push({ method, target: url, headers })
  const server: Server = credentials === undefined ? createServer() : createSecureServer(credentials)
  server.on('secureConnection', (socket: TLSSocket) => onPeer?.(socket.getPeerX509Certificate()?.subject ?? ''))
  server.on('request', (request: IncomingMessage, response) => {
    note(request)
    if (answer !== undefined) return void answer(request, response)
    const { method } = request
    const { 'proxy-authorization': given, ...headers } = request.headers
    if (login !== undefined && given !== login) return void response.writeHead(407).end()
    const onwards = forward(request.url ?? '', { method, headers }, (answered) => {
      response.writeHead(answered.statusCode ?? 0, answered.headers)
      answered.pipe(response)
    })
    request.pipe(onwards)
  })
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    note(request)
    client.on('error', () => undefined)
    if (refusal !== undefined) return void client.end(refusal)
    if (login !== undefined && request.headers['proxy-authorization'] !== login) {
      return void client.end('HTTP/1.1 407 Login\r\nContent-Length: 0\r\n\r\n')
    }
    if (tunnel !== undefined) {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      return tunnel(client)
    }
    const { hostname, port } = new URL(`http://${request.url ?? ''}`)
    const onwards = connect(Number(port), hostname.replace(/^\[|\]$/g, ''), () => {
      client.write('HTTP/1.1 200 Connection established\r\nX-More: x\r\n\r\n')
      client.pipe(onwards).pipe(client)
    })
    onwards.on('error', () => client.destroy())
    client.on('close', () => onwards.destroy())
  })
  const port = await listening(server)
  return { requests, port, pacResult: `${credentials === undefined ? 'PROXY' : 'HTTPS'} 127.0.0.1:${String(port)}` }
}

/** Starts a SOCKS 5 proxy (RFC 1928, 1929) until the test ends. It records its targets. */
export async function startSocks(options: SocksOptions = {}) {
  const { server, targets } = socksServer(options)
  const port = await listening(server)
  return { targets, port, pacResult: `SOCKS5 127.0.0.1:${String(port)}` }
}

export async function deadPort(): Promise<number> {
  const server = createPlainServer()
  const port = await listening(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Passes connections on to a port. Forgets a connection after 300 idle milliseconds, so its next byte gets a reset. */
export function forgetfulRelay(to: number): Promise<number> {
  const server = createPlainServer((client) => {
    const onwards = connect(to, '127.0.0.1')
    let last = performance.now()
    client.on('data', (bytes) => {
      if (performance.now() - last > 300) {
        client.resetAndDestroy()
      } else {
        last = performance.now()
        onwards.write(bytes)
      }
    })
    onwards.on('data', (bytes) => {
      last = performance.now()
      client.write(bytes)
    })
    for (const socket of [client, onwards]) {
      socket.on('error', () => undefined)
      socket.on('close', () => [client, onwards].forEach((each) => each.destroy()))
    }
  })
  return listening(server)
}

/** Passes connections on to a port once `letThrough` is called. `connections` counts all connections, `open` the current ones. */
export async function heldRelay(to: number) {
  const open = new Set<Socket>()
  const { promise: released, resolve: letThrough } = Promise.withResolvers<undefined>()
  let connections = 0
  const server = createPlainServer((client) => {
    connections += 1
    open.add(client)
    client.on('error', () => undefined)
    client.on('close', () => open.delete(client))
    void released.then(() => {
      const onwards = connect(to, '127.0.0.1')
      onwards.on('error', () => client.destroy())
      client.on('close', () => onwards.destroy())
      client.pipe(onwards).pipe(client)
    })
  })
  return {
    port: await listening(server),
    letThrough: () => letThrough(undefined),
    connections: () => connections,
    open: () => open.size,
  }
}

/** Accepts connections, but never answers. Reports the received bytes and the open connections. */
export async function silentServer() {
  const open = new Set<Socket>()
  let bytes = ''
  const server = createPlainServer((socket) => {
    open.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => (bytes += chunk.toString('latin1')))
    socket.on('close', () => open.delete(socket))
  })
  return { port: await listening(server), bytes: () => bytes, open: () => open.size }
}
