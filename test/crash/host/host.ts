import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { wall } from '../clock.ts'
import { answer, type HostAnswer } from './answers.ts'
import type { Records } from './records.ts'

/** The progress of a request at the host. `settling`: a read of a single website, or a search, such as that after a kill. */
export type Moment = 'head-arrived' | 'arrived' | 'carried-out' | 'half-answered' | 'answered' | 'settling'

/** `cut off`: the host closes the connection and ignores the rest of the request. */
type Reaction = 'go on' | 'cut off'

export interface Host {
  address: string
  records: Records
  /** Called at each moment of each request. Decides what the host does then. */
  onMoment: (moment: Moment) => Reaction
  close(): Promise<void>
}

/** Starts a service on 127.0.0.1. It announces a rate limit that is never reached. */
export async function startHost(records: Records, key: string): Promise<Host> {
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => outgoing.destroy())
  })

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = 'GET', headers, url = '/' } = incoming
    const isWrite = method !== 'GET'
    const at = (moment: Moment): void => {
      if (host.onMoment(moment) === 'cut off') throw new Error('cut off')
    }
    const { pathname, searchParams } = new URL(url, 'http://host.invalid')
    if (headers.authorization !== `Bearer ${key}`) return void write(outgoing, unauthenticated)
    if (isWrite) at('head-arrived')
    else if (searchParams.get('search') || /websites\/./.test(pathname)) at('settling')
    const form = new URLSearchParams(await text(incoming))
    if (isWrite) at('arrived')
    const answered = answer({ method, path: pathname, query: searchParams, form }, records)
    if (!isWrite) return void write(outgoing, answered)
    at('carried-out')
    const half = write(outgoing, answered, () => at('half-answered'))
    outgoing.end(half)
    await once(outgoing, 'finish')
    at('answered')
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host: Host = {
    address: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    records,
    onMoment: () => 'go on',
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return host
}

const unauthenticated: HostAnswer = { status: 401, body: { message: 'Unauthenticated.' } }

/** Writes the answer. With `onHalf`, writes only its first half, calls `onHalf`, and returns the second half for the caller. */
function write(outgoing: ServerResponse, { status, body }: HostAnswer, onHalf?: () => void): string {
  const json = JSON.stringify(body)
  outgoing.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(json)),
    Date: new Date(wall()).toUTCString(),
    'X-RateLimit-Limit': '1000000',
    'X-RateLimit-Remaining': '999999',
  })
  if (onHalf === undefined) {
    outgoing.end(json)
    return ''
  }
  const half = json.length >> 1
  outgoing.write(json.slice(0, half))
  onHalf()
  return json.slice(half)
}
