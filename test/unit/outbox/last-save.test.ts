import { expect, test } from 'vitest'
import { MINUTE } from './clock.ts'
import { draft, must } from './rig.ts'
import { app, clock, service, addSharedWebsite, existingKey, useApp } from './rig-app.ts'

useApp(() => service.add('there.example', { email: false, privacy: 1 }))

const last = (website?: string) => must(app.outbox.lastSave(website))
const domainOfLast = () => last()?.edit?.domain ?? last()?.entry?.domain
const undoLast = () => must(app.outbox.undo(last()?.edit?.id ?? last()?.entry?.id ?? ''))

test('the last save is the latest one, even if it was delivered and an earlier save is still parked', async () => {
  const other = await addSharedWebsite('other.example')
  service.fail('update', { refuse: 'forbidden' })
  must(await app.outbox.update(existingKey(), { privacy: 0 }))
  await clock.advance(5_000)
  must(await app.outbox.update(other, { email: true }))
  await clock.advance(5_000)
  expect(app.edits()).toMatchObject([{ domain: 'there.example', state: 'parked' }])
  expect(last()?.entry).toMatchObject({ domain: 'other.example', can: { undo: true } })
  expect(last(existingKey())?.edit).toMatchObject({ domain: 'there.example' })
  must(await app.outbox.update(existingKey(), { exclude_ips: ['10.0.0.1'] }))
  expect(last()?.edit).toMatchObject({ domain: 'there.example' })
})

test('finds the last save even if its edit is not the last one in the queue', async () => {
  const other = await addSharedWebsite('other.example')
  await app.offline()
  must(await app.outbox.create(draft('new.example')))
  const keys = [existingKey(), other, existingKey(), app.keyOf('new.example')]
  for (const [n, key] of keys.entries()) {
    await clock.advance(1_000)
    must(await app.outbox.update(key, { exclude_ips: [`10.0.0.${n}`] }))
  }
  const undone: (string | undefined)[] = []
  for (let n = 0; n < 9 && last() !== null; n++) {
    undone.push(domainOfLast())
    undoLast()
    await clock.advance(1_000)
  }
  expect(undone).toEqual(['new.example', 'there.example', 'other.example', 'there.example', 'new.example'])
})

test.each(['waits', 'was sent'])(
  'undoes what the user changed by using an existing website instead of a new one: the change %s',
  async (state) => {
    must(await app.outbox.update(existingKey(), { privacy: 0 }))
    await clock.advance(5_000)
    service.add('mine.example', { email: false, privacy: 1, exclude_ips: ['10.0.0.8'] })
    must(await app.outbox.create(draft('mine.example', { email: true, privacy: 1, exclude_ips: ['10.0.0.1'] })))
    await clock.advance(5_000)
    const parked = app.edits()[0]?.id ?? expect.fail('it is not parked')
    if (state === 'waits') await app.offline()
    must(await app.outbox.resolve(parked, { way: 'adopt' }))
    await clock.advance(5_000)
    expect(domainOfLast()).toBe('mine.example')
    if (state === 'was sent') expect(last()?.entry?.overwritten).toEqual({ email: false })
    undoLast()
    expect(app.list('mine')).toMatchObject([{ email: false, exclude_ips: ['10.0.0.8'] }])
    // The undone save did not create the website, so the save before it can be undone next.
    expect(domainOfLast()).toBe('there.example')
    undoLast()
    await app.online(MINUTE)
    expect(app.list('mine')).toMatchObject([{ state: 'synced', email: false, exclude_ips: ['10.0.0.8'] }])
    expect(app.list('there')).toMatchObject([{ state: 'synced', privacy: 1 }])
  },
)

test('an undo, or a save that was undone, is never the last save, but a save stored without a time may be', async () => {
  expect(last()).toBeNull()
  must(await app.outbox.update(existingKey(), { privacy: 0 }))
  await clock.advance(5_000)
  await app.offline()
  must(await app.outbox.update(existingKey(), { email: true }))
  const edit = app.store.edit(app.edits()[0]?.id ?? '') ?? expect.fail('it is gone')
  const saves = (edit.note?.saves ?? []).map(({ before, after, password }) => ({ before, after, password }))
  must(app.store.write(() => ({ ok: true, value: app.store.saveEdit({ ...edit, note: { ...edit.note, saves } }) })))
  expect(last()).toMatchObject({ order: edit.changedAt, edit: { id: edit.id } })
  undoLast()
  expect(last()?.entry).toMatchObject({ settings: { privacy: 0 } })
  undoLast()
  expect(app.edits()).toMatchObject([{ isUndo: true }])
  expect(last()).toBeNull()
})

test('a pending undo counts as a change of the user once a save has been merged into it', async () => {
  must(await app.outbox.update(existingKey(), { privacy: 0 }))
  await clock.advance(5_000)
  await app.offline()
  undoLast()
  expect(app.edits()).toMatchObject([{ isUndo: true }])
  must(await app.outbox.update(existingKey(), { email: true }))
  expect(app.edits()).toHaveLength(1)
  expect(app.edits()[0]).not.toHaveProperty('isUndo')
})

test('a delete that replaces an unsent undo is the last save, before and after the delete is sent', async () => {
  must(await app.outbox.update(existingKey(), { privacy: 0 }))
  await clock.advance(5_000)
  await app.offline()
  undoLast()
  must(await app.outbox.delete(existingKey()))
  expect(last()?.edit).toMatchObject({ kind: 'delete' })
  expect(undoLast()).toBe('undone')
  expect(app.edits()).toMatchObject([{ kind: 'update', settings: { privacy: 1 }, isUndo: true }])
  must(await app.outbox.delete(existingKey()))
  await app.online(MINUTE)
  expect(service.domains()).toEqual([])
  expect(last()?.entry).toMatchObject({ kind: 'delete', can: { undo: true } })
})

test('finds the last save although the clock was set back before it', async () => {
  const other = await addSharedWebsite('other.example')
  must(await app.outbox.update(other, { email: true }))
  await clock.advance(5_000)
  clock.jump(-60 * MINUTE)
  must(await app.outbox.update(existingKey(), { privacy: 0 }))
  await clock.advance(5_000)
  expect(app.edits()).toEqual([])
  expect(domainOfLast()).toBe('there.example')
  undoLast()
  expect(domainOfLast()).toBe('other.example')
})

test('finds the last save although 120 later ones were undone', async () => {
  must(await app.outbox.update(existingKey(), { privacy: 0 }))
  await clock.advance(5_000)
  await app.offline()
  for (let n = 0; n < 120; n++) {
    must(await app.outbox.update(existingKey(), { email: true }))
    undoLast()
  }
  expect(last()?.entry).toMatchObject({ settings: { privacy: 0 } })
})
