import { expect, test } from 'vitest'
import { settled, MINUTE } from './clock.ts'
import { codeOf, draft, must } from './rig.ts'
import { app, clock, service, existingKey, useApp } from './rig-app.ts'
import { giveUpCreate } from './rig-late-write.ts'

useApp(() => service.add('there.example', { email: false, privacy: 1, updated_at: '2026-01-01T00:00:00Z' }), {
  onDisk: true,
})

test('asks about the website of an undone create that took effect late; Discard removes the question and leaves the website on the service', async () => {
  await giveUpCreate('late.example', { email: true })
  const late = service.add('late.example', { email: true })
  await clock.advance(11 * MINUTE)
  expect(app.edits()).toMatchObject([
    { kind: 'create', domain: 'late.example', state: 'parked', reason: 'appeared', can: { discard: true } },
  ])
  expect(app.list('late.example')).toMatchObject([{ id: late.id, state: 'parked' }])
  // After Discard, the website is like any other.
  must(app.outbox.discard(app.edits()[0]?.id ?? ''))
  expect(app.list('late.example')).toMatchObject([{ id: late.id, state: 'synced' }])
  expect(service.writes()).toEqual(['create'])
})

test.each(['delete', 'adopt'] as const)(
  'the answer “%s” about the website of a late create reaches no other website that has the same id by now',
  async (way) => {
    await giveUpCreate('late.example', { email: true })
    const late = service.add('late.example')
    await clock.advance(11 * MINUTE)
    const id = app.edits()[0]?.id ?? ''
    late.domain = 'another.example'
    must(await app.refresh.run())
    expect(codeOf(await app.outbox.resolve(id, { way }))).toBe('edit-gone')
    await clock.advance(MINUTE)
    expect(service.writes()).toEqual(['create'])
  },
)

test('recognizes the website of a create that was given up, even if a refresh has already added it to the list', async () => {
  await giveUpCreate('late.example')
  service.add('late.example')
  must(await app.refresh.run())
  await clock.advance(11 * MINUTE)
  expect(app.list('late.example')).toMatchObject([{ state: 'parked' }])
})

test('asks nothing about the website of a late create if the user has edited it since', async () => {
  await giveUpCreate('late.example')
  service.add('late.example')
  must(await app.refresh.run())
  must(await app.outbox.update(app.keyOf('late.example'), { email: true }))
  await clock.advance(30 * MINUTE)
  expect(app.list('late.example')).toMatchObject([{ state: 'synced', email: true }])
})

test('sends write-only values to the website of a late create even if they are equal to those of the create', async () => {
  await giveUpCreate('late.example', { exclude_params: [] })
  service.add('late.example')
  await clock.advance(11 * MINUTE)
  expect(app.edits()).toMatchObject([{ reason: 'appeared' }])
  must(await app.outbox.update(app.keyOf('late.example'), { exclude_params: [] }))
  await clock.advance(MINUTE)
  expect(service.received.at(-1)).toMatchObject({ operation: 'update', sent: { exclude_params: [] } })
})

test('asks nothing about a website that the user added again after its first create was given up', async () => {
  await giveUpCreate('late.example')
  must(await app.outbox.create(draft('late.example')))
  await clock.advance(30 * MINUTE)
  expect(app.edits()).toEqual([])
  expect(app.list('late.example')).toMatchObject([{ state: 'synced' }])
})

test('asks about a website whose delete was undone and took effect late', async () => {
  service.fail('delete', { lost: 'request' })
  must(await app.outbox.delete(existingKey()))
  for (let n = 0; n < 20 && app.store.editsOf(existingKey())[0]?.attempts !== 1; n++) await clock.advance(1_000)
  await clock.advance(2_000)
  must(app.outbox.undo(app.edits()[0]?.id ?? '', true))
  expect(app.edits()).toEqual([])
  service.records.delete('1')
  await clock.advance(11 * MINUTE)
  expect(app.edits()).toMatchObject([{ domain: 'there.example', state: 'parked', reason: 'vanished' }])
  expect(service.writes()).toEqual(['delete'])
})

test('records a create as sent if the user changed it before it was sent and its first request was lost', async () => {
  await app.offline()
  const key = must(await app.outbox.create(draft('new.example', { privacy: 1, exclude_ips: ['10.0.0.1'] })))
  must(await app.outbox.update(key, { privacy: 0, exclude_ips: ['10.0.0.2'] }))
  service.fail('create', { lost: 'request' })
  await app.online(30 * MINUTE)
  expect(service.writes()).toEqual(['create', 'create'])
  expect([...service.records.values()].at(-1)).toMatchObject({ privacy: 0, exclude_ips: ['10.0.0.2'] })
  expect(app.history()).toMatchObject([
    { kind: 'update', became: 'sent', settings: { privacy: 0 }, before: { privacy: 1, exclude_ips: ['10.0.0.1'] } },
    { kind: 'create', became: 'sent', before: {} },
  ])
})

