import { createServer, request as forward, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect, createServer as createPlainServer, type Socket } from 'node:net'
import { listening } from './host.ts'
import { socksServer, type SocksOptions } from './socks-server.ts'

interface ProxyOptions {
  /** Answers in the service's place. */
  answer?: RequestListener
  /** What it says to a CONNECT instead of opening a tunnel. */
  refusal?: string
  /** What becomes of a tunnel that was granted. */
  tunnel?: (client: Socket) => void
  /** It's spoken to over TLS. */
  credentials?: { key: string; cert: string }
  /** The `Proxy-Authorization` without which it passes nothing on (407). */
  login?: string
}

/** A forward proxy that lives as long as the test, and notes what it's told. */
export async function startProxy({ answer, refusal, tunnel, credentials, login }: ProxyOptions = {}) {
  const heard: { method: string; target: string; headers: IncomingMessage['headers'] }[] = []
  const note = ({ method = '', url = '', headers }: IncomingMessage) => heard.push({ method, target: url, headers })
  const server: Server = credentials === undefined ? createServer() : createSecureServer(credentials)
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
  return { heard, port, words: `${credentials === undefined ? 'PROXY' : 'HTTPS'} 127.0.0.1:${String(port)}` }
}

/** A SOCKS 5 proxy (RFC 1928, 1929) that lives as long as the test, and notes where it was asked to connect to. */
export async function startSocks(options: SocksOptions = {}) {
  const { server, heard } = socksServer(options)
  const port = await listening(server)
  return { heard, port, words: `SOCKS5 127.0.0.1:${String(port)}` }
}

/** A port of this machine on which nobody listens. */
export async function deadPort(): Promise<number> {
  const server = createPlainServer()
  const port = await listening(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Accepts connections and never says anything; tells of what it heard and of who is still there. */
export async function silentServer() {
  const open = new Set<Socket>()
  let bytes = ''
  const server = createPlainServer((socket) => {
    open.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => (bytes += chunk.toString('latin1')))
    socket.on('close', () => open.delete(socket))
  })
  return { port: await listening(server), heard: () => bytes, open: () => open.size }
}
