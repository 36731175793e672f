import { expect, test } from 'vitest'
import type { WebsiteChanges, WebsiteRecord } from '../../../src/shared/website.ts'
import { settled, MINUTE } from './clock.ts'
import { codeOf, draft, must } from './rig.ts'
import { app, clock, record, service, existingKey, useApp } from './rig-app.ts'

useApp(() => {
  service.pageSize = 100
  service.add('there.example', { exclude_ips: ['10.0.0.1', '10.0.0.2'], updated_at: '1' })
})

/** Changes the website offline, and on the service too, and then goes online. */
async function changeBoth(ours: WebsiteChanges, theirs: Partial<WebsiteRecord>): Promise<void> {
  await app.offline()
  must(await app.outbox.update(existingKey(), ours))
  service.touch(record(), theirs)
  await clock.advance(MINUTE + 1)
  await app.online()
}

test.each([
  ['an update', () => app.outbox.update(existingKey(), { email: true })],
  ['a delete', () => app.outbox.delete(existingKey())],
  ['an undo', () => Promise.resolve(app.outbox.revert(app.history()[0]?.id ?? '', 'undo', undefined))],
])('asks before %s reaches another website that has the id of its website now', async (_, queue) => {
  must(await app.outbox.update(existingKey(), { exclude_bots: false }))
  await clock.advance(MINUTE)
  service.received.length = 0
  await app.offline()
  must<unknown>(await queue())
  Object.assign(record(), { domain: 'another.example' })
  await clock.advance(MINUTE)
  await app.online()
  must(await app.refresh.run())
  await clock.advance(MINUTE)
  expect(service.writes()).toEqual([])
  expect(app.edits()).toMatchObject([
    { state: 'parked', reason: 'conflict', domain: 'another.example', madeForDomain: 'there.example' },
  ])
})

test.each([
  ['an update', () => app.outbox.update(existingKey(), { email: true })],
  ['a create', () => app.outbox.create(draft('new.example'))],
])(
  'asks before the undo of %s reaches another website that a refresh has already shown under the same id',
  async (_, queue) => {
    must<unknown>(await queue())
    await clock.advance(MINUTE)
    const [{ id, domain } = expect.fail('it is gone')] = app.history()
    service.received.length = 0
    for (const one of service.records.values()) if (one.domain === domain) one.domain = 'another.example'
    must(await app.refresh.run())
    must(await app.outbox.revert(id, 'undo', undefined))
    await clock.advance(MINUTE)
    expect(service.writes()).toEqual([])
    expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'conflict', madeForDomain: domain }])
  },
)

test('refuses the undo of a sent change if another website has the id now and has a pending change', async () => {
  must(await app.outbox.update(existingKey(), { email: true }))
  await clock.advance(MINUTE)
  const [{ id } = expect.fail('it is gone')] = app.history()
  service.received.length = 0
  Object.assign(record(), { domain: 'another.example' })
  must(await app.refresh.run())
  const release = service.hold('get')
  must(await app.outbox.update(app.keyOf('another.example'), { exclude_bots: false }))
  expect(codeOf(await app.outbox.revert(id, 'undo', undefined))).toBe('website-gone')
  release()
  await clock.advance(MINUTE)
  expect(app.edits()).toEqual([])
  expect(record()).toMatchObject({ email: true, exclude_bots: false })
})

test('asks before a change reaches another website that has the id now, even if a refresh shows that website before the change is sent', async () => {
  await clock.advance(MINUTE)
  const release = service.hold('get')
  must(await app.outbox.update(existingKey(), { email: true }))
  await settled()
  Object.assign(record(), { domain: 'another.example' })
  must(await app.refresh.run())
  release()
  await clock.advance(MINUTE)
  expect(service.writes()).toEqual([])
  expect(app.edits()).toMatchObject([{ state: 'parked', madeForDomain: 'there.example' }])
  must(await app.outbox.update(app.keyOf('another.example'), { exclude_bots: false }))
  await clock.advance(MINUTE)
  expect(service.updates()).toEqual([{ email: true, exclude_bots: false }])
})

test('asks before a change of a website that was just created reaches another website that has the id now', async () => {
  const release = service.holdAnswer('create')
  must(await app.outbox.create(draft('new.example')))
  await settled()
  must(await app.outbox.update(app.keyOf('new.example'), { email: true }))
  service.before = (operation) => {
    if (operation === 'get') Object.assign(service.records.get('2') ?? {}, { domain: 'another.example' })
  }
  service.fail('update', { lost: 'request' })
  release()
  await clock.advance(5 * MINUTE)
  expect(service.writes()).toEqual(['create', 'update'])
  expect(app.edits()).toMatchObject([{ state: 'parked', madeForDomain: 'new.example', domain: 'another.example' }])
})

