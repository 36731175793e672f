import { expect, test } from 'vitest'
import { isSeenBy, ownAddresses } from '../../../src/main/service/own-addresses.ts'

test('a service on this computer sees the loopback address of the app', async () => {
  expect(await ownAddresses('http://127.0.0.1:9/stats')).toEqual(['127.0.0.1'])
  expect(await ownAddresses('http://localhost:9')).toContain('127.0.0.1')
})

test('returns no address when there is no route to the service', async () => {
  expect(await ownAddresses('https://nowhere.invalid')).toEqual([])
})

test.each([
  ['198.51.100.7', '203.0.113.9', '198.51.100.7/24', true],
  ['2a01:4f8::7', '2a00:1450::9', '2a01:4f8::7/64', true],
  ['192.168.1.5', '192.168.1.9', '192.168.1.5/24', true],
  ['fd00::5', 'fd00::9', 'fd00::5/64', true],
  ['127.0.0.1', '127.0.0.1', '127.0.0.1/8', true],
  // The service sees the address of a router instead.
  ['192.168.1.5', '203.0.113.9', '192.168.1.5/24', false],
  ['100.64.0.5', '203.0.113.9', '100.64.0.5/10', false],
  ['172.31.255.5', '203.0.113.9', '172.31.255.5/16', false],
  ['fe80::5', '2a00:1450::9', 'fe80::5/64', false],
  // The service may see the address of a router instead.
  ['192.168.1.5', '192.168.7.9', '192.168.1.5/24', false],
  ['10.0.0.5', '172.16.0.9', '10.0.0.5/8', false],
  // The address is translated on the way, or belongs to a tunnel.
  ['192.0.0.2', '203.0.113.9', '192.0.0.2/29', false],
  ['2a01:4f8::7', '64:ff9b::c000:221', '2a01:4f8::7/64', false],
  ['198.18.0.1', '198.18.4.2', '198.18.0.1/16', false],
])('the address %s is the one that a service at %s sees, if the network is %s: %s', (local, remote, network, seen) => {
  expect(isSeenBy(local, remote, [network])).toBe(seen)
})
