import ipaddr from 'ipaddr.js'
import { bitsOf, firstAddressBytes, parseRange, rangeKey, type IpRange } from '../../../shared/ip-range.ts'
import { filledLinesOf, type Finding, type FindingKind } from './lines.ts'

/** Returns the findings about a list of excluded addresses. */
export function checkAddresses(list: string): Finding[] {
  const lines = filledLinesOf(list).map((line) => {
    const range = parseRange(line.text)
    return { ...line, range, key: range && rangeKey(range) }
  })
  const first = new Map<string, { line: number; text: string }>()
  const prefixes = { ipv4: new Set<number>(), ipv6: new Set<number>() }
  for (const { line, text, range, key } of lines) {
    if (range === null || key === null) continue
    if (!first.has(key)) first.set(key, { line, text })
    const [address, prefix] = range
    if (prefix < bitsOf(address)) prefixes[address.kind()].add(prefix)
  }

  const about = ([address, prefix]: IpRange, key: string, line: number): FindingKind | null => {
    const same = first.get(key)
    if (same && same.line !== line) return { kind: 'twice', as: same.line }
    for (const wider of prefixes[address.kind()]) {
      const covering = wider < prefix ? first.get(rangeKey([address, wider])) : undefined
      if (covering) return { kind: 'covered', by: covering.text, at: covering.line }
    }
    if (prefix === 0) return { kind: 'all' }
    if (key === `${address.toByteArray().join('.')}/${prefix}`) return null
    return {
      kind: 'within',
      range: `${ipaddr.fromByteArray(firstAddressBytes([address, prefix])).toString()}/${prefix}`,
    }
  }

  return lines.flatMap(({ line, text, spaced, range, key }): Finding[] => {
    if (range === null || key === null) return [{ line, text, kind: 'wrong', instead: meantEntries(text) }]
    const found = about(range, key, line)
    if (found) return [{ line, text, ...found }]
    return spaced ? [{ line, text, kind: 'spaces' }] : []
  })
}

/** Returns the entries that an invalid line may stand for, such as an address in a link; null if unclear. */
function meantEntries(text: string): string[] | null {
  const parts = text.split(/[\s,;|]+/).filter(Boolean)
  if (parts.length > 1) return parts.every((part) => parseRange(part) !== null) ? parts : null
  const star = /^((?:\d{1,3}\.){1,3})(?:\*\.?)+$/.exec(text)?.[1]
  const candidates = [
    star && rangeFromStars(star),
    /^[a-z]+:\/\/([^/?#]+)/i.exec(text)?.[1],
    /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1],
    /^([\d.]+):\d+$/.exec(text)?.[1],
    /^([^%]+)%[^%/]+$/.exec(text)?.[1],
    text.replace(/^["'(<]+|["')>.]+$/g, ''),
    rangeFromMask(text),
    text.replace(/(^|\.)0+(?=\d)/g, '$1'),
  ]
  const found = candidates.find((candidate) => candidate && candidate !== text && parseRange(candidate) !== null)
  return found ? [found] : null
}

/** Returns the range for a line with stars: `192.0.2.0/24` for the prefix `192.0.2.`. */
function rangeFromStars(prefix: string): string {
  const numbers = prefix.split('.').filter(Boolean)
  return `${[...numbers, '0', '0', '0'].slice(0, 4).join('.')}/${numbers.length * 8}`
}

/** Converts a range with a subnet mask to one with a prefix length; undefined without a valid mask. */
function rangeFromMask(text: string): string | undefined {
  const [host, mask] = text.split('/')
  if (!host || !mask || !ipaddr.IPv4.isValidFourPartDecimal(mask)) return undefined
  const prefix = ipaddr.IPv4.parse(mask).prefixLengthFromSubnetMask()
  return prefix === null ? undefined : `${host}/${prefix}`
}
