import { expect, test } from 'vitest'
import type { AppState } from '../../../src/shared/state.ts'
import { accountStatus } from '../../../src/messages/account-status.ts'
import { statusOf } from '../../../src/renderer/features/shell/status.ts'
import { aConnection, anAppState } from '../../component/support/fixtures.ts'

/** Returns the status in this state as one text: the heading, a bar and the details. */
const statusFor = (change: Partial<AppState>): string => {
  const { head, details } = statusOf(anAppState(change))
  return `${head} | ${details.map(({ text }) => text).join(' · ')}`
}
const offline = { state: 'offline', since: 0, error: { code: 'unreachable', message: '' } } as const
/** In these states, the heading names this reason instead of “offline”. */
const holds: [string, Partial<AppState>][] = [
  ['sending is paused', { paused: true }],
  ...(['refused', 'missing', 'loading', 'locked'] as const).map((key): [string, Partial<AppState>] => [
    `the key is ${key}`,
    { connection: aConnection({ key }) },
  ]),
]

test.each(holds)('the status says that the service is offline, and what needs attention, although %s', (_, held) => {
  expect(statusFor({ ...held, reach: offline })).toMatch(/\| .*Offline since ./)
  expect(statusFor({ ...held, parked: 2 })).toMatch(/\| .*2 changes need attention/)
  expect(statusFor(held)).not.toMatch(/Offline|need/)
})

test('says whether all changes are sent, unconfirmed or pending when nothing needs attention', () => {
  const online = { reach: { state: 'online' } } as const
  expect(statusFor(online)).toBe('All changes sent | ')
  expect(statusFor({ ...online, unconfirmed: true })).toBe('All changes sent, not all confirmed | ')
  expect(statusFor({ ...online, waiting: 2 })).toBe('2 changes pending | ')
})

test('says that changes in data of a newer version are pending until that version is installed, not that they will be sent', () => {
  const state = { readOnly: true, waiting: 3, reach: { state: 'online' } } as const
  expect(statusFor(state)).toBe('3 changes pending until you install the newer version | ')
  expect(statusOf(anAppState(state)).tone).toBe('wait')
})

test('says that the service was not found if the list was not found', () => {
  const error = { code: 'not-found', message: '', status: 404 } as const
  const failed = { reach: { state: 'online' }, refresh: { ...anAppState().refresh, error } } as const
  expect(statusFor(failed)).toMatch(/\| No service found at this address\.$/)
})

test('says that the service rejects all requests and whom to contact, not that it is offline, if the plan has no API access', () => {
  const reach = { ...offline, error: { code: 'forbidden', message: '', status: 403 } } as const
  expect(statusFor({ reach, waiting: 2 })).toMatch(
    /^The service is rejecting all requests \| .*Contact the administrator.* · 2 changes pending$/,
  )
})

test('an account whose requests are all rejected is not called offline, neither in the status while paused nor in the list of accounts', () => {
  const reach = { ...offline, error: { code: 'forbidden', message: '', status: 403 } } as const
  expect(statusFor({ reach, paused: true })).toMatch(/\| The service is rejecting all requests$/)
  const { accounts } = anAppState({ others: [{ offline: true, rejected: true, waiting: 1 }] })
  const texts = accounts.map((account) => accountStatus(account, { paused: false, keychain: 'ready' }, true).text)
  expect(texts).toContain('The service is rejecting all requests, 1 change pending')
})

test('while offline, the status says that no service was found, not that a website was not found', () => {
  const reach = { ...offline, error: { code: 'not-found', message: '', status: 404 } } as const
  expect(statusFor({ reach })).toMatch(/^Offline since .* \| No service found at this address\.$/)
})

test('while offline because of a certificate that is not valid yet, the status says to check the date and time', () => {
  const reach = { ...offline, error: { code: 'certificate-not-yet-valid', message: '' } } as const
  expect(statusFor({ reach })).toMatch(/^Offline since .*date and time/)
})

test('while offline, the window’s status names what needs attention, has a button to it, and says only once that it is offline', () => {
  const state = { reach: offline, parked: 1, waiting: 2 }
  expect(statusFor(state)).toMatch(/^Offline since [^|]+ \| 2 changes pending .* 1 change needs attention$/)
  expect(statusOf(anAppState(state)).fix).toBe('pending')
})

test.each(['proxy-login', 'client-certificate', 'certificate'] as const)(
  'the status leads to the network settings after the error %s',
  (code) => {
    const error = { code, message: '' }
    expect(statusOf(anAppState({ reach: { ...offline, error } })).fix).toBe('network')
    expect(statusOf(anAppState({ reach: { state: 'online' }, refresh: { ...anAppState().refresh, error } })).fix).toBe(
      'network',
    )
    expect(statusOf(anAppState({ reach: offline })).fix).toBeUndefined()
  },
)
