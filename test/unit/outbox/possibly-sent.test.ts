import { describe, expect, test } from 'vitest'
import type { WebsiteChanges } from '../../../src/shared/website.ts'
import { MINUTE, settled } from './clock.ts'
import { codeOf, draft, must } from './rig.ts'
import { app, clock, record, service, start, existingKey, useApp } from './rig-app.ts'
import { setAndSetBack } from './rig-late-write.ts'

/** Tests a change that the service has applied but no read shows yet (docs/sync.md#values-that-may-have-been-sent). */

useApp(() => service.add('there.example', { exclude_ips: ['10.0.0.1'] }), { onDisk: true })

/** For `ms` milliseconds, reads show the state that the service has now. */
function readsAreStale(ms: number): void {
  const records = [...service.records.values()].map((one) => ({ ...one }))
  const until = clock.monotonic() + ms
  const { get, list } = service
  service.get = async (id) => {
    const answer = await get(id)
    const before = records.find((one) => one.id === id)
    const isStale = answer.outcome === 'applied' && before !== undefined && clock.monotonic() < until
    return isStale ? { ...answer, value: { ...before } } : answer
  }
  service.list = async (query) => {
    const answer = await list(query)
    const isStale = answer.outcome === 'applied' && clock.monotonic() < until
    return isStale ? { ...answer, value: { websites: records, next: null } } : answer
  }
}

/** The service applies a change, but its answer is lost, and a read two seconds later shows the old values. */
async function applyUnseen(changes: WebsiteChanges): Promise<void> {
  readsAreStale(3_000)
  service.fail('update', { lost: 'answer' })
  must(await app.outbox.update(existingKey(), changes))
  await clock.advance(2_000)
  expect(record()).toMatchObject(changes)
  expect(app.edits()).toMatchObject([{ state: 'held', reason: 'backoff', settings: changes }])
}

/** A change is lost on the way, and a read two seconds later shows that it was not applied. */
async function loseRequest(changes: WebsiteChanges): Promise<void> {
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(existingKey(), changes))
  await clock.advance(2_000)
  expect(app.edits()).toMatchObject([{ state: 'held', reason: 'backoff', settings: changes }])
}

const editId = () => app.edits()[0]?.id ?? expect.fail('there is no edit')

/** The two ways to take back a change that is waiting to be sent again. */
const ways: [string, (before: WebsiteChanges) => Promise<void>][] = [
  ['an undo', () => Promise.resolve(void must(app.outbox.undo(editId())))],
  ['a second edit', async (before) => void must(await app.outbox.update(existingKey(), before))],
]

/** A change for each kind of field, and the values before it. */
const fields: [string, WebsiteChanges, WebsiteChanges][] = [
  ['a switch', { email: true }, { email: false }],
  ['the privacy', { privacy: 0 }, { privacy: 1 }],
]

describe.each(ways)(
  'a change that was applied, but that a stale read doesn’t show, taken back by %s',
  (_way, takeBack) => {
    test.each(fields)(
      'sends the old value, although reads still show the old value: %s',
      async (_field, changes, before) => {
        await applyUnseen(changes)
        await takeBack(before)
        await clock.advance(MINUTE)
        expect(service.updates()).toEqual([changes, before])
        expect(record()).toMatchObject(before)
        expect(app.edits()).toEqual([])
      },
    )

    test('removes the line that the change added, and keeps the line of another client', async () => {
      await applyUnseen({ exclude_ips: ['10.0.0.1', '10.0.0.2'] })
      await app.offline()
      await takeBack({ exclude_ips: ['10.0.0.1'] })
      expect(app.edits()).toMatchObject([{ settings: { exclude_ips: ['10.0.0.1'] } }])
      service.touch(record(), { exclude_ips: ['10.0.0.1', '10.0.0.2', '10.0.0.9'] })
      await clock.advance(2 * MINUTE)
      await app.online(MINUTE)
      expect(record()).toMatchObject({ exclude_ips: ['10.0.0.1', '10.0.0.9'] })
      expect(app.edits()).toEqual([])
    })

    test('sends the old value even within the two seconds in which reads may be stale', async () => {
      readsAreStale(1_000)
      service.fail('update', { lost: 'answer' })
      must(await app.outbox.update(existingKey(), { email: true }))
      await settled()
      expect(app.edits()).toMatchObject([{ state: 'inDoubt' }])
      await takeBack({ email: false })
      await clock.advance(MINUTE)
      expect(service.updates()).toEqual([{ email: true }, { email: false }])
      expect(record()).toMatchObject({ email: false })
      expect(app.edits()).toEqual([])
    })
  },
)

