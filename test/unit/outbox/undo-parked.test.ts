import { expect, test } from 'vitest'
import { codeOf, draft, must } from './rig.ts'
import { app, clock, record, service, existingKey, useApp } from './rig-app.ts'

useApp(() => service.add('there.example', { email: false, privacy: 1 }))

const undoFirst = () => app.outbox.undo(app.edits()[0]?.id ?? '')

test('an undo takes the last save out of an update that the service refused, and the rest is sent', async () => {
  await app.offline()
  must(await app.outbox.update(existingKey(), { email: true }))
  must(await app.outbox.update(existingKey(), { exclude_ips: ['10.0.0.1'] }))
  service.fail('update', { refuse: 'invalid', fields: { exclude_ips: ['The plan has none.'] } })
  await app.online()
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'refused', can: { undo: true } }])
  expect(must(undoFirst())).toBe('undone')
  await clock.advance(5_000)
  expect(record()).toMatchObject({ email: true, exclude_ips: [] })
  expect(app.edits()).toEqual([])
})

test('undoes a save that is in conflict with a remote change', async () => {
  await app.offline()
  must(await app.outbox.update(existingKey(), { privacy: 0 }))
  record().privacy = 2
  // Once the read is a minute old, the website is read again before the write.
  await clock.advance(60_000)
  await app.online()
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'conflict', can: { undo: true } }])
  expect(must(undoFirst())).toBe('undone')
  await clock.advance(5_000)
  expect(app.edits()).toEqual([])
  expect(service.writes()).toEqual([])
  expect(app.list()).toMatchObject([{ privacy: 2, state: 'synced' }])
})

test('undoes a create whose domain is taken', async () => {
  service.fail('create', { refuse: 'invalid', fields: { domain: ['The domain has already been taken.'] } })
  must(await app.outbox.create(draft('taken.example')))
  await clock.advance(5_000)
  expect(app.edits()).toMatchObject([{ kind: 'create', state: 'parked', can: { undo: true } }])
  expect(must(undoFirst())).toBe('undone')
  expect(app.list().map(({ domain }) => domain)).toEqual(['there.example'])
})

test('offers no undo for a parked edit that may have been applied, or for a parked delete', async () => {
  service.fail('delete', { refuse: 'forbidden' })
  must(await app.outbox.delete(existingKey()))
  await clock.advance(30_000)
  expect(app.edits()).toMatchObject([{ kind: 'delete', state: 'parked', can: { undo: false } }])
  must(app.outbox.discard(app.edits()[0]?.id ?? ''))
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(existingKey(), { privacy: 0 }))
  await clock.advance(1)
  record().privacy = 2
  await clock.advance(60_000)
  expect(app.edits()).toMatchObject([{ state: 'parked', can: { undo: false } }])
  expect(codeOf(undoFirst())).toBe('edit-gone')
})

test('queues the change again that a refused delete had replaced when the user discards the delete', async () => {
  await app.offline()
  must(await app.outbox.update(existingKey(), { email: true }))
  must(await app.outbox.delete(existingKey()))
  service.fail('delete', { refuse: 'forbidden' })
  await app.online(30_000)
  expect(app.edits()).toMatchObject([{ kind: 'delete', state: 'parked', reason: 'refused' }])
  must(app.outbox.discard(app.edits()[0]?.id ?? ''))
  expect(app.edits()).toMatchObject([{ kind: 'update', settings: { email: true } }])
  await clock.advance(5_000)
  expect(record()).toMatchObject({ email: true })
  expect(app.edits()).toEqual([])
})

test.each([
  ['discards the undo', (id: string) => app.outbox.discard(id)],
  [
    'decides for the remote value',
    (id: string) => app.outbox.resolve(id, { way: 'units', units: { privacy: 'theirs' } }),
  ],
])('a save can be undone again if its undo is in conflict and the user %s', async (_what, decide) => {
  must(await app.outbox.update(existingKey(), { privacy: 0 }))
  await clock.advance(5_000)
  const [{ id } = expect.fail('it was not sent')] = app.history()
  await app.offline()
  expect(must(app.outbox.undo(id))).toBe('queued')
  service.touch(record(), { privacy: 2 })
  await clock.advance(60_000)
  await app.online(30_000)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'conflict' }])
  must<unknown>(await decide(app.edits()[0]?.id ?? ''))
  expect(app.edits()).toEqual([])
  expect(must(app.outbox.lastSave())?.entry).toMatchObject({ id, can: { undo: true } })
})

