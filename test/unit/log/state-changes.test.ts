import { expect, test } from 'vitest'
import { createJournal } from '../../../src/main/log/log.ts'
import { logStateChanges } from '../../../src/main/log/state-changes.ts'
import type { WaitReason } from '../../../src/shared/edit.ts'
import { anAppState } from '../../component/support/fixtures.ts'
import type { AppState } from '../../../src/shared/state.ts'

const ADDRESS = 'https://stats.northwind.example'

/** Returns the lines that are logged when the app goes through these states. `parked`: the reasons of parked edits. */
function logged(states: AppState[], parked: WaitReason[] = []): string[] {
  const lines: string[] = []
  const { log } = createJournal(
    ({ text }) => lines.push(text),
    () => 0,
  )
  const tell = logStateChanges(log, () => parked)
  for (const now of states) tell(now)
  return lines
}

/** The lines that are logged for the first state. */
const begun = ['connection state=open', 'key state=stored', 'keychain state=ready', 'online', 'waiting edits=0']
const offline = { state: 'offline', since: 1, error: { code: 'timeout', message: ADDRESS } } as const

test('logs each change of the app’s state once', () => {
  expect(logged([anAppState(), anAppState(), anAppState({ websites: 4 })])).toEqual(begun)
  const later = logged([
    anAppState(),
    anAppState({ reach: offline, waiting: 1 }),
    anAppState({ reach: { ...offline, since: 2 }, waiting: 2 }),
    anAppState({ waiting: 1 }),
    anAppState({ paused: true }),
  ])
  expect(later.slice(begun.length)).toEqual([
    'offline code=timeout',
    'waiting edits=1',
    'online',
    'paused on=true',
    'waiting edits=0',
  ])
})

test('logs the number of parked edits with their reasons, each reason once', () => {
  const lines = logged([anAppState(), anAppState({ parked: 3 })], ['conflict', 'gone', 'conflict'])
  expect(lines.slice(begun.length)).toEqual(['parked edits=3 reasons=conflict,gone'])
})

test('logs no address, no text of a service and no path', () => {
  const error = { code: 'invalid', message: ADDRESS, status: 422 } as const
  const all = logged([
    anAppState({
      problem: error,
      others: [{ address: ADDRESS, name: 'Northwind Agency' }],
      reach: offline,
      readOnly: true,
      salvaged: {
        of: 'connection',
        why: 'damaged',
        at: 1,
        quarantined: '/home/ada/northwind.damaged',
        backupAt: null,
        websites: 2,
        edits: 1,
      },
      refresh: { running: false, ended: 0, read: 0, total: null, seenAt: null, error },
    }),
    anAppState({ connection: null }),
  ])
  expect(all.join('\n')).not.toMatch(/northwind|ada|redacted/i)
  expect(all).toContain('refreshFailed code=invalid status=422')
  expect(all).toContain('salvaged websites=2 edits=1 backup=false')
  expect(all).toContain('problem code=invalid')
})
