import { expect, test } from 'vitest'
import type { WebsiteChanges, WebsiteRecord } from '../../../src/shared/website.ts'
import { settled, MINUTE } from './clock.ts'
import { draft, must } from './rig.ts'
import { app, clock, record, service, there, useApp } from './rig-app.ts'

useApp(() => {
  service.pageSize = 100
  service.add('there.example', { exclude_ips: ['10.0.0.1', '10.0.0.2'], updated_at: '1' })
})

/** The user changes the website offline, another client changes it too, and the connection comes back. */
async function changeBoth(ours: WebsiteChanges, theirs: Partial<WebsiteRecord>): Promise<void> {
  await app.offline()
  must(await app.outbox.update(there(), ours))
  service.touch(record(), theirs)
  await clock.advance(MINUTE + 1)
  await app.online()
}

test('what others have changed meanwhile stays as they left it, and only what differs is sent', async () => {
  await changeBoth(
    { email: true, exclude_ips: ['10.0.0.1', '10.0.0.9'] },
    { privacy: 0, email: true, exclude_ips: ['10.0.0.7', '10.0.0.2', '10.0.0.1'] },
  )
  expect(service.updates()).toEqual([{ exclude_ips: ['10.0.0.7', '10.0.0.1', '10.0.0.9'] }])
  expect(app.list()).toMatchObject([{ state: 'synced', privacy: 0, email: true }])
})

test('what the service has already is not sent, and the history says so', async () => {
  await changeBoth({ privacy: 0 }, { privacy: 0 })
  expect(service.updates()).toEqual([])
  expect(app.edits()).toEqual([])
  expect(app.history()).toMatchObject([{ became: 'nothing', settings: { privacy: 0 } }])
})

test('nor is a list whose lines others have taken out as well, of which it tells what is there', async () => {
  service.touch(record(), { exclude_ips: ['10.0.0.1', '10.0.0.2'] })
  must(await app.refresh.run())
  await changeBoth({ exclude_ips: ['10.0.0.1'] }, { exclude_ips: ['10.0.0.7'] })
  expect(service.updates()).toEqual([])
  expect(app.history()).toMatchObject([{ became: 'nothing', settings: { exclude_ips: ['10.0.0.7'] } }])
})

test.each([
  ['changed the same field', { privacy: 2, password: 'x', email: true }, { privacy: 0 }],
  ['changed what the service does not show, which may be the password', { privacy: 2, password: 'x' }, {}],
] as const)('asks the user, and sends nothing, when another client has %s', async (_what, ours, theirs) => {
  await changeBoth(ours, theirs)
  expect(service.updates()).toEqual([])
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'conflict', attempts: 0 }])
})

test.each([
  ['a field', { privacy: 0 as const }],
  ['something that is not shown', {}],
])('after a minute a website in which %s was changed is kept, and the user is asked', async (_, changes) => {
  await app.offline()
  must(await app.outbox.delete(there()))
  service.touch(record(), changes)
  await clock.advance(2 * MINUTE)
  await app.online()
  expect(service.writes()).toEqual([])
  expect(app.edits()).toMatchObject([{ kind: 'delete', state: 'parked', reason: 'conflict' }])
})

test('our own change of a website is no reason to ask before it is deleted, or its password set', async () => {
  const release = service.hold('update')
  must(await app.outbox.update(there(), { email: true }))
  await settled()
  must(await app.outbox.update(there(), { privacy: 2, password: 'x', exclude_params: ['ref'] }))
  release()
  await settled()
  expect(service.updates()).toEqual([{ email: true }, { privacy: 2, password: 'x', exclude_params: ['ref'] }])

  const releaseNext = service.hold('update')
  must(await app.outbox.update(there(), { email: false }))
  await settled()
  must(await app.outbox.delete(there()))
  releaseNext()
  await clock.advance(MINUTE)
  expect(service.records.size).toBe(0)
})

test('a doubted password is sent again although the record has moved: that may be our own doing', async () => {
  service.fail('update', { lost: 'answer' })
  must(await app.outbox.update(there(), { exclude_params: ['ref'] }))
  await clock.advance(5_000)
  expect(service.updates()).toEqual([{ exclude_params: ['ref'] }, { exclude_params: ['ref'] }])
  expect(app.edits()).toEqual([])
})

test('what the service accepts and does not keep is sent once more; then the user is told what it kept', async () => {
  service.ignores.add('email')
  must(await app.outbox.update(there(), { email: true, privacy: 0 }))
  await settled()
  expect(service.updates()).toEqual([{ email: true, privacy: 0 }, { email: true }])
  expect(app.edits()).toEqual([])
  expect(app.history()).toMatchObject([
    { became: 'sent', settings: { email: true, privacy: 0 }, before: { privacy: 1 }, ignored: { email: false } },
  ])
  expect(app.list()).toMatchObject([{ state: 'synced', email: false, privacy: 0 }])
})

