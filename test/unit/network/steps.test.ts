import { expect, test } from 'vitest'
import { stepResultsOf, type TestedConnection } from '../../../src/main/network/steps.ts'
import { connectionSteps } from '../../../src/shared/network.ts'
import { fail, ok, type ErrorCode } from '../../../src/shared/result.ts'

const direct: TestedConnection = { address: 'https://stats.example/a', route: { kind: 'direct' }, client: false }
const proxied: TestedConnection = {
  address: 'https://stats.example',
  route: { kind: 'proxy', protocol: 'http', host: 'gate.example', port: 3128, login: 'stored' },
  client: true,
}
const marks = { good: '+', bad: '!', unneeded: '-', unknown: '?' }
/** Returns a text with one mark for each step of the connection test, in order. */
const drawn = (answer: Parameters<typeof stepResultsOf>[0], connecting: TestedConnection): string =>
  stepResultsOf(answer, connecting)
    .map(({ found }) => marks[found])
    .join('')

test('a connection test marks the steps that the connection does not need', () => {
  expect(drawn(ok(null), direct)).toBe('+--++-++')
  expect(drawn(ok(null), proxied)).toBe('-+++++++')
  expect(drawn(ok(null), { ...direct, address: 'http://192.0.2.1' })).toBe('---+--++')
  expect(drawn(ok(null), { ...direct, address: 'https://[2001:db8::1]' })).toBe('---++-++')
})

test.each<[ErrorCode, (typeof connectionSteps)[number], string]>([
  ['name-lookup', 'lookup', '!???????'],
  ['unreachable', 'connect', '+--!????'],
  ['certificate', 'tls', '+--+!???'],
  ['certificate-not-yet-valid', 'tls', '+--+!???'],
  ['tls', 'tls', '+--+!???'],
  ['client-certificate', 'clientCertificate', '+--++!??'],
  ['not-the-service', 'service', '+--++-!?'],
  ['timeout', 'service', '+--++-!?'],
  ['redirected', 'service', '+--++-!?'],
  ['unavailable', 'service', '+--++-!?'],
  ['unauthenticated', 'key', '+--++-+!'],
  ['forbidden', 'key', '+--++-+!'],
  ['key-missing', 'key', '+--++-+!'],
])('after %s, the step that failed is %s', (code, step, expected) => {
  expect(drawn(fail(code), direct)).toBe(expected)
  expect(stepResultsOf(fail(code), direct).find(({ found }) => found === 'bad')).toEqual({ step, found: 'bad', code })
})

test.each<[ErrorCode, string]>([
  ['proxy-unreachable', '-!??????'],
  ['proxy-refused', '-!??????'],
  ['proxy-failed', '-!??????'],
  ['proxy-unsupported', '-!??????'],
  ['proxy-login', '-+!?????'],
  ['client-certificate', '-++++!??'],
])('after %s through a proxy, the marks of the steps are %s', (code, expected) => {
  expect(drawn(fail(code), proxied)).toBe(expected)
})

test('an API key that can’t be checked is unknown, with the reason', () => {
  expect(drawn(fail('keychain-locked'), direct)).toBe('+--++-+?')
  expect(stepResultsOf(fail('rate-limited'), direct).at(-1)).toEqual({
    step: 'key',
    found: 'unknown',
    code: 'rate-limited',
  })
})
