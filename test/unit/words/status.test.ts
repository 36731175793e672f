import { expect, test } from 'vitest'
import type { AppState } from '../../../src/shared/state.ts'
import { statusOf } from '../../../src/words/status.ts'
import { aConnection, anAppState } from '../../component/support/fixtures.ts'

const told = (change: Partial<AppState>): string => {
  const { head, detail } = statusOf(anAppState(change))
  return `${head} | ${detail}`
}
const offline = { state: 'offline', since: 0, error: { code: 'unreachable', message: '' } } as const
const holds: [string, Partial<AppState>][] = [
  ['sending is paused', { paused: true }],
  ...(['refused', 'missing', 'loading', 'locked'] as const).map((key): [string, Partial<AppState>] => [
    `the key is ${key}`,
    { connection: aConnection({ key }) },
  ]),
]

test.each(holds)('offline is told though %s, and so is what needs the person', (_, held) => {
  expect(told({ ...held, reach: offline })).toMatch(/\| .*Offline since ./)
  expect(told({ ...held, parked: 2 })).toMatch(/\| .*2 changes need you\./)
  expect(told(held)).not.toMatch(/Offline|need/)
})

test('offline tells what needs the person, too, and leads there; it tells itself once', () => {
  const state = { reach: offline, parked: 1, waiting: 2 }
  expect(told(state)).toMatch(/^Offline since [^|]+ \| 2 changes are waiting .* 1 change needs you\.$/)
  expect(statusOf(anAppState(state)).way).toMatchObject({ to: 'pending' })
})