test('sends a change to its website if the service spells the domain differently now', async () => {
  await changeBoth({ email: true }, { domain: 'WWW.There.example' })
  expect(service.updates()).toEqual([{ email: true }])
})

test('keeps remote changes and sends only what differs', async () => {
  await changeBoth(
    { email: true, exclude_ips: ['10.0.0.1', '10.0.0.9'] },
    { privacy: 0, email: true, exclude_ips: ['10.0.0.7', '10.0.0.2', '10.0.0.1'] },
  )
  expect(service.updates()).toEqual([{ exclude_ips: ['10.0.0.7', '10.0.0.1', '10.0.0.9'] }])
  expect(app.list()).toMatchObject([{ state: 'synced', privacy: 0, email: true }])
})

test('does not send what the service has already, and says so in the history', async () => {
  await changeBoth({ privacy: 0 }, { privacy: 0 })
  expect(service.updates()).toEqual([])
  expect(app.edits()).toEqual([])
  expect(app.history()).toMatchObject([{ became: 'nothing', settings: { privacy: 0 } }])
})

test('sends no list if the change that another client has made to it includes ours', async () => {
  service.touch(record(), { exclude_ips: ['10.0.0.1', '10.0.0.2'] })
  must(await app.refresh.run())
  await changeBoth({ exclude_ips: ['10.0.0.1'] }, { exclude_ips: ['10.0.0.7'] })
  expect(service.updates()).toEqual([])
  expect(app.history()).toMatchObject([{ became: 'nothing', settings: { exclude_ips: ['10.0.0.7'] } }])
})

test.each([
  ['changed the same field', 1, { privacy: 2, password: 'x', email: true }, { privacy: 0 }],
  ['changed what the service does not show, which may be the password', 2, { privacy: 2, password: 'x' }, {}],
] as const)('asks the user, and sends nothing, when another client has %s', async (_what, privacy, ours, theirs) => {
  service.touch(record(), { privacy, password: privacy === 2 })
  must(await app.refresh.run())
  await changeBoth(ours, theirs)
  expect(service.updates()).toEqual([])
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'conflict' }])
  expect(app.store.editsOf(existingKey())).toMatchObject([{ attempts: 0 }])
})

test.each<[string, WebsiteChanges]>([
  ['a write-only list', { exclude_params: ['ref'] }],
  ['a password', { password: 'x', privacy: 2 }],
])('asks before it sends %s if a refresh has read a remote change since the user began to type', async (_, ours) => {
  service.touch(record(), { privacy: 2, password: true })
  must(await app.refresh.run())
  const seenAt = app.view.get(existingKey())?.updated_at
  service.touch(record())
  must(await app.refresh.run())
  must(await app.outbox.update(existingKey(), ours, { privacy: 2 }, seenAt))
  await settled()
  expect(service.updates()).toEqual([])
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'conflict' }])
})

test('does not ask about own changes that were delivered, one after the other, since the user began to type a password', async () => {
  service.touch(record(), { privacy: 2, password: true })
  must(await app.refresh.run())
  const seenAt = app.view.get(existingKey())?.updated_at
  const release = service.hold('update')
  must(await app.outbox.update(existingKey(), { email: true }))
  await settled()
  must(await app.outbox.update(existingKey(), { email: false }))
  release()
  await settled()
  must(await app.outbox.update(existingKey(), { privacy: 2, password: 'x' }, { privacy: 2 }, seenAt))
  await settled()
  expect(service.updates()).toEqual([{ email: true }, { email: false }, { privacy: 2, password: 'x' }])
})

test.each<[string, number, () => Promise<void>]>([
  ['has made the same change as the user', 0, async () => changeBoth({ email: true }, { email: true })],
  [
    'has made a change between two saves of the user',
    2,
    async () => {
      must(await app.outbox.update(existingKey(), { email: true }))
      await settled()
      service.touch(record())
      await clock.advance(MINUTE + 1)
      must(await app.outbox.update(existingKey(), { email: false }))
      await settled()
    },
  ],
])(
  'asks before it sends a password if, since the user began to type the password, another client %s',
  async (_, sent, change) => {
    service.touch(record(), { privacy: 2, password: true })
    must(await app.refresh.run())
    const seenAt = app.view.get(existingKey())?.updated_at
    await change()
    must(await app.outbox.update(existingKey(), { privacy: 2, password: 'x' }, { privacy: 2 }, seenAt))
    await settled()
    expect(service.updates()).toHaveLength(sent)
    expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'conflict' }])
  },
)