test('a create of which something is not kept is followed by one update', async () => {
  service.ignores.add('email')
  must(await app.outbox.create(draft('new.example', { email: true })))
  await settled()
  expect(service.writes()).toEqual(['create', 'update'])
  expect(app.edits()).toEqual([])
  expect(app.history()).toMatchObject([
    { kind: 'update', ignored: { email: false } },
    { kind: 'create', became: 'sent', ignored: { email: false } },
  ])
})

test('what was lost on the way and is merged anew does not bring back what others have removed since', async () => {
  service.fail('update', { lost: 'request' })
  service.touch(record(), { exclude_ips: ['10.0.0.1', '10.0.0.2', '10.0.0.3'] })
  await clock.advance(MINUTE + 1)
  must(await app.outbox.update(there(), { exclude_ips: ['10.0.0.1', '10.0.0.2', '10.0.0.4'] }))
  await settled()
  await app.offline()
  service.touch(record(), { exclude_ips: ['10.0.0.1', '10.0.0.2'] })
  await clock.advance(2 * MINUTE)
  await app.online()
  expect(service.updates()).toHaveLength(2)
  expect(record().exclude_ips).toEqual(['10.0.0.1', '10.0.0.2', '10.0.0.4'])
})

test('what is set back to what it was before a part of it was sent is sent, not taken for no change', async () => {
  service.ignores.add('email')
  const release = service.holdAnswer('update')
  must(await app.outbox.update(there(), { email: true, privacy: 0 }))
  await settled()
  service.after = () => {}
  // The answer says that the email isn't kept; while that is sent again nothing can go.
  service.fail('update', { refuse: 'rate-limited', retryAfter: 30 })
  release()
  await settled()
  must(await app.outbox.update(there(), { privacy: 1 }))
  await clock.advance(MINUTE)
  expect(record()).toMatchObject({ privacy: 1 })
})

test('nor where it was left out because somebody else had brought it about', async () => {
  await app.offline()
  must(await app.outbox.update(there(), { privacy: 0, email: true }))
  service.touch(record(), { privacy: 0 })
  await clock.advance(2 * MINUTE)
  service.fail('update', { refuse: 'rate-limited', retryAfter: 30 })
  await app.online()
  must(await app.outbox.update(there(), { privacy: 1 }))
  await clock.advance(MINUTE)
  expect(record()).toMatchObject({ privacy: 1, email: true })
})

test.each([
  { what: 'the machine slept', running: 0, jump: 10 * MINUTE },
  { what: 'it slept for less than a minute, and ran for the rest of it', running: MINUTE / 2, jump: MINUTE / 2 + 1 },
  { what: 'its clock was set back', running: 0, jump: -10 * MINUTE },
])('what was read before $what is read again', async ({ running, jump }) => {
  await clock.advance(MINUTE + 1)
  must(await app.refresh.run())
  // The running time stands still.
  clock.jump(jump)
  await clock.advance(running)
  service.asked.length = 0
  must(await app.outbox.update(there(), { email: true }))
  await settled()
  expect(service.operations()).toEqual(['get', 'update'])
})

test('what others have written while the user was typing is merged with it, not taken for seen', async () => {
  const seen = { exclude_ips: ['10.0.0.1', '10.0.0.2'], privacy: 1 as const }
  service.touch(record(), { exclude_ips: ['10.0.0.1', '10.0.0.2', '10.0.0.9'] })
  must(await app.refresh.run())
  must(await app.outbox.update(there(), { exclude_ips: ['10.0.0.2', '10.0.0.3'] }, seen))
  await settled()
  expect(record()).toMatchObject({ exclude_ips: ['10.0.0.2', '10.0.0.9', '10.0.0.3'] })
})

test('both have changed a field while the user was typing: the user is asked', async () => {
  service.touch(record(), { privacy: 2, password: true })
  must(await app.refresh.run())
  must(await app.outbox.update(there(), { privacy: 0 }, { privacy: 1 }))
  await settled()
  expect(app.edits()).toMatchObject([
    { reason: 'conflict', conflict: { base: { privacy: 1 }, theirs: { privacy: 2 } } },
  ])
  expect(service.updates()).toEqual([])
})

test('lines that were typed before others were merged into what is on its way do not take those away', async () => {
  const seen = { exclude_ips: ['10.0.0.1', '10.0.0.2', '10.0.0.3'] }
  await app.offline()
  must(await app.outbox.update(there(), { exclude_ips: seen.exclude_ips }))
  service.touch(record(), { exclude_ips: ['10.0.0.1', '10.0.0.2', '10.0.0.9'] })
  await clock.advance(2 * MINUTE)
  service.fail('update', { lost: 'request' })
  await app.online(0)
  expect(service.updates()).toEqual([{ exclude_ips: ['10.0.0.1', '10.0.0.2', '10.0.0.9', '10.0.0.3'] }])
  must(await app.outbox.update(there(), { exclude_ips: [...seen.exclude_ips, '10.0.0.4'] }, seen))
  await clock.advance(MINUTE)
  expect(record()).toMatchObject({ exclude_ips: ['10.0.0.1', '10.0.0.2', '10.0.0.9', '10.0.0.3', '10.0.0.4'] })
})
