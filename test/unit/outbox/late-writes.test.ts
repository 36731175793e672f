import { expect, test } from 'vitest'
import { settled, MINUTE } from './clock.ts'
import { must } from './rig.ts'
import { app, clock, record, service, start, existingKey, useApp } from './rig-app.ts'
import { setAndSetBack } from './rig-late-write.ts'

useApp(() => service.add('there.example', { email: false, privacy: 1, updated_at: '2026-01-01T00:00:00Z' }), {
  onDisk: true,
})

const reads = () => service.received.filter(({ operation }) => operation === 'get' || operation === 'list').length

test('ten minutes after a lost request, repairs what its late write has changed, once, and records the repair', async () => {
  await setAndSetBack()
  Object.assign(record(), { email: true })
  await clock.advance(7 * MINUTE)
  expect(record()).toMatchObject({ email: true })
  await clock.advance(5 * MINUTE)
  expect(record()).toMatchObject({ email: false })
  expect(app.history()[0]).toMatchObject({
    became: 'repaired',
    settings: { email: false },
    overwritten: { email: true },
  })
  // The last save is still the user's, because a repair is not a save.
  expect(must(app.outbox.lastSave())?.entry).toMatchObject({ became: 'sent' })
  // The user can restore the repaired value, in case another client wanted it. It is not repaired again.
  must(await app.outbox.revert(app.history()[0]?.id ?? '', 'putBack', undefined))
  await clock.advance(30 * MINUTE)
  expect(record()).toMatchObject({ email: true })
})

test('repairs no late write in another website that has the id of the changed website by now', async () => {
  await setAndSetBack()
  const writes = service.writes().length
  Object.assign(record(), { domain: 'another.example', email: true })
  must(await app.refresh.run())
  await clock.advance(30 * MINUTE)
  expect(service.writes()).toHaveLength(writes)
  expect(app.edits()).toEqual([])
})

test('ten minutes after a lost request, reads the website once, and sends nothing if no late write has taken effect', async () => {
  await setAndSetBack()
  const [before, writes] = [reads(), service.writes().length]
  await clock.advance(7 * MINUTE)
  expect(reads()).toBe(before)
  await clock.advance(30 * MINUTE)
  expect(reads()).toBe(before + 1)
  expect(service.writes()).toHaveLength(writes)
  expect(clock.timers()).toBe(0)
})

test('looks for the second of two equal lost requests ten minutes after that request', async () => {
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(existingKey(), { exclude_ips: ['10.0.0.1'] }))
  await settled()
  await app.offline()
  await clock.advance(5 * MINUTE)
  service.fail('update', { lost: 'request' })
  service.before = (operation) => {
    if (operation !== 'update') return
    // The first late write takes effect.
    Object.assign(record(), { exclude_ips: ['10.0.0.1'] })
    service.before = () => {}
  }
  await app.online()
  await clock.advance(MINUTE)
  must(await app.outbox.update(existingKey(), { exclude_ips: ['10.0.0.1', '10.0.0.2'] }))
  await clock.advance(6 * MINUTE)
  expect(app.edits()).toEqual([])
  // The second late write takes effect after the app has found and repaired the first one.
  Object.assign(record(), { exclude_ips: ['10.0.0.1'] })
  await clock.advance(10 * MINUTE)
  expect(record()).toMatchObject({ exclude_ips: ['10.0.0.1', '10.0.0.2'] })
})

test('looks once for a late write that would set the current values, and sends nothing', async () => {
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(existingKey(), { email: true }))
  await clock.advance(MINUTE)
  const [before, writes] = [reads(), service.writes().length]
  await clock.advance(30 * MINUTE)
  expect(reads()).toBe(before + 1)
  expect(service.writes()).toHaveLength(writes)
})

test('does not record the password of a late write as a remote change', async () => {
  Object.assign(record(), { password: false })
  must(await app.refresh.run())
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(existingKey(), { privacy: 2, password: 'canary', email: true }))
  await settled()
  must(await app.outbox.update(existingKey(), { privacy: 1 }))
  await clock.advance(5_000)
  must(await app.outbox.update(existingKey(), { privacy: 2 }))
  await clock.advance(5_000)
  expect(record()).toMatchObject({ privacy: 2, password: false })
  service.touch(record(), { password: true })
  await clock.advance(12 * MINUTE)
  must(await app.refresh.run())
  expect(app.remote()).toEqual([])
})

test('the look for late writes leaves remote changes alone', async () => {
  await setAndSetBack()
  Object.assign(record(), { privacy: 0, email: false })
  await clock.advance(30 * MINUTE)
  expect(record()).toMatchObject({ privacy: 0, email: false })
})

test('a repair restores a remote value that was seen between the request and its late effect', async () => {
  Object.assign(record(), { privacy: 0 })
  must(await app.refresh.run())
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(existingKey(), { privacy: 1 }))
  await clock.advance(MINUTE)
  Object.assign(record(), { privacy: 2 })
  must(await app.refresh.run())
  Object.assign(record(), { privacy: 1 })
  await clock.advance(30 * MINUTE)
  expect(record()).toMatchObject({ privacy: 2 })
})

test('a repair keeps a field that the user has changed after the late write', async () => {
  await setAndSetBack()
  Object.assign(record(), { email: true })
  await app.offline()
  must(await app.outbox.update(existingKey(), { privacy: 0 }))
  await clock.advance(30 * MINUTE)
  await app.online(MINUTE)
  expect(record()).toMatchObject({ email: false, privacy: 0 })
  expect(app.edits()).toEqual([])
})

