import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface SocksOptions {
  login?: { name: string; password: string }
  /** The reply to each connection request (RFC 1928, section 6). 0: the proxy connects. */
  reply?: number
  /** Connects to this target, whatever the client requests. */
  to?: { host: string; port: number }
}

/** Creates a SOCKS 5 proxy (RFC 1928, 1929). `targets` lists the requested targets. */
export function socksServer({ login, reply = 0, to }: SocksOptions = {}) {
  const targets: string[] = []
  const server = createServer((client) => void serve(client).catch(() => client.destroy()))
  async function serve(client: Socket): Promise<void> {
    client.on('error', () => undefined)
    const next = reading(client)
    const method = login === undefined ? 0 : 2
    const [, methods = 0] = await next(2)
    if (!(await next(methods)).includes(method)) return void client.end(Buffer.of(5, 255))
    client.write(Buffer.of(5, method))
    if (login !== undefined) {
      const [, nameLength = 0] = await next(2)
      const name = (await next(nameLength)).toString()
      const [passwordLength = 0] = await next(1)
      const fits = name === login.name && (await next(passwordLength)).toString() === login.password
      client.write(Buffer.of(1, fits ? 0 : 1))
      if (!fits) return void client.end()
    }
    const [, , , kind] = await next(4)
    const host = kind === 1 ? (await next(4)).join('.') : (await next((await next(1))[0] ?? 0)).toString()
    const port = (await next(2)).readUInt16BE()
    targets.push(`${host}:${String(port)}`)
    const response = Buffer.of(5, reply, 0, 1, 0, 0, 0, 0, 0, 0)
    if (reply !== 0) return void client.end(response)
    const onwards = connect(to ?? { host, port }, () => {
      client.write(response)
      client.pipe(onwards).pipe(client)
    })
    onwards.on('error', () => client.destroy())
    client.on('close', () => onwards.destroy())
  }
  return { server, targets }
}

const reading =
  (socket: Socket) =>
  async (bytes: number): Promise<Buffer> => {
    for (;;) {
      const chunk = bytes === 0 ? Buffer.of() : (socket.read(bytes) as Buffer | null)
      if (chunk !== null) return chunk
      await once(socket, 'readable')
    }
  }
