import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { describe, expect, test } from 'vitest'
import { checkAddresses } from '../../../src/renderer/lib/exclude-list/addresses.ts'
import { filledLinesOf, lineRange, tidiedList } from '../../../src/renderer/lib/exclude-list/lines.ts'

const findingsOf = (list: string) => checkAddresses(list).map((finding) => ({ ...finding, text: undefined }))

test.each(['203.0.113.7', '10.0.0.0/8', '::1', '2001:db8::/32', '2001:DB8::1', '::ffff:203.0.113.7', '203.0.113.7/32'])(
  'reports nothing about %s',
  (line) => expect(findingsOf(`${line}\n\n198.51.100.1`)).toEqual([]),
)

test.each([
  ['10.0.0', null],
  ['host.example', null],
  ['10.0.0.1/99', null],
  ['10.0.0.1/08', null],
  ['10.0.0.1-10.0.0.20', null],
  ['256.1.1.1', null],
  ['203.0.113.7, host', null],
  ['203.0.113.*', ['203.0.113.0/24']],
  ['10.*.*.*', ['10.0.0.0/8']],
  ['203.0.113.7, 203.0.113.8;::1', ['203.0.113.7', '203.0.113.8', '::1']],
  ['[2001:db8::1]:443', ['2001:db8::1']],
  ['203.0.113.7:8080', ['203.0.113.7']],
  ['http://203.0.113.7/path', ['203.0.113.7']],
  ['fe80::1%eth0', ['fe80::1']],
  ['10.0.0.0/255.255.0.0', ['10.0.0.0/16']],
  ['010.001.0.1', ['10.1.0.1']],
  ['"203.0.113.7"', ['203.0.113.7']],
])('reports that %s is no address or range; suggestion: %j', (line, instead) => {
  expect(findingsOf(`::1\n${line}`)).toEqual([{ line: 2, kind: 'wrong', instead }])
})

test('reports a duplicate in any spelling, with the first line', () => {
  expect(findingsOf('203.0.113.7\n2001:db8::1\n\n 203.0.113.7\n2001:0DB8:0::1/128\n203.0.113.7/32')).toEqual([
    { line: 4, kind: 'twice', as: 1 },
    { line: 5, kind: 'twice', as: 2 },
    { line: 6, kind: 'twice', as: 1 },
  ])
})

test('reports a line that a range covers, with the range, whatever the order of the lines', () => {
  expect(findingsOf('10.1.2.3\n10.1.0.0/16\n10.0.0.0/8\n11.0.0.1\n2001:db8:1::/48\n2001:db8::/32')).toEqual([
    { line: 1, kind: 'covered', by: '10.1.0.0/16', at: 2 },
    { line: 2, kind: 'covered', by: '10.0.0.0/8', at: 3 },
    { line: 5, kind: 'covered', by: '2001:db8::/32', at: 6 },
  ])
})

test('reports a range that is not written with its first address, and a range of all addresses', () => {
  expect(findingsOf('203.0.113.7/24\n::/0\n0.0.0.0/0')).toEqual([
    { line: 1, kind: 'covered', by: '0.0.0.0/0', at: 3 },
    { line: 2, kind: 'all' },
    { line: 3, kind: 'all' },
  ])
  expect(findingsOf('203.0.113.7/24\n2001:DB8:1::/48')).toEqual([{ line: 1, kind: 'within', range: '203.0.113.0/24' }])
})

test('reports spaces around a line', () => {
  expect(findingsOf(' 203.0.113.7\n203.0.113.8\t\n203.0.113.9')).toEqual([
    { line: 1, kind: 'spaces' },
    { line: 2, kind: 'spaces' },
  ])
})

const address = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.tuple(fc.ipV4(), fc.nat(32)).map(([host, length]) => `${host}/${length}`),
)
/** True if a line of the list is this address, or a range that contains it. */
const matches = (list: string, host: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  filledLinesOf(list).some(({ text }) => {
    const [start, length] = text.includes('/')
      ? ipaddr.parseCIDR(text)
      : [ipaddr.parse(text), host.kind() === 'ipv4' ? 32 : 128]
    return start.kind() === host.kind() && host.match(start, length)
  })

describe('tidying', () => {
  test('trims lines, removes duplicates and covered addresses, and keeps wrong lines', () => {
    const list = ' 10.1.2.3 \n10.0.0.0/8\r\n\nmy office\n10.0.0.0/8'
    expect(tidiedList(list, checkAddresses(list))).toBe('10.0.0.0/8\nmy office')
  })

  test('never changes what the list matches, and leaves nothing to tidy', () => {
    fc.assert(
      fc.property(fc.array(address, { maxLength: 30 }), fc.array(fc.ipV4(), { maxLength: 10 }), (lines, hosts) => {
        const list = lines.join('\n')
        const tidy = tidiedList(list, checkAddresses(list))
        for (const host of [...hosts, ...lines.map((line) => line.split('/')[0] ?? '')]) {
          const at = ipaddr.parse(host)
          expect(matches(tidy, at)).toBe(matches(list, at))
        }
        expect(tidiedList(tidy, checkAddresses(tidy))).toBe(tidy)
      }),
    )
  })
})

test('finds a line in the text with any kind of line ending', () => {
  const list = 'a\r\nbc\n\rd'
  expect([1, 2, 3, 4].map((line) => list.slice(...lineRange(list, line)))).toEqual(['a', 'bc', '', 'd'])
})