test('after a restart, looks for late writes only ten minutes later', async () => {
  await setAndSetBack()
  Object.assign(record(), { email: true })
  await clock.advance(6 * MINUTE)
  await app.close()
  start()
  await clock.advance(6 * MINUTE)
  expect(record()).toMatchObject({ email: true })
  await clock.advance(5 * MINUTE)
  expect(record()).toMatchObject({ email: false })
})

test('keeps looking for late writes if a gateway answers that the website does not exist', async () => {
  await setAndSetBack()
  Object.assign(record(), { email: true })
  service.fail('get', { refuse: 'not-found' })
  await clock.advance(30 * MINUTE)
  expect(record()).toMatchObject({ email: false })
})

test('looks for the late writes that are due after an offline time as soon as the service is back', async () => {
  await setAndSetBack()
  await app.offline()
  await clock.advance(30 * MINUTE)
  Object.assign(record(), { email: true })
  await app.online(MINUTE)
  expect(record()).toMatchObject({ email: false })
})

test('repairs a late write that takes effect before our newest edit is settled', async () => {
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(existingKey(), { exclude_ips: ['10.0.0.1'] }))
  // The user changes the edit before the lost request is sent again. The answer to the changed request is lost.
  await settled()
  must(await app.outbox.update(existingKey(), { exclude_ips: ['10.0.0.2'], email: true }))
  service.fail('update', { lost: 'answer' })
  service.after = (operation) => {
    if (operation !== 'update') return
    service.after = () => {}
    queueMicrotask(() => Object.assign(record(), { exclude_ips: ['10.0.0.1'] }))
  }
  await clock.advance(30 * MINUTE)
  expect(record()).toMatchObject({ email: true, exclude_ips: ['10.0.0.2'] })
})

test('a value that a late write or another client has set can be put back after a change in doubt was sent over it', async () => {
  service.touch(record(), { privacy: 2, password: true })
  must(await app.refresh.run())
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(existingKey(), { privacy: 0 }))
  await settled()
  must(app.outbox.undo(app.edits()[0]?.id ?? ''))
  await clock.advance(MINUTE)
  expect(record()).toMatchObject({ privacy: 2 })
  service.fail('update', { lost: 'request' })
  service.before = (operation) => {
    if (operation !== 'update') return
    service.before = () => {}
    service.touch(record(), { privacy: 0 })
  }
  must(await app.outbox.update(existingKey(), { privacy: 1 }))
  await clock.advance(MINUTE)
  expect(record()).toMatchObject({ privacy: 1 })
  expect(app.history()[0]).toMatchObject({ became: 'sent', overwritten: { privacy: 0 }, can: { putBack: true } })
})

test('sends the write-only values again if a visible field shows that a late write was applied', async () => {
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(existingKey(), { exclude_ips: ['10.0.0.1'], exclude_params: ['a'] }))
  await clock.advance(MINUTE)
  must(await app.outbox.update(existingKey(), { exclude_ips: [], exclude_params: ['a', 'b'] }))
  await clock.advance(MINUTE)
  Object.assign(record(), { exclude_ips: ['10.0.0.1'] })
  await clock.advance(30 * MINUTE)
  expect(service.received.findLast(({ operation }) => operation === 'update')?.sent).toEqual({
    exclude_ips: [],
    exclude_params: ['a', 'b'],
  })
})

/** Sets `email` with a lost request, and back. The user's next edit is rejected. Then the lost request takes effect. */
async function turnedAwayAfter(): Promise<void> {
  await setAndSetBack()
  service.fail('update', { refuse: 'invalid', fields: { privacy: ['No.'] } })
  must(await app.outbox.update(existingKey(), { privacy: 0 }))
  await clock.advance(MINUTE)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'refused' }])
  Object.assign(record(), { email: true })
}

test('repairs a late write even if the user discards a later edit of the website', async () => {
  await turnedAwayAfter()
  await clock.advance(12 * MINUTE)
  expect(app.edits()).toMatchObject([{ settings: { privacy: 0 } }])
  must(app.outbox.discard(app.edits()[0]?.id ?? ''))
  await clock.advance(MINUTE)
  expect(record()).toMatchObject({ email: false, privacy: 1 })
  expect(app.history()[0]).toMatchObject({ became: 'repaired', settings: { email: false } })
})

test('does not look for late writes while an edit of the website is parked', async () => {
  await turnedAwayAfter()
  const before = service.received.length
  await clock.advance(60 * MINUTE)
  expect(service.received).toHaveLength(before)
  expect(clock.timers()).toBe(0)
})

test('repairs a late write even if the user deletes the website and undoes the delete, again and again', async () => {
  await setAndSetBack()
  Object.assign(record(), { email: true })
  await clock.advance(7 * MINUTE)
  // The user deletes the website and undoes the delete, each time within ten seconds, until ten minutes are over.
  for (let n = 0; n < 20; n++) {
    must(await app.outbox.delete(existingKey()))
    await clock.advance(9_000)
    must(app.outbox.undo(app.edits()[0]?.id ?? ''))
    must(await app.outbox.delete(existingKey()))
    must(app.outbox.undo(app.edits()[0]?.id ?? ''))
  }
  await clock.advance(10 * MINUTE)
  expect(service.writes()).not.toContain('delete')
  expect(record()).toMatchObject({ email: false })
})
