import ipaddr from 'ipaddr.js'
import { expect, test, vi } from 'vitest'
import { findWebsitesExcluding } from '../../../src/main/bulk/find-addresses.ts'
import { bulkHandlers } from '../../../src/main/ipc/bulk.ts'
import {
  addressBookSchema,
  addressesWithout,
  linesOfAddresses,
  namedAddressesIn,
} from '../../../src/shared/named-address.ts'
import { fail } from '../../../src/shared/result.ts'
import { defaultSettings, readSettings } from '../../../src/shared/state.ts'
import { must } from '../outbox/rig.ts'
import { useBulk, WEBSITES } from './rig.ts'

const bulk = useBulk()
const OFFICE = ['192.0.2.7', '2001:db8::/32']

/** Sets the excluded addresses of the website `w<n>` on the service. If `lines` is undefined, the service does not show them. */
function setList(n: number, lines: string[] | undefined): void {
  const record = [...bulk.service.records.values()][n]
  if (record === undefined) return expect.fail('no such website')
  const changed = { ...record, exclude_ips: lines ?? [] }
  if (lines === undefined) Reflect.deleteProperty(changed, 'exclude_ips')
  bulk.service.records.set(record.id, changed)
}

/** Refreshes the list, and goes offline again. */
async function read(): Promise<void> {
  await bulk.app.online()
  must(await bulk.app.refresh.run())
  await bulk.app.offline()
}

const found = async (addresses = OFFICE) => {
  const { keys, ...others } = must(await findWebsitesExcluding(bulk.app.view, addresses))
  return { domains: keys.map((key) => bulk.app.view.get(key)?.domain).sort(), ...others }
}

test('finds the websites that exclude all addresses of a set, in any spelling', async () => {
  setList(0, ['10.0.0.1', '2001:DB8:0::1/32', '192.0.2.7/32'])
  setList(1, OFFICE)
  setList(2, ['192.0.2.7', '2001:db8::/48'])
  setList(3, ['192.0.2.0/24', '2001:db8::/32'])
  setList(4, undefined)
  await read()
  const { domains, lines, leftOut, partial, unknown } = await found()
  expect(domains).toEqual(['w0.example', 'w1.example'])
  expect(lines.toSorted()).toEqual(['192.0.2.7', '192.0.2.7/32', '2001:DB8:0::1/32', '2001:db8::/32'])
  // w2 and w3 count as partial, because they exclude a narrower or a wider range than the address.
  expect({ leftOut, partial, unknown }).toEqual({ leftOut: 0, partial: 2, unknown: 1 })
  expect((await found(['203.0.113.1'])).domains).toEqual([])
  // Websites that are being deleted are left out, because they can't be changed.
  must(await bulk.app.outbox.delete(bulk.app.keyOf('w0.example')))
  expect((await found()).domains).toEqual(['w1.example'])
})

test('also counts the websites of other open accounts that exclude the addresses, but leaves out an account that can’t be read', async () => {
  setList(0, OFFICE)
  setList(1, OFFICE)
  await read()
  const account = (id: string, view: object = bulk.app.view) => ({ record: { id }, view })
  const damaged = { judge: () => Promise.resolve(fail('storage')) }
  const all = [account('a'), account('b'), account('damaged', damaged)]
  const connections = { active: () => all[0], all: () => all } as unknown as Parameters<typeof bulkHandlers>[0]
  const { findAddresses } = bulkHandlers(connections, vi.fn(), vi.fn())
  const { keys, others } = must(await findAddresses({ lines: OFFICE }))
  expect(keys).toHaveLength(2)
  expect(others).toEqual([{ account: 'b', count: 2 }])
})

test('replaces addresses in all websites that exclude them, also in a pending change, as one bulk change with one undo', async () => {
  for (let n = 0; n < WEBSITES; n++) setList(n, n < 3 ? ['10.0.0.1', n === 0 ? '192.0.2.7/32' : '192.0.2.7'] : [])
  await read()
  const pending = bulk.keys('w3.example')[0] ?? ''
  must(await bulk.app.outbox.update(pending, { exclude_ips: ['192.0.2.7'] }, {}))
  const before = bulk.keys().map((key) => bulk.app.view.get(key)?.exclude_ips)
  const { keys, lines } = must(await findWebsitesExcluding(bulk.app.view, ['192.0.2.7']))
  expect(keys).toHaveLength(4)
  const change = { exclude_ips: { how: 'edit' as const, add: ['198.51.100.0/24'], remove: lines } }
  const { bulkChange, changed } = await bulk.app.bulk.apply(keys, change)
  expect(changed).toBe(4)
  const lists = keys.map((key) => bulk.app.view.get(key)?.exclude_ips)
  expect(lists.filter((list) => list?.includes('198.51.100.0/24'))).toHaveLength(4)
  expect(lists.flat().filter((line) => line?.startsWith('192.0.2.7'))).toEqual([])
  must(await bulk.app.bulk.undo(bulkChange))
  expect(bulk.keys().map((key) => bulk.app.view.get(key)?.exclude_ips)).toEqual(before)
})

test('compares addresses in any spelling, and a line that is no address matches none', () => {
  expect(linesOfAddresses(['my office', '192.0.2.7/32', '2001:DB8::/32'], OFFICE)).toEqual([
    '192.0.2.7/32',
    '2001:DB8::/32',
  ])
  expect(linesOfAddresses(['my office', '192.0.2.7'], OFFICE)).toBeNull()
  expect(linesOfAddresses([], [])).toBeNull()
  expect(addressesWithout(['192.0.2.7/32', '10.0.0.1'], OFFICE)).toEqual(['10.0.0.1'])
})

test('parses each line of a long list and of the named addresses once, although the list is compared after each keystroke', () => {
  const parse = vi.spyOn(ipaddr, 'parse')
  const list = Array.from({ length: 5000 }, (_, n) => `10.1.${n >> 8}.${n & 255}`)
  const book = Array.from({ length: 50 }, (_, n) => ({ name: `${n}`, lines: [`10.1.0.${n}`, `10.2.0.${n}`] }))
  const part = { name: 'Part', lines: ['10.1.0.7/32', '10.1.19.135'] }
  for (let keystroke = 0; keystroke < 10; keystroke++) {
    expect(namedAddressesIn([...list, `10.1.20.${keystroke}`], [...book, part])).toEqual([part])
  }
  expect(namedAddressesIn([], [])).toEqual([])
  expect(parse.mock.calls.length).toBeLessThan(5200)
})

test('stores no named address with a line that is no address, with an empty name, or without lines', () => {
  const isValid = (name: string, lines: string[]) => addressBookSchema.safeParse([{ name, lines }]).success
  expect(isValid('Office', OFFICE)).toBe(true)
  expect(isValid('Office', ['my office'])).toBe(false)
  expect(isValid('Office', [])).toBe(false)
  expect(isValid('  ', OFFICE)).toBe(false)
  expect(isValid('Off\nice', OFFICE)).toBe(false)
  const stored = { theme: 'dark', namedAddresses: [{ name: 'Office', lines: ['my office'] }] }
  expect(readSettings(stored)).toEqual({ ...defaultSettings, theme: 'dark' })
})
