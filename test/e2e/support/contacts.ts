import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'

export interface Contacts {
  names: string[]
  /** Connections and packets to addresses outside of this machine, by port. */
  sent: string[]
  /** The kernel's counts of connections and packets to ports on which nothing listens; empty if there were none. */
  refused: string[]
}

/** The only name that is resolved to this machine. */
export const SERVICE_HOST = 'stats.test'

/** The address that is answered for any other name, from TEST-NET-3 (RFC 5737). */
const ELSEWHERE = [203, 0, 113, 7]
/** The ports on which {@link recordContacts} listens: those of DNS, the web, QUIC, STUN, TURN and encrypted DNS. */
const PORTS = { tcp: [53, 80, 443, 853, 3478, 5349, 8080], udp: [443, 3478, 5353] }

/**
 * Answers DNS queries, and takes packets and connections at {@link PORTS} of any address, in a namespace in which every address
 * leads to this process (`ip route add local default dev lo`). Records the names and the ports.
 */
export async function recordContacts(): Promise<Contacts> {
  const contacts: Contacts = { names: [], sent: [], refused: [] }
  const dns = createSocket('udp4')
  dns.on('message', (query, from) => {
    const { name, type, end } = questionOf(query)
    contacts.names.push(name)
    dns.send(answerTo(query, end, type, name === SERVICE_HOST ? [127, 0, 0, 1] : ELSEWHERE), from.port, from.address)
  })
  dns.bind(53)
  await once(dns, 'listening')
  for (const port of PORTS.udp) {
    const socket = createSocket('udp4').on('message', () => contacts.sent.push(`udp ${String(port)}`))
    socket.bind(port)
    await once(socket, 'listening')
  }
  for (const port of PORTS.tcp) {
    const server = createServer((socket) => {
      contacts.sent.push(`tcp ${String(port)}`)
      socket.on('error', () => undefined).destroy()
    })
    server.listen(port, '0.0.0.0')
    await once(server, 'listening')
  }
  return contacts
}

export function refusedHere(): string[] {
  // Pairs of lines, of names and of values. TCP is counted for IPv4 and IPv6 at once.
  const lines = readFileSync('/proc/net/snmp', 'utf8').split('\n')
  const count = (protocol: string, name: string): string => {
    const [names = [], values = []] = lines
      .filter((line) => line.startsWith(`${protocol}:`))
      .map((line) => line.split(' '))
    return values[names.indexOf(name)] ?? 'missing'
  }
  const ofIpv6 = existsSync('/proc/net/snmp6') ? readFileSync('/proc/net/snmp6', 'utf8') : 'Udp6NoPorts 0'
  const counts = {
    'connections (Tcp AttemptFails)': count('Tcp', 'AttemptFails'),
    'packets (Udp NoPorts)': count('Udp', 'NoPorts'),
    'packets (Udp6NoPorts)': /^Udp6NoPorts\s+(\d+)/m.exec(ofIpv6)?.[1] ?? 'missing',
  }
  return Object.entries(counts).flatMap(([name, value]) => (value === '0' ? [] : [`${value} ${name}`]))
}

/** Returns the first question of a query (RFC 1035, 4.1). `end`: the offset of the byte after the question. */
function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

const A_RECORD = 1

/** Returns an answer with one address, or with none if another type than IPv4 is asked for. */
function answerTo(query: Buffer, end: number, type: number, address: readonly number[]): Buffer {
  const found = type === A_RECORD
  const head = Buffer.from(query.subarray(0, 12))
  head.writeUInt16BE(0x8180, 2) // an answer without an error
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(Number(found), 6)
  head.writeUInt32BE(0, 8)
  // The name as a pointer to the question, type A, class IN, 60 s, four bytes.
  const record = Buffer.from([0xc0, 12, 0, A_RECORD, 0, 1, 0, 0, 0, 60, 0, 4, ...address])
  return Buffer.concat([head, query.subarray(12, end), ...(found ? [record] : [])])
}
