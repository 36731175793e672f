import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { Secret } from '../../../src/main/secrets/secret.ts'
// Loads undici in advance, because loading takes longer than some tests allow a request.
import '../../../src/main/service/agents.ts'
import { createService, type ServiceOptions } from '../../../src/main/service/client.ts'
import { createDispatcher, type DispatcherOptions } from '../../../src/main/service/dispatcher.ts'
import { KEY } from './hosts/test-host.ts'

export { KEY }
export const key = (): Secret => new Secret(KEY)

export interface Received {
  method: string
  url: string
  headers: Record<string, string>
  body: string
  /** The client's port. It identifies the connection. */
  port: number
}

/** Listens on a free port until the test ends. Returns the port. */
export async function listening(server: Server, on = '127.0.0.1'): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, on, resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

export const client = (options: Pick<ServiceOptions, 'address'> & Partial<ServiceOptions>) =>
  createService({ key, dispatcher: dispatching(), ...options })

/** Creates a dispatcher, which is destroyed when the test ends. */
export function dispatching(options: DispatcherOptions = {}) {
  const dispatcher = createDispatcher(options)
  onTestFinished(() => dispatcher.destroy())
  return dispatcher
}

/** Starts a host with a client. `received`: its requests. `open` counts its connections. `close` stops accepting new ones. */
export async function startHost(answer: RequestListener, options: Partial<ServiceOptions> = {}) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const { method = '', url = '', socket } = request
      received.push({ method, url, headers: pairs(request.rawHeaders), body, port: socket.remotePort ?? 0 })
      answer(request, response)
    })
  })
  server.keepAliveTimeout = 60_000 // longer than a client keeps a connection open
  const origin = `http://127.0.0.1:${String(await listening(server))}`
  const open = (): Promise<number> =>
    new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))))
  return { received, origin, open, close: () => void server.close(), service: client({ address: origin, ...options }) }
}

export const always =
  (status: number, body: unknown = '', headers: Record<string, string> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }

/** A sign-in page, which a hotel network returns for every request. */
export const HTML = '<!doctype html><title>Log in</title><p>Welcome to the hotel network</p>'

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** Returns headers by lower-case name. If a name occurs twice, the last value counts. */
const pairs = (raw: string[]): Record<string, string> =>
  Object.fromEntries(
    raw.flatMap((name, index) => (index % 2 === 0 ? [[name.toLowerCase(), raw[index + 1] ?? '']] : [])),
  ) as Record<string, string>
