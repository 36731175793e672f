import { describe, expect, test } from 'vitest'
import { trayView } from '../../../src/main/shell/tray-view.ts'
import { setFormatLocale } from '../../../src/shared/display/format.ts'
import type { HistoryEntry } from '../../../src/shared/edit.ts'
import type { AccountState } from '../../../src/shared/account-state.ts'
import type { AppState } from '../../../src/shared/state.ts'
import { aConnection, anAppState, aHistoryEntry } from '../../component/support/fixtures.ts'

const seen = (change: Partial<AppState>, isOpen = false) => trayView(anAppState(change), new Map(), isOpen)
/** Returns the last finished change by account. Here, it belongs to the active account. */
const lastOf = (change: Partial<HistoryEntry>) => new Map([['northwind', aHistoryEntry(change)]])
const offline = { state: 'offline', since: 0, error: { code: 'unreachable', message: '' } } as const

const loading = aConnection({ key: 'loading' })

test('the icon and its tooltip show the most urgent state', () => {
  const cases: [Partial<AppState>, string, string][] = [
    [{}, 'idle', 'Siteward'],
    [{ waiting: 2 }, 'pending', 'Siteward: 2 changes pending'],
    [{ waiting: 2, reach: offline }, 'offline', 'Siteward: Offline, 2 changes pending'],
    [{ waiting: 1, reach: offline, paused: true }, 'paused', 'Siteward: Sending is paused, 1 change pending'],
    [{ waiting: 1, parked: 2, paused: true }, 'attention', 'Siteward: 2 changes need attention'],
    [{ connection: loading, waiting: 1, paused: true }, 'paused', 'Siteward: Sending is paused, 1 change pending'],
    [{ connection: loading, waiting: 1, reach: offline }, 'offline', 'Siteward: Offline, 1 change pending'],
    [{ parked: 1, connection: aConnection({ key: 'refused' }) }, 'attention', 'Siteward: The API key was rejected'],
    [{ connection: null }, 'idle', 'Siteward: Not connected'],
  ]
  for (const [change, kind, toolTip] of cases) expect(seen(change)).toMatchObject({ kind, toolTip })
})

test('shows “needs attention” for unusable, damaged or unsendable data, never “all sent”', () => {
  const salvaged = {
    of: 'connection' as const,
    why: 'damaged' as const,
    at: 0,
    quarantined: '',
    backupAt: null,
    websites: 2,
    edits: 1,
  }
  const locked = aConnection({ key: 'locked' })
  const cases: [Partial<AppState>, string][] = [
    [{ problem: { code: 'disk-full', message: '' } }, 'The disk is full, so nothing was saved.'],
    [
      { connection: null, problem: { code: 'storage', message: '' }, parked: 1 },
      'Couldn’t read or write Siteward’s data on this computer.',
    ],
    [{ readOnly: true }, 'This data was written by a newer version of Siteward'],
    [{ readOnly: true, waiting: 3 }, '3 changes pending until you install the newer version'],
    [
      { readOnly: true, problem: { code: 'newer-version', message: '' } },
      'This data was written by a newer version of Siteward',
    ],
    [{ salvaged }, 'This account’s data was damaged'],
    [{ salvaged: { ...salvaged, of: 'app' }, connection: null }, 'Siteward’s settings were damaged'],
    [{ connection: locked, keychain: 'locked' }, 'The keychain is locked'],
    [
      { connection: locked, keychain: 'locked', waiting: 2, reach: offline },
      'The keychain is locked, 2 changes pending',
    ],
    [{ connection: locked, keychain: 'missing', waiting: 1 }, 'Couldn’t access the keychain, 1 change pending'],
  ]
  for (const [change, text] of cases) {
    expect(seen(change)).toMatchObject({ kind: 'attention', toolTip: `Siteward: ${text}` })
    expect(seen(change).items.map((item) => item?.label)).toContain(text)
  }
})

test('the menu mentions a request that may still take effect', () => {
  const text = 'All changes sent, not all confirmed'
  expect(seen({ unconfirmed: true }).items.map((item) => item?.label)).toContain(text)
  expect(seen({}).items.map((item) => item?.label)).toContain('All changes sent')
  expect(seen({ unconfirmed: true, waiting: 1 }).items.map((item) => item?.label)).toContain('1 change pending')
})

test('shows “offline” only while changes are pending or the window is open', () => {
  expect(seen({ reach: offline }, true)).toMatchObject({ kind: 'offline', toolTip: 'Siteward: Offline' })
  expect(seen({ reach: offline })).toMatchObject({ kind: 'idle', toolTip: 'Siteward' })
  expect(seen({ reach: offline, waiting: 1 })).toMatchObject({ kind: 'offline' })
})