test('a save can be undone again if its undo may have been sent before it was refused, and the user discards the undo', async () => {
  must(await app.outbox.update(existingKey(), { privacy: 0 }))
  await clock.advance(5_000)
  const [{ id } = expect.fail('it was not sent')] = app.history()
  service.fail('update', { lost: 'request' })
  service.fail('update', { refuse: 'forbidden' })
  expect(must(app.outbox.undo(id))).toBe('queued')
  await clock.advance(60_000)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'refused', possiblySent: true }])
  must(app.outbox.discard(app.edits()[0]?.id ?? ''))
  expect(app.edits()).toMatchObject([{ kind: 'update', settings: { privacy: 0 } }])
  expect(must(app.outbox.lastSave())?.entry).toMatchObject({ id, can: { undo: true } })
  await clock.advance(60_000)
  expect(app.edits()).toEqual([])
  expect(must(app.outbox.lastSave())?.entry).toMatchObject({ id, can: { undo: true } })
})

/** Before a save is sent, another client sets one of its two fields to the same value. The save is parked as a conflict. */
async function parkWithSameValue(): Promise<void> {
  Object.assign(record(), { updated_at: '2026-01-01T00:00:00Z' })
  must(await app.refresh.run())
  await app.offline()
  must(await app.outbox.update(existingKey(), { exclude_bots: false, exclude_params: ['ref'] }))
  service.touch(record(), { exclude_bots: false, updated_at: '2026-01-01T00:01:00Z' })
  await clock.advance(60_000)
  await app.online(5_000)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'conflict' }])
}

test('the undo of the last save leaves the value of the save before it to be sent, although the service had that value in between', async () => {
  await parkWithSameValue()
  service.touch(record(), { exclude_bots: true, updated_at: '2026-01-01T00:02:00Z' })
  must(await app.outbox.update(existingKey(), { exclude_bots: true }))
  must(app.outbox.undo(app.edits()[0]?.id ?? ''))
  expect(app.edits()).toMatchObject([{ settings: { exclude_bots: false, exclude_params: ['ref'] } }])
})

test('repeated undos restore the value of each save, after a conflict in which the service had the value of the first', async () => {
  await parkWithSameValue()
  await app.offline()
  for (const exclude_bots of [true, false, true]) must(await app.outbox.update(existingKey(), { exclude_bots }))
  const shown = () => app.view.get(existingKey())?.exclude_bots
  const seen = [shown()]
  for (let n = 0; n < 3; n++) {
    must(app.outbox.undo(app.edits()[0]?.id ?? ''))
    seen.push(shown())
  }
  expect(seen).toEqual([true, false, true, false])
})

test('the undo of a save that had set a field back sends the earlier value, although the service had that value in between', async () => {
  await app.offline()
  for (const changes of [{ privacy: 0 }, { email: true }, { email: false }] as const)
    must(await app.outbox.update(existingKey(), changes))
  const conflict = async (email: boolean) => {
    service.touch(record(), { privacy: 2, email })
    await clock.advance(60_000)
    await app.online(5_000)
    expect(app.edits()).toMatchObject([{ reason: 'conflict', settings: { privacy: 0 } }])
    await app.offline()
  }
  await conflict(true)
  must(await app.outbox.update(existingKey(), { email: false }))
  must(undoFirst())
  await conflict(false)
  must(undoFirst())
  expect(app.edits()).toMatchObject([{ settings: { privacy: 0, email: true } }])
})

test('after the user has kept a value from elsewhere, the undo of an earlier save of that field asks again', async () => {
  await app.offline()
  for (const changes of [{ email: true }, { privacy: 0 }, { privacy: 2, password: 'mine' }] as const)
    must(await app.outbox.update(existingKey(), changes))
  service.touch(record(), { privacy: 2, password: true })
  await clock.advance(60_000)
  await app.online(5_000)
  await app.offline()
  must<unknown>(await app.outbox.resolve(app.edits()[0]?.id ?? '', { way: 'units', units: { privacy: 'theirs' } }))
  must(undoFirst())
  await app.online(60_000)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'conflict' }])
  expect(record()).toMatchObject({ privacy: 2 })
})