test('asks before it sends a password that was typed before a remote change, even if an own change made after that is pending', async () => {
  service.touch(record(), { privacy: 2, password: true })
  must(await app.refresh.run())
  const seenAt = app.view.get(existingKey())?.updated_at
  service.touch(record())
  must(await app.refresh.run())
  await app.offline()
  must(await app.outbox.update(existingKey(), { email: true }))
  must(await app.outbox.update(existingKey(), { privacy: 2, password: 'x' }, { privacy: 2 }, seenAt))
  await app.online()
  expect(service.updates()).toEqual([])
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'conflict' }])
})

test('does not ask about an own request with a lost answer before it sends a password that was typed after that request', async () => {
  service.touch(record(), { privacy: 2, password: true })
  must(await app.refresh.run())
  service.fail('update', { lost: 'answer' })
  const release = service.hold('update')
  must(await app.outbox.update(existingKey(), { exclude_params: ['ref'] }))
  await settled()
  must(await app.outbox.update(existingKey(), { privacy: 2, password: 'x' }))
  release()
  await clock.advance(MINUTE)
  expect(service.updates().at(-1)).toEqual({ privacy: 2, password: 'x', exclude_params: ['ref'] })
  expect(app.edits()).toEqual([])
})

test('sends the first password of a website although another client has changed what the service does not show', async () => {
  await changeBoth({ privacy: 2, password: 'x' }, {})
  expect(service.updates()).toEqual([{ privacy: 2, password: 'x' }])
})

test.each([
  ['a field', { privacy: 0 as const }],
  ['a field that the service does not show', {}],
])('asks before it deletes a website if another client has changed %s since the user’s delete', async (_, changes) => {
  await app.offline()
  must(await app.outbox.delete(existingKey()))
  service.touch(record(), changes)
  await clock.advance(2 * MINUTE)
  await app.online()
  expect(service.writes()).toEqual([])
  expect(app.edits()).toMatchObject([{ kind: 'delete', state: 'parked', reason: 'conflict' }])
})

test('does not ask about our own change before a delete or a new password', async () => {
  const release = service.hold('update')
  must(await app.outbox.update(existingKey(), { email: true }))
  await settled()
  must(await app.outbox.update(existingKey(), { privacy: 2, password: 'x', exclude_params: ['ref'] }))
  release()
  await settled()
  expect(service.updates()).toEqual([{ email: true }, { privacy: 2, password: 'x', exclude_params: ['ref'] }])

  const releaseNext = service.hold('update')
  must(await app.outbox.update(existingKey(), { email: false }))
  await settled()
  must(await app.outbox.delete(existingKey()))
  releaseNext()
  await clock.advance(MINUTE)
  expect(service.records.size).toBe(0)
})

test('shows a remote value once our next request is being sent, and asks before a save that was made without that value overwrites it', async () => {
  const release = service.hold('update')
  const shown: unknown[] = []
  service.touch(record(), { privacy: 2, password: true })
  await clock.advance(MINUTE + 1)
  app.outbox.onChange(() => shown.push(app.list().map(({ state, privacy }) => ({ state, privacy }))))
  must(await app.outbox.update(existingKey(), { exclude_bots: false }))
  await settled()
  expect(shown.at(-1)).toEqual([{ state: 'sending', privacy: 2 }])
  must(await app.outbox.update(existingKey(), { privacy: 0 }, { privacy: 1 }))
  release()
  await settled()
  expect(service.updates()).toEqual([{ exclude_bots: false }])
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'conflict' }])
})

test('sends a write-only value in doubt again although our own request may have changed the time of the record', async () => {
  service.fail('update', { lost: 'answer' })
  must(await app.outbox.update(existingKey(), { exclude_params: ['ref'] }))
  await clock.advance(5_000)
  expect(service.updates()).toEqual([{ exclude_params: ['ref'] }, { exclude_params: ['ref'] }])
  expect(app.edits()).toEqual([])
})

test('sends a value a second time if the service has ignored it, and then reports the value that the service kept', async () => {
  service.ignores.add('email')
  must(await app.outbox.update(existingKey(), { email: true, privacy: 0 }))
  await settled()
  expect(service.updates()).toEqual([{ email: true, privacy: 0 }, { email: true }])
  expect(app.edits()).toEqual([])
  expect(app.history()).toMatchObject([
    { became: 'sent', settings: { email: true, privacy: 0 }, before: { privacy: 1 }, ignored: { email: false } },
  ])
  expect(app.list()).toMatchObject([{ state: 'synced', email: false, privacy: 0 }])
})

