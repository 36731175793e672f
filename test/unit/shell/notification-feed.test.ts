import { expect, test } from 'vitest'
import {
  createNotificationFeed,
  type NotificationEvent,
  type NotifiedAccount,
} from '../../../src/main/shell/notification-feed.ts'
import type { RemoteSummary } from '../../../src/shared/activity.ts'
import { defaultSettings, type AppState } from '../../../src/shared/state.ts'
import { aConnection, aHistoryEntry, anAppState } from '../../component/support/fixtures.ts'
import { fakeClock } from '../outbox/clock.ts'

const allOn = { ...defaultSettings, notifySent: true }

/** Starts the feed with one account and no pending edits. `stored` keeps the accounts with a rejected key between starts. */
function start(stored: { rejected: unknown } = { rejected: undefined }) {
  const notified: NotificationEvent[] = []
  const about: NotifiedAccount[] = []
  const clock = fakeClock()
  const conditions = { focused: false, settings: allOn }
  const feed = createNotificationFeed({
    clock,
    isFocused: () => conditions.focused,
    settings: () => conditions.settings,
    notify: (one, account) => (notified.push(one), about.push(account)),
    rejectedKeys: { read: () => stored.rejected, write: (ids) => (stored.rejected = ids) },
  })
  /** Reports the number of edits that were sent so far, and the number of pending ones. */
  const waits = (sent: number, waiting: number, change: Partial<AppState> = {}) =>
    update({ waiting, delivery: waiting === 0 ? null : { done: 0, total: waiting, seconds: null }, ...change }, sent)
  const update = (
    change: Parameters<typeof anAppState>[0],
    sent = 0,
    became: 'sent' | 'undone' = 'sent',
    keyAccepted = false,
  ) => feed.update(anAppState(change), new Map([['northwind', { last: aHistoryEntry({ became }), sent, keyAccepted }]]))
  update({})
  return { clock, conditions, feed, notified, about, update, waits }
}

test('notifies once when all changes are sent', async () => {
  const { clock, notified, waits } = start()
  waits(0, 3)
  waits(1, 2)
  waits(2, 1)
  waits(3, 0)
  await clock.advance(2_000)
  waits(3, 1)
  waits(4, 0)
  await clock.advance(10 * 60_000)
  expect(notified).toMatchObject([
    { kind: 'sent', count: 3, waiting: 0 },
    { kind: 'sent', count: 1, waiting: 0 },
  ])
})

test('notifies of a mismatch instead of sent changes', async () => {
  const { clock, notified, waits } = start()
  waits(0, 2)
  waits(1, 1, { mismatches: 1 })
  waits(2, 0, { mismatches: 1 })
  await clock.advance(2_000)
  waits(2, 0, { mismatches: 1 })
  await clock.advance(10 * 60_000)
  expect(notified).toMatchObject([{ kind: 'mismatch', count: 1 }])
})

test('notifies of sent changes when the only pending changes left are those over the plan’s limit', async () => {
  const { clock, notified, update } = start()
  const held = (sent: number, going: number, held = 5) =>
    update(
      { waiting: held + going, parked: 1, delivery: going === 0 ? null : { done: 0, total: going, seconds: null } },
      sent,
    )
  held(0, 0)
  await clock.advance(10 * 60_000)
  notified.length = 0

  held(0, 2)
  held(1, 1)
  await clock.advance(2_000)
  expect(notified).toEqual([])
  // One pending change was discarded, not sent.
  held(2, 0, 4)
  await clock.advance(2_000)
  expect(notified).toMatchObject([{ kind: 'sent', count: 2, waiting: 4 }])
  await clock.advance(10 * 60_000)
  expect(notified).toHaveLength(1)
})

test('does not count changes over the plan’s limit as sent', async () => {
  const { clock, conditions, notified, waits, update } = start()
  conditions.settings = { ...allOn, notifyParked: false }
  waits(0, 10)
  waits(3, 7)
  update({ waiting: 6, parked: 1, delivery: null }, 3)
  await clock.advance(2_000)
  expect(notified).toMatchObject([{ kind: 'sent', count: 3, waiting: 6, parked: 1 }])
})

