import { describe, expect, test } from 'vitest'
import { settled, MINUTE } from './clock.ts'
import { must } from './rig.ts'
import { answerUpdateWithNothing, app, clock, record, service, existingKey, useApp } from './rig-app.ts'
import { setAndSetBack } from './rig-late-write.ts'

useApp(() => service.add('there.example', { email: false, privacy: 1, updated_at: '2026-01-01T00:00:00Z' }), {
  onDisk: true,
})

test('does not repair a field that is known to be applied, although the rest of its change was sent again', async () => {
  // Of the two fields, the service shows only `email`, so only that one is known to be applied.
  service.fail('update', { lost: 'answer' })
  let answer = () => {}
  service.after = (operation) => {
    const settles = operation === 'get' && service.writes().length > 0
    return settles ? new Promise<void>((resolve) => (answer = resolve)) : undefined
  }
  must(await app.outbox.update(existingKey(), { email: true, exclude_params: ['a'] }))
  await settled()
  must(await app.outbox.update(existingKey(), { privacy: 0 }))
  service.after = () => {}
  answer()
  await clock.advance(30 * MINUTE)
  expect(record()).toMatchObject({ email: true, privacy: 0 })
  expect(app.edits()).toEqual([])
  expect(app.history().map(({ became }) => became)).not.toContain('repaired')
})

test('does not take a stale list after our acknowledgment for a remote change, so no repair sets the old value', async () => {
  Object.assign(record(), { updated_at: '2026-01-01T00:00:00Z' })
  service.touch = (of) => void (of.updated_at = new Date(service.now()).toISOString())
  service.fail('update', { lost: 'request' })
  const before = { ...record() }
  must(await app.outbox.update(existingKey(), { email: true }))
  await clock.advance(MINUTE)
  expect(record()).toMatchObject({ email: true })
  // A part of the service still has the old record, which one refresh reads.
  const now = { ...record() }
  service.records.set('1', before)
  must(await app.refresh.run())
  service.records.set('1', now)
  await clock.advance(30 * MINUTE)
  expect(record()).toMatchObject({ email: true })
})

test('an acknowledged value stays after a stale list has shown the old one, on a host without times', async () => {
  const timeless = service.add('timeless.example', { email: false })
  must(await app.refresh.run())
  service.fail('update', { lost: 'request' })
  const before = { ...timeless }
  must(await app.outbox.update(app.keyOf('timeless.example'), { email: true }))
  await clock.advance(MINUTE)
  service.records.set(timeless.id, before)
  must(await app.refresh.run())
  service.records.set(timeless.id, { ...before, email: true })
  await clock.advance(30 * MINUTE)
  expect(service.records.get(timeless.id)).toMatchObject({ email: true })
})

test('a repair restores the remote value that the answer to a later write has shown', async () => {
  const timeless = service.add('timeless.example', { email: false })
  must(await app.refresh.run())
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(app.keyOf('timeless.example'), { email: true }))
  await clock.advance(MINUTE)
  Object.assign(timeless, { email: false })
  must(await app.outbox.update(app.keyOf('timeless.example'), { exclude_bots: false }))
  await clock.advance(MINUTE)
  Object.assign(timeless, { email: true })
  await clock.advance(30 * MINUTE)
  expect(service.records.get(timeless.id)).toMatchObject({ email: false, exclude_bots: false })
})

test('a repair does not remove a value that the user has undone and then set again', async () => {
  service.fail('update', { lost: 'request' })
  // Another client sets one field to the same value. The user undoes the change during the read, and sets the field again.
  service.before = (operation) => {
    if (operation === 'get' && service.writes().length > 0) service.touch(record(), { exclude_bots: false })
  }
  let answer = () => {}
  service.after = (operation) =>
    operation === 'get' && service.writes().length > 0 ? new Promise<void>((resolve) => (answer = resolve)) : undefined
  must(await app.outbox.update(existingKey(), { email: true, exclude_bots: false }))
  await settled()
  must(app.outbox.undo(app.edits()[0]?.id ?? ''))
  service.after = service.before = () => {}
  answer()
  await settled()
  must(await app.outbox.update(existingKey(), { exclude_bots: false, privacy: 0 }))
  await clock.advance(30 * MINUTE)
  expect(record()).toMatchObject({ exclude_bots: false, privacy: 0, email: false })
})

test('sends the value that the user chose last although the service shows it, because a late write may still change it', async () => {
  service.fail('update', { lost: 'request' })
  service.after = (operation) => {
    if (operation === 'get' && service.writes().length > 0 && clock.monotonic() > 0) service.unreachable = true
  }
  must(await app.outbox.update(existingKey(), { email: true }))
  await clock.advance(2_000)
  must(app.outbox.undo(app.edits()[0]?.id ?? ''))
  service.after = () => {}
  service.unreachable = false
  // Either the late write takes effect, or another client sets the same value.
  service.touch(record(), { email: true })
  must(await app.refresh.run())
  await app.offline()
  must(await app.outbox.update(existingKey(), { email: false }))
  must(await app.outbox.update(existingKey(), { email: true }))
  expect(app.edits()).toMatchObject([{ settings: { email: true } }])
  await app.online(30 * MINUTE)
  expect(record()).toMatchObject({ email: true })
})