test('a read that is sent within two seconds after a lost answer can prove that the update was applied, but not that it was lost', async () => {
  readsAreStale(1_000)
  service.fail('update', { lost: 'answer' })
  must(await app.outbox.update(existingKey(), { email: true }))
  await clock.advance(1_900)
  expect(app.edits()).toMatchObject([{ state: 'inDoubt' }])
  await clock.advance(MINUTE)
  expect(service.updates()).toEqual([{ email: true }])
  expect(app.edits()).toEqual([])
})

test('a read in the first ten seconds after an empty answer leads to no report of a mismatch, even after a restart', async () => {
  readsAreStale(9_000)
  service.fail('update', { empty: true })
  service.hold('get')
  must(await app.outbox.update(existingKey(), { email: true }))
  await settled()
  // The power is cut before the app has read the website.
  void app.outbox.stop()
  app.store.close()
  service.before = () => {}
  start()
  await clock.advance(MINUTE)
  expect(service.updates()).toEqual([{ email: true }])
  expect(app.history()).toMatchObject([{ became: 'sent', settings: { email: true } }])
  expect(app.history()[0]?.ignored).toEqual({})
})

describe('a conflict about a change that was applied although a stale read hid it', () => {
  /** Creates a conflict: the service has applied two fields, and then another client has given the privacy a third value. */
  async function meetConflict(): Promise<void> {
    service.touch(record(), { privacy: 2, password: true })
    must(await app.refresh.run())
    await applyUnseen({ email: true, privacy: 0 })
    await app.offline()
    service.touch(record(), { privacy: 1, password: false })
    await clock.advance(2 * MINUTE)
    await app.online(MINUTE)
    expect(app.edits()).toMatchObject([
      { state: 'parked', reason: 'conflict', conflict: { units: [{ unit: 'privacy' }] } },
    ])
    expect(app.edits()[0]).toMatchObject({ possiblySent: true })
  }

  test.each([
    ['sets the other field back when the edit is discarded', () => app.outbox.discard(editId()), { email: false }],
    [
      'sends the other field again when the other client’s value is chosen',
      () => app.outbox.resolve(editId(), { way: 'units', units: { privacy: 'theirs' } }),
      { email: true },
    ],
  ])('%s, and keeps the value of the other client', async (_what, answer, other) => {
    await meetConflict()
    must<unknown>(await answer())
    await clock.advance(MINUTE)
    expect(service.updates().at(-1)).toEqual({ ...other, privacy: 1 })
    expect(record()).toMatchObject({ ...other, privacy: 1 })
    expect(app.edits()).toEqual([])
  })
})

describe('a create in doubt whose website the user has deleted', () => {
  /** Loses a create, and deletes its website before the app looks the website up. One second is left to undo the delete. */
  async function deleteDoubted(lost: 'answer' | 'request'): Promise<void> {
    readsAreStale(3_000)
    service.fail('create', { lost })
    const key = must(await app.outbox.create(draft('new.example')))
    await clock.advance(2_000)
    expect(app.edits()).toMatchObject([{ kind: 'create', state: 'held', reason: 'backoff' }])
    must(await app.outbox.delete(key))
    const looks = () => service.operations().filter((operation) => operation === 'list').length
    const before = looks()
    await clock.advance(9_000)
    expect(app.edits()).toMatchObject([{ kind: 'create' }, { kind: 'delete', can: { undo: true } }])
    expect(looks()).toBe(before)
  }

  test('is looked up, and the website is then deleted on the service', async () => {
    await deleteDoubted('answer')
    await clock.advance(MINUTE)
    expect(service.writes()).toEqual(['create', 'delete'])
    expect(service.domains()).toEqual(['there.example'])
    expect(app.edits()).toEqual([])
    expect(app.list('new')).toEqual([])
  })

  test('is removed without another write if a look-up doesn’t find the website', async () => {
    await deleteDoubted('request')
    await clock.advance(MINUTE)
    expect(service.writes()).toEqual(['create'])
    expect(app.edits()).toEqual([])
    expect(app.list('new')).toEqual([])
    expect(app.history()).toMatchObject([{ kind: 'create', became: 'undone' }])
  })

  test('is sent again if the delete is undone within its ten seconds', async () => {
    await deleteDoubted('request')
    must(app.outbox.undo(app.edits()[1]?.id ?? ''))
    await clock.advance(MINUTE)
    expect(service.writes()).toEqual(['create', 'create'])
    expect(service.domains()).toEqual(['there.example', 'new.example'])
  })
})