test('notifies once of many parked changes, when sending ends or after a minute', async () => {
  const { clock, notified, waits } = start()
  waits(0, 50)
  for (let at = 1; at < 30; at += 1) {
    waits(0, 50 - at, { parked: at })
    await clock.advance(1_000)
  }
  waits(0, 0, { parked: 30 })
  await clock.advance(2_000)
  expect(notified).toEqual([{ kind: 'parked', count: 30 }])

  waits(0, 50, { parked: 30 })
  waits(0, 49, { parked: 31 })
  await clock.advance(59_000)
  expect(notified).toHaveLength(1)
  await clock.advance(1_000)
  expect(notified.at(-1)).toEqual({ kind: 'parked', count: 31 })
})

test('shows no notification of what happens while the window has the focus, not even later', async () => {
  const { clock, conditions, notified, update } = start()
  conditions.focused = true
  update({ parked: 1 })
  update({ parked: 1, connection: aConnection({ key: 'refused' }) })
  await clock.advance(2_000)
  conditions.focused = false
  await clock.advance(10 * 60_000)
  expect(notified).toEqual([])
})

test.each([
  ['notifySent', ['key', 'parked']],
  ['notifyParked', ['key', 'sent']],
  ['notifyKey', ['parked']],
] as const)(
  'if %s is off, shows the other notifications, including one that the switched-off notification would have replaced',
  async (off, expected) => {
    const { clock, conditions, notified, waits } = start()
    conditions.settings = { ...allOn, [off]: false }
    waits(0, 10)
    waits(8, 1, { parked: 1 })
    waits(9, 0, { parked: 1, connection: aConnection({ key: 'refused' }) })
    await clock.advance(2_000)
    expect(notified.map(({ kind }) => kind)).toEqual(expected)
  },
)

test('notifies of sent changes if notifications of mismatches are off', async () => {
  const { clock, conditions, notified, waits } = start()
  conditions.settings = { ...allOn, notifyParked: false }
  waits(0, 2)
  waits(2, 0, { mismatches: 1 })
  await clock.advance(2_000)
  expect(notified).toMatchObject([{ kind: 'sent', count: 2, waiting: 0 }])
})

test('notifies once of a rejected key, and once more if it is rejected again later', async () => {
  const { clock, notified, update } = start()
  const refused = { connection: aConnection({ key: 'refused' }) }
  for (const state of [refused, refused, {}, refused]) {
    update(state)
    await clock.advance(5_000)
  }
  expect(notified).toEqual([{ kind: 'key' }, { kind: 'key' }])
})

test('notifies of a rejected key once, also over restarts, and again only after the service has accepted the key', async () => {
  const stored = { rejected: undefined }
  const refused = { connection: aConnection({ key: 'refused' }) }
  const run = async (isRejected: boolean) => {
    const { clock, notified, feed, update } = start(stored)
    if (isRejected) update(refused)
    else update({}, 0, 'sent', true)
    await clock.advance(5_000)
    // When the app quits, accounts are closed first.
    update({ connection: aConnection({ key: 'loading' }) })
    feed.stop()
    return notified.map(({ kind }) => kind)
  }
  expect(await run(true)).toEqual(['key'])
  expect(await run(true)).toEqual([])
  expect(await run(false)).toEqual([])
  expect(await run(true)).toEqual(['key'])
})

test.each<[string, (at: ReturnType<typeof start>) => void]>([
  [
    'sending is paused or the service can’t be reached before all changes are sent',
    ({ waits }) => {
      waits(0, 2)
      waits(1, 1)
      waits(1, 1, { paused: true })
      waits(1, 1, { reach: { state: 'offline', since: 0, error: { code: 'unreachable', message: '' } } })
    },
  ],
  [
    'the user takes the change back',
    ({ waits, update }) => {
      waits(0, 1)
      update({ waiting: 0 }, 0, 'undone')
    },
  ],
  [
    'the user has decided in the meantime',
    ({ update }) => [{ parked: 1 }, { parked: 0 }].forEach((one) => update(one)),
  ],
  [
    'the account is removed before the notification is shown',
    ({ update }) => [{ parked: 1 }, { connection: aConnection({ id: 'other' }) }].forEach((one) => update(one)),
  ],
  [
    'an account that is added already has parked changes',
    ({ update }) => update({ others: [{ parked: 4, key: 'refused' }] }),
  ],
])('shows no notification when %s', async (_when, happens) => {
  const at = start()
  happens(at)
  await at.clock.advance(10 * 60_000)
  expect(at.notified).toEqual([])
})

