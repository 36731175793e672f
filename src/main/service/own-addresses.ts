import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { BlockList, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'

/** Maximum milliseconds of the name lookup. After that, {@link ownAddresses} returns no address. */
const LOOKUP_TIMEOUT = 3000

const familyOf = (ip: string): 'ipv4' | 'ipv6' => (isIPv6(ip) ? 'ipv6' : 'ipv4')

/** `ranges`: in CIDR notation. */
function createRangeTest(...ranges: string[]): (ip: string) => boolean {
  const list = new BlockList()
  for (const range of ranges) {
    const [start = '', prefix] = range.split('/')
    list.addSubnet(start, Number(prefix), familyOf(start))
  }
  return (ip) => list.check(ip, familyOf(ip))
}

/** Addresses that are only valid within one network (RFC 1918, 3927, 4193, 4291, 6598). */
const isPrivate = createRangeTest(
  ...['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'],
  ...['::1/128', 'fc00::/7', 'fe80::/10'],
)
/** Addresses that the network replaces by others, or that belong to tunnels (RFC 2544, 6052, 7335, 8215). */
const isTranslated = createRangeTest('192.0.0.0/24', '198.18.0.0/15', '64:ff9b::/96', '64:ff9b:1::/48')

/**
 * Returns the addresses under which the host of a service sees this computer, at most one per family (IPv4, IPv6). Empty if they
 * can't be known: offline, or behind a router that translates addresses. Sends nothing but the lookup of the host's name.
 */
export async function ownAddresses(service: string): Promise<string[]> {
  const host = new URL(service).hostname.replace(/^\[|\]$/g, '')
  const timeout = wait(LOOKUP_TIMEOUT, [], { ref: false })
  const resolved = await Promise.race([lookup(host, { all: true }).catch(() => []), timeout])
  const remotes = [4, 6].flatMap((family) => resolved.find((one) => one.family === family)?.address ?? [])
  const own = await Promise.all(
    remotes.map(async (remote) => {
      const local = await localAddressFor(remote)
      return local !== null && isSeenBy(local, remote, networksOf(local)) ? [local] : []
    }),
  )
  return own.flat()
}

/**
 * True if the host `remote` sees this computer under the address `local`: no router translates it on the way. A private address
 * is seen only by hosts in `networks`, this computer's networks in CIDR notation.
 */
export function isSeenBy(local: string, remote: string, networks: readonly string[]): boolean {
  if (isTranslated(local) || isTranslated(remote)) return false
  return !isPrivate(local) || createRangeTest(...networks)(remote)
}

/** Returns the networks in which this computer has the address `local`, in CIDR notation. */
const networksOf = (local: string): string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .flatMap(({ address, cidr }) => (address === local && cidr !== null ? [cidr] : []))

/**
 * Returns the address of this computer from which `remote` is reached, or null if there is no route. Connecting a UDP socket
 * sends nothing.
 */
async function localAddressFor(remote: string): Promise<string | null> {
  const socket = createSocket(isIPv6(remote) ? 'udp6' : 'udp4')
  try {
    // Any port gives the same result.
    socket.connect(443, remote)
    await once(socket, 'connect')
    return socket.address().address.replace(/%.*$/, '')
  } catch {
    return null
  } finally {
    socket.close()
  }
}
