import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { BlockList, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'

/** How long the look-up of a name may take, in milliseconds. */
const PATIENCE = 3000

const familyOf = (ip: string): 'ipv4' | 'ipv6' => (isIPv6(ip) ? 'ipv6' : 'ipv4')

/** The ranges are given as CIDR. */
function rangesOf(...ranges: string[]): (ip: string) => boolean {
  const list = new BlockList()
  for (const range of ranges) {
    const [start = '', prefix] = range.split('/')
    list.addSubnet(start, Number(prefix), familyOf(start))
  }
  return (ip) => list.check(ip, familyOf(ip))
}

/** What means something within a network alone (RFC 1918, 3927, 4193, 4291, 6598). */
const isInner = rangesOf(
  ...['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'],
  ...['::1/128', 'fc00::/7', 'fe80::/10'],
)
/** What is translated on the way, or made up by a tunnel (RFC 2544, 6052, 7335, 8215). */
const isTranslated = rangesOf('192.0.0.0/24', '198.18.0.0/15', '64:ff9b::/96', '64:ff9b:1::/48')

/**
 * The addresses that the host of a service sees this computer by, one of each family (IPv4, IPv6) that leads there. None where
 * that can't be known from here: offline, and behind a router that gives out addresses of its own. The system is asked for
 * its way, and the host's name is looked up; nothing is sent to the service.
 */
export async function ownAddresses(service: string): Promise<string[]> {
  const host = new URL(service).hostname.replace(/^\[|\]$/g, '')
  const unknown = wait(PATIENCE, [], { ref: false })
  const found = await Promise.race([lookup(host, { all: true }).catch(() => []), unknown])
  const firsts = [4, 6].flatMap((family) => found.find((one) => one.family === family)?.address ?? [])
  const own = await Promise.all(
    firsts.map(async (remote) => {
      const local = await towards(remote)
      return local !== null && isSeenBy(local, remote, networksOf(local)) ? [local] : []
    }),
  )
  return own.flat()
}

/**
 * Whether the other end of a way sees the address that this end has: no router in between has put its own there. An inner
 * one is only known to be seen in its own networks, which are given as CIDR.
 */
export function isSeenBy(local: string, remote: string, networks: readonly string[]): boolean {
  if (isTranslated(local) || isTranslated(remote)) return false
  return !isInner(local) || rangesOf(...networks)(remote)
}

/** The networks in which this computer has an address, as CIDR. */
const networksOf = (local: string): string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .flatMap(({ address, cidr }) => (address === local && cidr !== null ? [cidr] : []))

/** This computer's address on the way to another; null: there's no way. A datagram's socket sends nothing by being connected. */
async function towards(remote: string): Promise<string | null> {
  const socket = createSocket(isIPv6(remote) ? 'udp6' : 'udp4')
  try {
    // Any port will do.
    socket.connect(443, remote)
    await once(socket, 'connect')
    return socket.address().address.replace(/%.*$/, '')
  } catch {
    return null
  } finally {
    socket.close()
  }
}