test('names the account if there are several, and notifies of an account that the focused window doesn’t show', async () => {
  const { clock, conditions, notified, about, update } = start()
  const others = [{ name: 'Garden' }]
  update({ others })
  conditions.focused = true
  update({ parked: 1, others: [{ name: 'Garden', parked: 2 }] })
  await clock.advance(10 * 60_000)
  expect(notified).toEqual([{ kind: 'parked', count: 2 }])
  expect(about).toEqual([{ id: 'other-0', name: 'Garden', isOnly: false }])
})

test('notifies once per refresh of remote changes, of the kinds that the user has chosen', () => {
  const { conditions, feed, notified } = start()
  const entries = { since: 7, after: 11, until: 22 }
  const found = (summary: RemoteSummary) => feed.remoteChanges('northwind', { summary, ...entries }, [])
  found({ added: 3, changed: 4, published: 1, deleted: 2 })
  const changes = { added: 0, changed: 0, published: 1, deleted: 2 }
  expect(notified).toEqual([{ kind: 'remote', changes, drifts: [], ...entries }])
  found({ added: 3, changed: 4, published: 0, deleted: 0 })
  conditions.settings = { ...defaultSettings, notifyChanged: true, notifyDeleted: false }
  found({ added: 0, changed: 0, published: 0, deleted: 2 })
  expect(notified).toHaveLength(1)
  found({ added: 1, changed: 0, published: 0, deleted: 2 })
  expect(notified[1]).toMatchObject({ changes: { added: 1, deleted: 0 } })
  // The focused window already shows the change, so there is no notification.
  conditions.focused = true
  found({ added: 1, changed: 0, published: 0, deleted: 0 })
  expect(notified).toHaveLength(2)
})

test('the notification of a refresh names presets from which more websites differ, even if it is only about them', () => {
  const { conditions, feed, notified, about } = start()
  const drifts = [{ name: 'Client default', count: 3 }]
  const found = (account: string, deleted: number) =>
    feed.remoteChanges(
      account,
      { summary: { added: 0, changed: 3, published: 0, deleted }, since: 7, after: 0, until: 4 },
      drifts,
    )
  found('northwind', 1)
  found('northwind', 0)
  expect(notified).toMatchObject([
    { kind: 'remote', changes: { changed: 0, deleted: 1 }, drifts },
    { kind: 'remote', changes: { changed: 0, deleted: 0 }, drifts },
  ])
  expect(about).toMatchObject([{ id: 'northwind', isOnly: true }, {}])
  found('gone', 1)
  conditions.focused = true
  found('northwind', 1)
  expect(notified).toHaveLength(2)
})

test('a notification of sent changes or of a mismatch contains a time from before its activity entries', async () => {
  const { clock, notified, update, waits } = start()
  const times: number[] = []
  for (const happens of [() => waits(1, 0), () => waits(3, 0, { mismatches: 1 })]) {
    await clock.advance(60_000)
    update({ mismatches: 0 }, times.length)
    times.push(clock.wall())
    await clock.advance(1_000)
    waits(times.length - 1, 2)
    await clock.advance(1_000)
    happens()
    await clock.advance(2_000)
  }
  expect(notified).toMatchObject([
    { kind: 'sent', since: times[0] },
    { kind: 'mismatch', since: times[1] },
  ])
})

test('notifies of sent changes only if the user has switched that on', async () => {
  const { clock, conditions, notified, waits } = start()
  conditions.settings = defaultSettings
  waits(0, 1)
  waits(1, 0)
  await clock.advance(10 * 60_000)
  expect(notified).toEqual([])
})