test('disables “Send now” and “Add website” in read-only mode and without an account', () => {
  for (const change of [{ readOnly: true }, { connection: null }]) {
    const enabled = seen({ ...change, waiting: 3 }).items.flatMap((item) => (item?.enabled ? [item.does] : []))
    expect(enabled).not.toContain('sendNow')
    expect(enabled).not.toContain('add')
  }
})

test('shows the date of the last change in the region’s format', () => {
  const at = new Date()
  const styles = { dateStyle: 'medium', timeStyle: 'short' } as const
  for (const locale of ['en-GB', 'en']) {
    setFormatLocale(() => locale)
    const { items } = trayView(anAppState(), lastOf({ domain: 'a.example', at: at.getTime() }), false)
    expect(items[3]?.label).toBe(`Sent: a.example, ${at.toLocaleString(locale, styles)}`)
  }
})

test('leaves an unusual domain out of the menu, which then shows only the time of the last change', () => {
  for (const domain of ['a&b.example', '\u202egro.elpmaxe', `${'a'.repeat(80)}.example`]) {
    const labels = trayView(anAppState(), lastOf({ domain }), false).items.map((item) => item?.label)
    expect(labels).toContainEqual(expect.stringMatching(/^Sent: [^,]*\d/))
  }
})

describe('with several accounts', () => {
  const others = [
    { name: 'Smith & Sons', parked: 2 },
    { name: 'Garden', running: false, key: 'missing' as const },
  ]
  const seenOf = (change: Parameters<typeof anAppState>[0] = {}) =>
    trayView(anAppState({ others, ...change }), lastOf({ domain: 'a.example' }), false)

  test('shows the most urgent status of all', () => {
    expect(seenOf()).toMatchObject({ kind: 'attention', toolTip: 'Siteward: 2 changes need attention' })
    expect(seenOf({ others: [{ waiting: 1 }] })).toMatchObject({ kind: 'pending' })
    expect(seenOf({ connection: null })).toMatchObject({ kind: 'attention' })
  })

  test('has a sub-menu for each account, which opens it and sends its changes', () => {
    const [northwind, smith, garden] = seenOf({ waiting: 3 }).items.slice(2)
    expect(northwind?.label).toBe('Northwind Agency: 3 changes pending')
    expect(northwind?.items).toMatchObject([
      { label: 'Open', does: 'open', account: 'northwind' },
      null,
      { label: '3 changes pending', enabled: false },
      { label: expect.stringMatching(/^Sent: a\.example, /), enabled: false },
      { label: 'Send now', does: 'sendNow', account: 'northwind', enabled: true },
    ])
    expect(smith?.label).toBe('Smith && Sons: 2 changes need attention')
    expect(garden?.label).toBe('Garden: Not connected')
    expect(garden?.items?.at(-1)).toMatchObject({ label: 'Send now', enabled: false })
  })

  test('disables “Send now” of each account while sending is paused', () => {
    const [northwind] = seenOf({ waiting: 3, paused: true }).items.slice(2)
    expect(northwind?.items?.at(-1)).toMatchObject({ label: 'Send now', enabled: false })
  })

  test('the sub-menu shows the pending changes of its account, even if the status of the account leaves them out', () => {
    const cases: [Partial<AccountState>, string[]][] = [
      [{ parked: 2, waiting: 5 }, ['2 changes need attention', '5 changes pending']],
      [{ key: 'refused', waiting: 1 }, ['The API key was rejected', '1 change pending']],
      [{ key: 'refused' }, ['The API key was rejected']],
      [{ key: 'locked', waiting: 5 }, ['Couldn’t access the keychain, 5 changes pending']],
      [{ readOnly: true, waiting: 5 }, ['5 changes pending until you install the newer version']],
      [{ offline: true, waiting: 5 }, ['Offline, 5 changes pending']],
      [{ waiting: 5 }, ['5 changes pending']],
      [{ running: false, key: 'loading' }, ['Opening…']],
      [{ key: 'loading' }, ['Waiting for the keychain']],
      [{ key: 'loading', waiting: 5 }, ['Waiting for the keychain, 5 changes pending']],
    ]
    for (const [other, labels] of cases) {
      const item = seenOf({ keychain: 'missing', others: [{ name: 'Acme', ...other }] }).items[3]
      expect(item?.label).toBe(`Acme: ${String(labels[0])}`)
      expect(item?.items?.slice(2, -1).map((each) => each?.label)).toEqual(labels)
    }
  })
})
