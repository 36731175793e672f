import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server that nothing may reach. It counts what arrives at one port by TCP and UDP. */
export interface Outsider {
  origin: string
  host: string
  reached(): number
  close(): void
}

export async function startOutsider(): Promise<Outsider> {
  let reached = 0
  const server = createServer((_request, response) => response.setHeader('access-control-allow-origin', '*').end('1'))
  server.on('connection', () => (reached += 1))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const udp = createSocket('udp4').on('message', () => (reached += 1))
  udp.bind(port, '127.0.0.1')
  await once(udp, 'listening')
  const host = `127.0.0.1:${String(port)}`
  return {
    host,
    origin: `http://${host}`,
    reached: () => reached,
    close() {
      server.closeAllConnections()
      server.close()
      udp.close()
    },
  }
}
