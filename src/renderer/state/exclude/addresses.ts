import ipaddr from 'ipaddr.js'
import { linesOf, type Finding, type Found } from './lines.ts'

/** An address is a range of one. */
interface Range {
  bits: 32 | 128
  start: bigint
  prefix: number
  /** It's written from its middle, not from its first address on. */
  inner: boolean
}

/** Null: no address and no range as services were seen to match them (service-behaviour.md, "Validation and normalising"). */
function readRange(text: string): Range | null {
  const [, host = '', length] = /^([^/%]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? []
  const bytes = bytesOf(host)
  if (bytes === null) return null
  const bits = bytes.length === 4 ? 32 : 128
  const prefix = length === undefined ? bits : Number(length)
  if (prefix > bits) return null
  const whole = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  const start = (whole >> BigInt(bits - prefix)) << BigInt(bits - prefix)
  return { bits, start, prefix, inner: start !== whole }
}

/** Of four decimal numbers alone: one with a leading zero, or fewer of them, would be read in two ways. */
function bytesOf(host: string): number[] | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(host)) return ipaddr.IPv4.parse(host).toByteArray()
  if (!host.includes(':')) return null
  try {
    return ipaddr.IPv6.parse(host).toByteArray()
  } catch {
    return null
  }
}

function written({ start, bits, prefix }: Range): string {
  const bytes = Array.from({ length: bits / 8 }, (_, i) => Number((start >> BigInt(bits - 8 * (i + 1))) & 0xffn))
  return `${ipaddr.fromByteArray(bytes).toString()}/${prefix}`
}

/** The same for every spelling of the same range. */
const keyOf = ({ bits, start, prefix }: Range): string => `${bits}/${prefix}/${start.toString(32)}`
const widened = (range: Range, prefix: number): Range => {
  const rest = BigInt(range.bits - prefix)
  return { ...range, prefix, start: (range.start >> rest) << rest }
}

/** What is worth a word about a list of excluded addresses. */
export function checkAddresses(list: string): Finding[] {
  const lines = linesOf(list).map((line) => ({ ...line, range: read(line.text) }))
  const first = new Map<string, { line: number; text: string }>()
  const lengths = { 32: new Set<number>(), 128: new Set<number>() }
  for (const { line, text, range } of lines) {
    if (range === null) continue
    if (!first.has(keyOf(range))) first.set(keyOf(range), { line, text })
    if (range.prefix < range.bits) lengths[range.bits].add(range.prefix)
  }

  const about = (range: Range, line: number): Found | null => {
    const same = first.get(keyOf(range))
    if (same && same.line !== line) return { what: 'twice', as: same.line }
    for (const prefix of lengths[range.bits]) {
      const wider = prefix < range.prefix ? first.get(keyOf(widened(range, prefix))) : undefined
      if (wider) return { what: 'covered', by: wider.text, at: wider.line }
    }
    return range.prefix === 0 ? { what: 'all' } : null
  }

  return lines.flatMap(({ line, text, spaced, range }): Finding[] => {
    if (range === null) return [{ line, text, what: 'wrong', instead: meant(text) }]
    const found = about(range, line)
    if (found) return [{ line, text, ...found }]
    if (range.inner) return [{ line, text, what: 'within', range: written(range) }]
    return spaced ? [{ line, text, what: 'spaces' }] : []
  })
}

const known = new Map<string, Range | null>()
const MOST_KNOWN = 20_000

/** With each key that is pressed all lines but one are those of before. */
function read(text: string): Range | null {
  const was = known.get(text)
  if (was !== undefined) return was
  if (known.size >= MOST_KNOWN) known.clear()
  const range = readRange(text)
  known.set(text, range)
  return range
}

/** What the line seems to mean: several entries, a star for a range, an address as it stands in a link or with a mask. */
function meant(text: string): string[] | null {
  const parts = text.split(/[\s,;|]+/).filter(Boolean)
  if (parts.length > 1) return parts.every((part) => readRange(part) !== null) ? parts : null
  const star = /^((?:\d{1,3}\.){1,3})(?:\*\.?)+$/.exec(text)?.[1]
  const candidates = [
    star && fromStar(star),
    /^[a-z]+:\/\/([^/?#]+)/i.exec(text)?.[1],
    /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1],
    /^([\d.]+):\d+$/.exec(text)?.[1],
    /^([^%]+)%[^%/]+$/.exec(text)?.[1],
    text.replace(/^["'(<]+|["')>.]+$/g, ''),
    fromMask(text),
    text.replace(/(^|\.)0+(?=\d)/g, '$1'),
  ]
  const found = candidates.find((candidate) => candidate && candidate !== text && readRange(candidate) !== null)
  return found ? [found] : null
}

function fromStar(known: string): string {
  const numbers = known.split('.').filter(Boolean)
  return `${[...numbers, '0', '0', '0'].slice(0, 4).join('.')}/${numbers.length * 8}`
}

function fromMask(text: string): string | undefined {
  const [host, mask] = text.split('/')
  if (!host || !mask || !ipaddr.IPv4.isValidFourPartDecimal(mask)) return undefined
  const prefix = ipaddr.IPv4.parse(mask).prefixLengthFromSubnetMask()
  return prefix === null ? undefined : `${host}/${prefix}`
}