test('keeps an edit with the value that the user chose last, although the service shows that value, while a late write may change it', async () => {
  await setAndSetBack()
  // The late write takes effect, and a refresh shows it.
  service.touch(record(), { email: true })
  must(await app.refresh.run())
  let answer = () => {}
  service.fail('update', { lost: 'request' })
  service.after = (operation) =>
    operation === 'get' && service.writes().length === 4
      ? new Promise<void>((resolve) => (answer = resolve))
      : undefined
  must(await app.outbox.update(existingKey(), { email: false }))
  await settled()
  must(await app.outbox.update(existingKey(), { email: true }))
  service.after = () => {}
  answer()
  await clock.advance(2_000)
  // The service shows the wanted value. The edit is still kept, because a late write may change the value.
  expect(app.edits()).toMatchObject([{ settings: { email: true } }])
  await clock.advance(30 * MINUTE)
  expect(app.edits()).toEqual([])
  expect(record()).toMatchObject({ email: true })
})

test('does not take the effect of one late write for a remote change, and repairs what another late write changes', async () => {
  for (const line of ['10.0.0.1', '10.0.0.2']) {
    service.fail('update', { lost: 'request' })
    must(await app.outbox.update(existingKey(), { exclude_ips: [line] }))
    await clock.advance(MINUTE)
  }
  answerUpdateWithNothing(() => queueMicrotask(() => service.touch(record(), { exclude_ips: ['10.0.0.2'] })))
  must(await app.outbox.update(existingKey(), { exclude_ips: ['10.0.0.3'] }))
  await clock.advance(MINUTE)
  expect(app.edits()).toEqual([])
  service.touch(record(), { exclude_ips: ['10.0.0.1'] })
  await clock.advance(30 * MINUTE)
  expect(record()).toMatchObject({ exclude_ips: ['10.0.0.3'] })
})

test('repairs what our late write changes, even if another client had set the same value before', async () => {
  service.fail('update', { lost: 'request' })
  service.before = (operation) => {
    if (operation === 'get' && service.writes().length === 1) service.touch(record(), { email: true })
  }
  must(await app.outbox.update(existingKey(), { email: true }))
  await clock.advance(MINUTE)
  expect(app.edits()).toEqual([])
  expect(service.writes()).toHaveLength(1)
  must(await app.outbox.update(existingKey(), { email: false }))
  await clock.advance(MINUTE)
  service.touch(record(), { email: true })
  await clock.advance(30 * MINUTE)
  expect(record()).toMatchObject({ email: false })
  expect(app.history()[0]).toMatchObject({ became: 'repaired' })
})

test('keeps the value that the user chose last although one late write replaces it and another one brings it back', async () => {
  for (const email of [true, false]) {
    service.fail('update', { lost: 'request' })
    must(await app.outbox.update(existingKey(), { email }))
    await clock.advance(MINUTE)
  }
  must(await app.outbox.update(existingKey(), { email: true }))
  await clock.advance(MINUTE)
  expect(record()).toMatchObject({ email: true })
  // The second request takes effect late, and a refresh shows it. Then the first one does, with the wanted value.
  Object.assign(record(), { email: false, updated_at: '2026-02-01T00:00:00Z' })
  must(await app.refresh.run())
  Object.assign(record(), { email: true, updated_at: '2026-02-01T00:01:00Z' })
  await clock.advance(30 * MINUTE)
  expect(record()).toMatchObject({ email: true })
  expect(app.history().filter(({ became }) => became === 'repaired')).toEqual([])
})

test('keeps the value that the user chose last if a late write had set that value before and the other field of the change is sent again', async () => {
  await setAndSetBack()
  service.touch(record(), { email: true })
  must(await app.refresh.run())
  let answer = () => {}
  service.fail('update', { lost: 'request' })
  // Another client sets `exclude_bots` to the same value.
  service.before = (operation) => {
    if (operation === 'get' && service.writes().length === 4) service.touch(record(), { exclude_bots: false })
  }
  service.after = (operation) =>
    operation === 'get' && service.writes().length === 4
      ? new Promise<void>((resolve) => (answer = resolve))
      : undefined
  must(await app.outbox.update(existingKey(), { email: false, exclude_bots: false }))
  await settled()
  must(await app.outbox.update(existingKey(), { email: true }))
  service.after = () => {}
  answer()
  await clock.advance(30 * MINUTE)
  expect(app.edits()).toEqual([])
  expect(record()).toMatchObject({ email: true, exclude_bots: false })
})

describe('a change of which one field was applied and another needs the user’s answer', () => {
  /** Applies a change without an answer. Another client sets a part of the change back, so the rest is parked. */
  async function arriveInPart(): Promise<void> {
    service.fail('update', { lost: 'answer' })
    const release = service.hold('get')
    await app.outbox.update(existingKey(), { privacy: 0, email: true, exclude_params: ['ref'] })
    await clock.advance(MINUTE)
    Object.assign(record(), { email: false, updated_at: '2026-01-01T00:05:00Z' })
    release()
    await clock.advance(MINUTE)
    expect(app.edits()).toMatchObject([{ reason: 'conflict', conflict: { units: [{ unit: 'exclude_params' }] } }])
    expect(record()).toMatchObject({ privacy: 0, email: false })
  }

  test.each([
    [
      'keeps the applied field when the user chooses the other client’s value for the field in question',
      () => app.outbox.resolve(app.edits()[0]?.id ?? '', { way: 'units', units: { exclude_params: 'theirs' } }),
      { privacy: 0, email: true },
    ],
    [
      'is set back as a whole when the user discards it',
      () => app.outbox.discard(app.edits()[0]?.id ?? ''),
      { privacy: 1, email: false },
    ],
  ])('%s', async (_what, answer, expected) => {
    await arriveInPart()
    must<unknown>(await answer())
    await clock.advance(30 * MINUTE)
    expect(record()).toMatchObject(expected)
    expect(app.history().map(({ became }) => became)).toEqual(['sent'])
  })
})
