import ipaddr from 'ipaddr.js'

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** An address as a range of one; null: neither an address nor a range. */
function rangeOf(text: string): Range | null {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text)
    if (!text.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(text)) return null
    const address = ipaddr.parse(text)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  } catch {
    return null
  }
}

/** Of two ranges that overlap one holds the other. */
const overlaps = ([a, lengthA]: Range, [b, lengthB]: Range): boolean =>
  a.kind() === b.kind() && a.match(b, Math.min(lengthA, lengthB))

/** Whether an entry of an exclude list has an address in common with `range`; one that is no range has none. */
export function overlapWith(range: string): (entry: string) => boolean {
  const wanted = rangeOf(range)
  return (entry) => {
    const given = wanted && rangeOf(entry.trim())
    return given !== null && wanted !== null && overlaps(wanted, given)
  }
}