test('sends one update after a create if the service ignored a value of the create', async () => {
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

test('does not restore what other clients have removed when a lost edit is merged again', async () => {
  service.fail('update', { lost: 'request' })
  service.touch(record(), { exclude_ips: ['10.0.0.1', '10.0.0.2', '10.0.0.3'] })
  await clock.advance(MINUTE + 1)
  must(await app.outbox.update(existingKey(), { exclude_ips: ['10.0.0.1', '10.0.0.2', '10.0.0.4'] }))
  await settled()
  await app.offline()
  service.touch(record(), { exclude_ips: ['10.0.0.1', '10.0.0.2'] })
  await clock.advance(2 * MINUTE)
  await app.online()
  expect(service.updates()).toHaveLength(2)
  expect(record().exclude_ips).toEqual(['10.0.0.1', '10.0.0.2', '10.0.0.4'])
})

test('sends a field that the user sets back after the service has applied only a part of the edit', async () => {
  service.ignores.add('email')
  const release = service.holdAnswer('update')
  must(await app.outbox.update(existingKey(), { email: true, privacy: 0 }))
  await settled()
  service.after = () => {}
  // The answer shows that the service did not keep `email`. The app can't send `email` again before 30 seconds are over.
  service.fail('update', { refuse: 'rate-limited', retryAfter: 30 })
  release()
  await settled()
  must(await app.outbox.update(existingKey(), { privacy: 1 }))
  await clock.advance(MINUTE)
  expect(record()).toMatchObject({ privacy: 1 })
})

test('sends a field that the user sets back even if a request left it out because another client had set it', async () => {
  await app.offline()
  must(await app.outbox.update(existingKey(), { privacy: 0, email: true }))
  service.touch(record(), { privacy: 0 })
  await clock.advance(2 * MINUTE)
  service.fail('update', { refuse: 'rate-limited', retryAfter: 30 })
  await app.online()
  must(await app.outbox.update(existingKey(), { privacy: 1 }))
  await clock.advance(MINUTE)
  expect(record()).toMatchObject({ privacy: 1, email: true })
})

test.each([
  { situation: 'the machine slept', running: 0, jump: 10 * MINUTE },
  {
    situation: 'the machine slept for half a minute',
    running: MINUTE / 2,
    jump: MINUTE / 2 + 1,
  },
  { situation: 'the clock of the machine was set back', running: 0, jump: -10 * MINUTE },
])('reads a website again before a write if $situation since the last read', async ({ running, jump }) => {
  await clock.advance(MINUTE + 1)
  must(await app.refresh.run())
  // Moves only the wall clock, as a sleep or a change of the clock does.
  clock.jump(jump)
  await clock.advance(running)
  service.received.length = 0
  must(await app.outbox.update(existingKey(), { email: true }))
  await settled()
  expect(service.operations()).toEqual(['get', 'update'])
})

test('merges what other clients wrote while the user was typing', async () => {
  const seen = { exclude_ips: ['10.0.0.1', '10.0.0.2'], privacy: 1 as const }
  service.touch(record(), { exclude_ips: ['10.0.0.1', '10.0.0.2', '10.0.0.9'] })
  must(await app.refresh.run())
  must(await app.outbox.update(existingKey(), { exclude_ips: ['10.0.0.2', '10.0.0.3'] }, seen))
  await settled()
  expect(record()).toMatchObject({ exclude_ips: ['10.0.0.2', '10.0.0.9', '10.0.0.3'] })
})

test('asks the user if another client changed the same field while they were typing', async () => {
  service.touch(record(), { privacy: 2, password: true })
  must(await app.refresh.run())
  must(await app.outbox.update(existingKey(), { privacy: 0 }, { privacy: 1 }))
  await settled()
  expect(app.edits()).toMatchObject([
    { reason: 'conflict', conflict: { base: { privacy: 1 }, theirs: { privacy: 2 } } },
  ])
  expect(service.updates()).toEqual([])
})

test('keeps remote lines that were merged while the user was typing', async () => {
  const seen = { exclude_ips: ['10.0.0.1', '10.0.0.2', '10.0.0.3'] }
  await app.offline()
  must(await app.outbox.update(existingKey(), { exclude_ips: seen.exclude_ips }))
  service.touch(record(), { exclude_ips: ['10.0.0.1', '10.0.0.2', '10.0.0.9'] })
  await clock.advance(2 * MINUTE)
  service.fail('update', { lost: 'request' })
  await app.online(0)
  expect(service.updates()).toEqual([{ exclude_ips: ['10.0.0.1', '10.0.0.2', '10.0.0.9', '10.0.0.3'] }])
  must(await app.outbox.update(existingKey(), { exclude_ips: [...seen.exclude_ips, '10.0.0.4'] }, seen))
  await clock.advance(MINUTE)
  expect(record()).toMatchObject({ exclude_ips: ['10.0.0.1', '10.0.0.2', '10.0.0.9', '10.0.0.3', '10.0.0.4'] })
})
