import { expect, test } from 'vitest'
import { settled, MINUTE } from './clock.ts'
import { must } from './rig.ts'
import { answerUpdateWithNothing, app, clock, record, service, existingKey, useApp } from './rig-app.ts'

useApp(() => service.add('there.example', { email: false, privacy: 1, updated_at: '2026-01-01T00:00:00Z' }), {
  onDisk: true,
})

test('sends the newest password once more after an old one may have been applied', async () => {
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(existingKey(), { privacy: 2, password: 'the old one' }))
  await clock.advance(MINUTE)
  must(await app.outbox.update(existingKey(), { password: 'the new one' }))
  await clock.advance(MINUTE)
  const before = passwords().length
  Object.assign(record(), { updated_at: '2026-01-01T00:05:00Z' })
  await clock.advance(30 * MINUTE)
  expect(passwords().slice(before)).toEqual(['the new one'])
  await clock.advance(60 * MINUTE)
  expect(passwords()).toHaveLength(before + 1)
})

test('sends no password again while the exact `updated_at` of the record proves that nothing was changed', async () => {
  record().updated_at = '2026-01-01T00:00:00.125Z'
  must(await app.refresh.run())
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(existingKey(), { privacy: 2, password: 'the old one' }))
  await clock.advance(MINUTE)
  must(await app.outbox.update(existingKey(), { password: 'the new one' }))
  await clock.advance(MINUTE)
  const before = service.writes().length
  await clock.advance(60 * MINUTE)
  expect(service.writes()).toHaveLength(before)
})

const passwords = () =>
  service.received.flatMap(({ sent }) => (sent !== undefined && 'password' in sent ? [sent.password] : []))

/** Loses a request that sets a password, and then sends a newer password. */
async function setPasswordTwice(): Promise<void> {
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(existingKey(), { privacy: 2, password: 'the old one' }))
  await settled()
  must(await app.outbox.update(existingKey(), { password: 'the new one' }))
  await clock.advance(MINUTE)
  expect(passwords()).toEqual(['the old one', 'the new one'])
}

test.each([
  ['before another edit is sent', () => service.touch(record())],
  [
    'after an edit whose answer was empty, before the record is read',
    () => answerUpdateWithNothing(() => queueMicrotask(() => service.touch(record()))),
  ],
])('sends the newest password again when an old one takes effect %s', async (_when, lands) => {
  await setPasswordTwice()
  lands()
  must(await app.outbox.update(existingKey(), { email: true }))
  await clock.advance(30 * MINUTE)
  expect(passwords()).toEqual(['the old one', 'the new one', 'the new one'])
})

test.each([
  ['another client', () => service.touch(record(), { privacy: 0, password: false })],
  [
    'the user',
    async () => {
      must(await app.outbox.update(existingKey(), { privacy: 0 }))
      await clock.advance(MINUTE)
      service.touch(record(), { privacy: 2, password: true })
    },
  ],
])('does not send a password again after %s has removed it', async (_who, removes) => {
  await setPasswordTwice()
  await removes()
  await clock.advance(30 * MINUTE)
  expect(passwords()).toEqual(['the old one', 'the new one'])
  expect(record()).toMatchObject({ privacy: 0 })
})

test('sends the new password again after a late write of the old one, even if an answer to the new one was lost', async () => {
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(existingKey(), { privacy: 2, password: 'the old one' }))
  await settled()
  service.fail('update', { lost: 'answer' })
  must(await app.outbox.update(existingKey(), { password: 'the new one' }))
  await clock.advance(MINUTE)
  expect(passwords()).toEqual(['the old one', 'the new one', 'the new one'])
  service.touch(record())
  await clock.advance(30 * MINUTE)
  expect(passwords()).toHaveLength(4)
})

test('restores the privacy “Password” that another late write has changed, together with the newest password', async () => {
  for (const changes of [{ privacy: 2, password: 'the old one' }, { privacy: 0 }] as const) {
    service.fail('update', { lost: 'request' })
    must(await app.outbox.update(existingKey(), changes))
    await clock.advance(MINUTE)
  }
  must(await app.outbox.update(existingKey(), { privacy: 2, password: 'the new one' }))
  await clock.advance(MINUTE)
  const before = passwords().length
  // Both late writes take effect. The one with the old password is the first.
  service.touch(record(), { privacy: 0 })
  await clock.advance(30 * MINUTE)
  expect(record()).toMatchObject({ privacy: 2 })
  expect(passwords().slice(before)).toEqual(['the new one'])
})
