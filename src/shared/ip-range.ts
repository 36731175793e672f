import ipaddr from 'ipaddr.js'

/** An address with its prefix length; a single address has the full length. */
export type IpRange = readonly [address: ipaddr.IPv4 | ipaddr.IPv6, prefix: number]

/**
 * Parses an address or a CIDR range as the service matches them. Returns null for anything else: services disagree about an
 * IPv4 address with fewer than four parts or with leading zeros, so neither counts as an address.
 */
export function parseRange(text: string): IpRange | null {
  const [, host = '', length] = /^([^/%]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? []
  const isAddress = host.includes(':') ? ipaddr.IPv6.isValid(host) : ipaddr.IPv4.isValidFourPartDecimal(host)
  if (!isAddress) return null
  const address = ipaddr.parse(host)
  const bits = bitsOf(address)
  const prefix = length === undefined ? bits : Number(length)
  return prefix > bits ? null : [address, prefix]
}

/** Returns the number of bits of an address. */
export const bitsOf = (address: IpRange[0]): 32 | 128 => (address.kind() === 'ipv4' ? 32 : 128)

/** Returns the bytes of the first address of a range. */
export const firstAddressBytes = ([address, prefix]: IpRange): number[] =>
  address.toByteArray().map((byte, at) => byte & (0xff00 >> Math.min(8, Math.max(0, prefix - 8 * at))))

/** Returns the same key for every spelling of a range. */
export const rangeKey = (range: IpRange): string => `${firstAddressBytes(range).join('.')}/${range[1]}`

/** True if the ranges have an address in common: then one of them contains the other. */
export const overlap = ([a, prefixA]: IpRange, [b, prefixB]: IpRange): boolean =>
  a.kind() === b.kind() && a.match(b, Math.min(prefixA, prefixB))