test('asks about the second website that a late create has made, and the answer “delete” deletes only that one', async () => {
  service.fail('create', { lost: 'request' })
  const key = must(await app.outbox.create(draft('new.example')))
  await clock.advance(MINUTE)
  expect(app.list('new')).toMatchObject([{ key, id: '2', state: 'synced' }])
  const late = service.add('new.example', { created_at: new Date(service.now()).toISOString() })
  await clock.advance(30 * MINUTE)
  expect(app.edits()).toMatchObject([{ domain: 'new.example', kind: 'create', reason: 'appeared' }])
  expect(app.edits()[0]?.website).not.toBe(key)
  must(await app.outbox.resolve(app.edits()[0]?.id ?? '', { way: 'delete' }))
  await clock.advance(MINUTE)
  expect(service.records.has(late.id)).toBe(false)
  expect(app.list('new')).toMatchObject([{ key, id: '2', state: 'synced' }])
})

test('does not ask about the website of a create’s late write while the create is parked and the website has pending edits', async () => {
  service.fail('create', { lost: 'request' })
  const key = must(await app.outbox.create(draft('late.example')))
  service.fail('create', { refuse: 'invalid', fields: { domain: ['Too many websites.'] } })
  await clock.advance(MINUTE)
  expect(app.edits()).toMatchObject([{ website: key, state: 'parked', reason: 'website-limit' }])
  service.add('late.example')
  must(await app.refresh.run())
  const met = app.store.websiteOfId('2')?.key ?? expect.fail('not met')
  service.fail('update', { refuse: 'invalid', fields: { privacy: ['No.'] } })
  must(await app.outbox.update(met, { privacy: 0 }))
  await clock.advance(12 * MINUTE)
  // No question about the late website, because one of its answers, "delete", would also delete the website's pending edits.
  expect(app.edits()).toMatchObject([
    { website: key, reason: 'website-limit' },
    { website: met, reason: 'refused' },
  ])
})

test('reports the website of a late create separately if the create was corrected to another domain since', async () => {
  service.fail('create', { lost: 'request' })
  const key = must(await app.outbox.create(draft('late.example', { email: true })))
  await clock.advance(2_000)
  must(await app.outbox.correct(key, draft('other.example')))
  service.fail('create', { refuse: 'invalid', fields: { exclude_ips: ['No.'] } })
  await clock.advance(MINUTE)
  service.add('late.example', { email: true })
  await clock.advance(11 * MINUTE)
  expect(app.edits()).toMatchObject([
    { domain: 'other.example', reason: 'refused' },
    { domain: 'late.example', reason: 'appeared' },
  ])
})

test('the undo of a create that may have been applied asks for confirmation, even if its domain was changed and changed back', async () => {
  service.fail('create', { lost: 'request' })
  const key = must(await app.outbox.create(draft('late.example')))
  await settled()
  service.add('late.example', { email: true })
  await clock.advance(MINUTE)
  await clock.advance(12 * MINUTE)
  await app.offline()
  must(await app.outbox.correct(key, draft('other.example')))
  must(app.outbox.undo(app.edits()[0]?.id ?? ''))
  expect(must(app.outbox.undo(app.edits()[0]?.id ?? ''))).toBe('asks')
})

/** Ends in the question about a late create whose website the user has deleted. */
async function askAboutDeletedCreate(): Promise<void> {
  service.fail('create', { refuse: 'invalid', fields: { domain: ['Too many websites.'] } })
  const key = must(await app.outbox.create(draft('late.example')))
  await settled()
  const met = service.add('late.example', { email: true })
  must(await app.refresh.run())
  service.fail('create', { lost: 'request' })
  must(app.outbox.sendNow(app.edits()[0]?.id))
  await clock.advance(2_000)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'domain-taken' }])
  must(await app.outbox.delete(key))
  service.records.delete(met.id)
  service.add('late.example', { email: true })
  await clock.advance(11 * MINUTE)
  expect(app.edits()).toMatchObject([{ website: key, reason: 'appeared', ways: ['delete'] }, { kind: 'delete' }])
}

test('asks about a late create instead of a taken domain if the website that had the domain is deleted, and can delete its website', async () => {
  await askAboutDeletedCreate()
  must(await app.outbox.resolve(app.edits()[0]?.id ?? '', { way: 'delete' }))
  await clock.advance(MINUTE)
  expect(app.edits()).toEqual([])
  expect(service.domains()).toEqual(['there.example'])
})

test('asks again about a late create if its delete is undone after the user chose to delete its website', async () => {
  await askAboutDeletedCreate()
  const release = service.hold('get')
  const answering = app.outbox.resolve(app.edits()[0]?.id ?? '', { way: 'delete' })
  await settled()
  must(app.outbox.undo(app.edits()[1]?.id ?? ''))
  release()
  expect(codeOf(await answering)).toBe('edit-gone')
  await clock.advance(MINUTE)
  expect(app.edits()).toMatchObject([{ reason: 'appeared', ways: ['adopt', 'delete'] }])
  expect(service.domains()).toEqual(['there.example', 'late.example'])
})