describe('once a request in doubt has been acknowledged,', () => {
  test('no edit is left if the user changes a field of that request and sets it back', async () => {
    await applyUnseen({ email: true })
    await clock.advance(MINUTE)
    expect(service.updates()).toEqual([{ email: true }, { email: true }])
    await app.offline()
    must(await app.outbox.update(existingKey(), { email: false }))
    must(await app.outbox.update(existingKey(), { email: true }))
    expect(app.edits()).toEqual([])
  })

  test('no edit is left if the user sets a field back that the service has ignored', async () => {
    service.ignores.add('exclude_bots')
    await loseRequest({ email: true, exclude_bots: false })
    service.after = (operation) => {
      if (operation === 'update') service.unreachable = true
    }
    await clock.advance(MINUTE)
    expect(app.edits()).toMatchObject([{ settings: { exclude_bots: false }, fields: ['exclude_bots'] }])
    must(await app.outbox.update(existingKey(), { exclude_bots: true }))
    expect(app.edits()).toEqual([])
  })
})

test('the outbox counts as unconfirmed after a lost request until the look for late writes ten minutes later', async () => {
  expect(app.outbox.isUnconfirmed()).toBe(false)
  await setAndSetBack()
  expect(app.outbox.isUnconfirmed()).toBe(true)
  await clock.advance(7 * MINUTE)
  expect(app.outbox.isUnconfirmed()).toBe(true)
  await clock.advance(3 * MINUTE)
  expect(app.outbox.isUnconfirmed()).toBe(false)
})

test('offers no undo of an edit that already takes a change back', async () => {
  await applyUnseen({ email: true })
  await app.offline()
  expect(app.edits()).toMatchObject([{ can: { undo: true } }])
  must(app.outbox.undo(editId()))
  expect(app.edits()).toMatchObject([{ settings: { email: false }, can: { undo: false } }])
  expect(codeOf(app.outbox.undo(editId()))).toBe('edit-gone')
  await app.online(MINUTE)
  expect(record()).toMatchObject({ email: false })
})

test('takes back a change that was applied, but that a stale read doesn’t show, if all of its saves are undone at once', async () => {
  await applyUnseen({ email: true })
  await app.offline()
  must(await app.outbox.update(existingKey(), { privacy: 0 }))
  must(app.outbox.undo(editId(), false, true))
  expect(app.edits()).toMatchObject([{ settings: { email: false }, isUndo: true, can: { undo: false } }])
  await app.online(MINUTE)
  expect(record()).toMatchObject({ email: false, privacy: 1 })
})

test('asks no question if the user discards a password that may have been sent, and then enters another one', async () => {
  service.fail('update', { lost: 'answer' })
  service.fail('update', { refuse: 'forbidden' })
  must(await app.outbox.update(existingKey(), { privacy: 2, password: 'first' }))
  // The read shows that the website has a password, but not which one. Therefore the password is sent again.
  await clock.advance(MINUTE)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'refused', possiblySent: true }])
  await app.offline()
  must(app.outbox.discard(editId()))
  expect(app.edits()).toMatchObject([{ settings: { privacy: 1 } }])
  must(await app.outbox.update(existingKey(), { privacy: 2, password: 'second' }))
  await app.online(MINUTE)
  expect(app.edits()).toEqual([])
  expect(service.updates().at(-1)).toEqual({ privacy: 2, password: 'second' })
})

test('keeps the line that another client has added since if the user discards a list that may have been sent', async () => {
  await loseRequest({ exclude_ips: ['10.0.0.1', '10.0.0.2'] })
  await app.offline()
  service.touch(record(), { exclude_ips: ['10.0.0.1', '10.0.0.9'] })
  await clock.advance(MINUTE)
  service.fail('update', { refuse: 'forbidden' })
  await app.online(MINUTE)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'refused', possiblySent: true }])
  must(app.outbox.discard(editId()))
  await clock.advance(MINUTE)
  expect(record()).toMatchObject({ exclude_ips: ['10.0.0.1', '10.0.0.9'] })
  expect(app.edits()).toEqual([])
})

test('asks about the value of another client if the user discards a change that they had chosen over that value', async () => {
  await loseRequest({ privacy: 0 })
  await app.offline()
  service.touch(record(), { privacy: 2, password: true })
  await clock.advance(MINUTE)
  await app.online(MINUTE)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'conflict' }])
  service.fail('update', { refuse: 'forbidden' })
  must<unknown>(await app.outbox.resolve(editId(), { way: 'units', units: { privacy: 'mine' } }))
  await clock.advance(MINUTE)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'refused', possiblySent: true }])
  must(app.outbox.discard(editId()))
  await clock.advance(MINUTE)
  expect(record()).toMatchObject({ privacy: 2 })
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'conflict' }])
})
