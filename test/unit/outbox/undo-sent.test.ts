import { afterEach, expect, test } from 'vitest'
import { settled } from './clock.ts'
import { codeOf, draft, must } from './rig.ts'
import { app, clock, service, useApp } from './rig-app.ts'

useApp(() => service.add('there.example', { email: false, privacy: 1 }))

/** Lets the held requests continue. */
let release = () => {}
afterEach(() => release())

/** Holds all writes before the service applies them, until {@link release} is called. */
function holdWrites(): void {
  const held = new Promise<void>((resolve) => (release = resolve))
  service.before = (operation) => (['create', 'update', 'delete'].includes(operation) ? held : undefined)
}

/** Undoes the last save of the first edit in the list. Agrees to a delete or another create. */
const undoFirst = () => app.outbox.undo(app.edits()[0]?.id ?? '', true)

test('sends a change that was undone while it was being sent, and then its reverse', async () => {
  holdWrites()
  must(await app.outbox.update(app.keyOf('there.example'), { email: true, privacy: 0 }))
  await settled()
  // The undo keeps this later change.
  must(await app.outbox.update(app.keyOf('there.example'), { privacy: 2 }))
  must(undoFirst())
  release()
  await clock.advance(5_000)
  expect(service.records.get('1')).toMatchObject({ email: false, privacy: 2 })
  expect(app.edits()).toEqual([])
})

test('the undo of all saves of a change that is being sent takes back each of them', async () => {
  await app.offline()
  for (const changes of [{ email: true }, { privacy: 2, password: 'never sent' }, { privacy: 0 }] as const)
    must(await app.outbox.update(app.keyOf('there.example'), changes))
  const id = app.edits()[0]?.id ?? ''
  holdWrites()
  await app.online(5_000)
  expect(must(app.outbox.undo(id, false, true))).toBe('queued')
  release()
  await clock.advance(60_000)
  expect(service.updates()).toEqual([
    { email: true, privacy: 0 },
    { email: false, privacy: 1 },
  ])
  expect(app.edits()).toEqual([])
})

test.each(['create', 'update', 'delete'] as const)(
  'the undo of all saves of a pending %s reverses nothing if it has been sent in the meantime',
  async (kind) => {
    await app.offline()
    const key = app.keyOf('there.example')
    if (kind === 'create') must(await app.outbox.create(draft('new.example')))
    else must(kind === 'update' ? await app.outbox.update(key, { email: true }) : await app.outbox.delete(key))
    const id = app.edits()[0]?.id ?? ''
    await app.online(60_000)
    expect(codeOf(app.outbox.undo(id, false, true))).toBe('edit-gone')
    expect(app.edits()).toEqual([])
  },
)

test('does not ask for the password that the service still has if the user undoes a later save of another setting', async () => {
  const key = app.keyOf('there.example')
  service.touch(service.records.get('1') ?? expect.fail('it is gone'), { privacy: 2, password: true })
  must(await app.refresh.run())
  must(await app.outbox.update(key, { privacy: 1 }))
  await clock.advance(5_000)
  await app.offline()
  must(await app.outbox.revert(app.history()[0]?.id ?? '', 'undo', undefined))
  must(await app.outbox.update(key, { email: true }))
  must(undoFirst())
  expect(app.edits()).toMatchObject([{ state: 'held', settings: { privacy: 2 }, password: false }])
  await app.online()
  expect(service.updates()).toEqual([{ privacy: 1 }, { privacy: 2 }])
})

test('sets a value back that another client has set too, if the undone request was refused', async () => {
  holdWrites()
  must(await app.outbox.update(app.keyOf('there.example'), { email: true, exclude_bots: false }))
  await settled()
  service.touch(service.records.get('1') ?? expect.fail('it is gone'), { email: true })
  must(await app.refresh.run())
  must(undoFirst())
  service.fail('update', { refuse: 'unavailable' })
  release()
  await clock.advance(60_000)
  expect(service.records.get('1')).toMatchObject({ email: false, exclude_bots: true })
  expect(app.edits()).toEqual([])
})

test('keeps the first of two saves in the history if the second was undone and the service ignored it', async () => {
  await app.offline()
  must(await app.outbox.update(app.keyOf('there.example'), { exclude_ips: ['10.0.0.1'] }))
  must(await app.outbox.update(app.keyOf('there.example'), { email: true }))
  service.ignores.add('email')
  holdWrites()
  await app.online(1_000)
  must(undoFirst())
  release()
  await clock.advance(5_000)
  expect(app.edits()).toEqual([])
  expect(app.history()).toMatchObject([
    { became: 'sent', settings: { exclude_ips: ['10.0.0.1'] }, can: { undo: true } },
  ])
})

test('a save whose undo was undone before being sent can be undone again, and still prevents the undo of an earlier save of its field', async () => {
  const key = app.keyOf('there.example')
  must(await app.outbox.update(key, { privacy: 0 }))
  await clock.advance(5_000)
  const first = app.history()[0]?.id ?? ''
  holdWrites()
  must(await app.outbox.update(key, { privacy: 1, email: true }))
  await settled()
  must(undoFirst())
  must(app.outbox.undo(app.edits().at(-1)?.id ?? ''))
  release()
  await clock.advance(5_000)
  expect(app.edits()).toEqual([])
  // The second save has set the first save's field again. Therefore only the second one can be undone.
  expect(app.history().find(({ id }) => id === first)?.can.undo).toBe(false)
  expect(app.history()[0]).toMatchObject({ settings: { privacy: 1, email: true }, can: { undo: true } })
})

test('the undo of a create that is being sent deletes the website ten seconds later', async () => {
  holdWrites()
  must(await app.outbox.create(draft('new.example')))
  await settled()
  must(undoFirst())
  expect(app.edits()).toMatchObject([{ kind: 'create' }, { kind: 'delete', can: { undo: true } }])
  release()
  await clock.advance(9_000)
  expect(service.domains()).toContain('new.example')
  await clock.advance(2_000)
  expect(service.domains()).not.toContain('new.example')
})

test('creates a website again if the user undoes its delete while the delete is being sent', async () => {
  must(await app.outbox.delete(app.keyOf('there.example')))
  holdWrites()
  await clock.advance(11_000)
  must(undoFirst())
  expect(app.edits()).toMatchObject([
    { kind: 'delete', can: { undo: false } },
    { kind: 'create', reason: 'depends' },
  ])
  release()
  await clock.advance(5_000)
  expect(service.domains()).toEqual(['there.example'])
  expect(service.records.has('1')).toBe(false)
})

test('an undone delete whose request was lost is not sent again: the website keeps its statistics', async () => {
  service.fail('delete', { lost: 'request' })
  must(await app.outbox.delete(app.keyOf('there.example')))
  service.before = (operation) => (operation === 'get' ? new Promise((resolve) => (release = resolve)) : undefined)
  // Reads are answered until the delete is sent. The read that looks for the deleted website is held.
  for (let n = 0; n < 3 && !service.writes().includes('delete'); n++) {
    await clock.advance(11_000)
    if (!service.writes().includes('delete')) release()
  }
  must(undoFirst())
  const created = app.edits().find(({ kind }) => kind === 'create')?.website ?? ''
  must(await app.outbox.update(created, { email: true }))
  const { text } = must(await app.outbox.exportQueue())
  service.before = () => {}
  release()
  await clock.advance(30_000)
  expect(service.writes().filter((write) => write !== 'update')).toEqual(['delete'])
  expect(service.records.get('1')).toMatchObject({ email: true })
  expect(app.list()).toMatchObject([{ id: '1', state: 'synced' }])
  // An import of the earlier export adds neither of the two edits again.
  expect(must(await app.outbox.importQueue(text))).toMatchObject({ added: 0, skipped: 2, refused: [] })
})

test('the create that undoes a sent delete waits until the user types the website’s password', async () => {
  Object.assign(service.records.get('1') ?? {}, { privacy: 2, password: true })
  must(await app.refresh.run())
  must(await app.outbox.delete(app.keyOf('there.example')))
  holdWrites()
  await clock.advance(11_000)
  must(undoFirst())
  release()
  await clock.advance(5_000)
  expect(app.edits()).toMatchObject([{ kind: 'create', state: 'parked', reason: 'password' }])
  must(await app.outbox.correct(app.edits()[0]?.website ?? '', draft('there.example', { privacy: 2, password: 'x' })))
  await clock.advance(5_000)
  expect([...service.records.values()]).toMatchObject([{ domain: 'there.example', privacy: 2, password: true }])
})

test('sends the password that the user types for the undo of a delete as an update if the delete was not applied', async () => {
  Object.assign(service.records.get('1') ?? {}, { privacy: 2, password: true })
  must(await app.refresh.run())
  service.fail('delete', { lost: 'request' })
  must(await app.outbox.delete(app.keyOf('there.example')))
  service.before = (operation) =>
    operation === 'get' && service.writes().includes('delete')
      ? new Promise((resolve) => (release = resolve))
      : undefined
  await clock.advance(11_000)
  must(undoFirst())
  const created = app.edits().find(({ kind }) => kind === 'create')?.website ?? ''
  must(await app.outbox.correct(created, draft('there.example', { privacy: 2, password: 'new' })))
  service.before = () => {}
  release()
  await clock.advance(30_000)
  expect(service.received.findLast(({ operation }) => operation === 'update')).toMatchObject({
    sent: { privacy: 2, password: 'new' },
  })
  expect(app.edits()).toEqual([])
})

test.each(['has been sent', 'is being sent'])(
  'asks for the password if the undo of a change that %s brings back a password that was never sent',
  async (state) => {
    await app.offline()
    must(await app.outbox.update(app.keyOf('there.example'), { privacy: 2, password: 'x' }))
    must(await app.outbox.update(app.keyOf('there.example'), { privacy: 0 }))
    const id = app.edits()[0]?.id ?? ''
    holdWrites()
    if (state === 'has been sent') release()
    await app.online()
    must(app.outbox.undo(id))
    release()
    await clock.advance(5_000)
    expect(app.edits()).toMatchObject([{ kind: 'update', state: 'parked', reason: 'password' }])
    expect(service.updates()).toEqual([{ privacy: 0 }])
  },
)

test('offers no undo while an update that only sets a new password is being sent', async () => {
  Object.assign(service.records.get('1') ?? {}, { privacy: 2, password: true })
  must(await app.refresh.run())
  holdWrites()
  must(await app.outbox.update(app.keyOf('there.example'), { privacy: 2, password: 'new' }))
  await settled()
  expect(app.edits()).toMatchObject([{ state: 'sending', can: { undo: false } }])
  expect(codeOf(undoFirst())).toBe('edit-gone')
})

test('undo takes back the later of two saves that cancel each other and were made while an earlier undo was being sent', async () => {
  const key = app.keyOf('there.example')
  must(await app.outbox.update(key, { privacy: 0 }))
  await clock.advance(5_000)
  holdWrites()
  must(app.outbox.undo(app.history()[0]?.id ?? ''))
  await settled()
  must(await app.outbox.update(key, { email: true }))
  must(await app.outbox.update(key, { email: false }))
  release()
  await clock.advance(5_000)
  expect(service.records.get('1')).toMatchObject({ email: false, privacy: 1 })
  const [last] = app.history()
  expect(last?.isUndo).not.toBe(true)
  must(app.outbox.undo(last?.id ?? ''))
  await clock.advance(5_000)
  expect(service.records.get('1')).toMatchObject({ email: true, privacy: 1 })
})

test('an undo takes back only the save after an earlier undo, even if both are merged into a change in doubt', async () => {
  const key = app.keyOf('there.example')
  must(await app.outbox.update(key, { email: true }))
  await clock.advance(5_000)
  const first = app.history()[0]?.id ?? ''
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(key, { exclude_bots: false }))
  await settled()
  expect(app.edits()).toMatchObject([{ state: 'inDoubt' }])
  must(await app.outbox.update(key, { privacy: 0 }))
  must(app.outbox.undo(first))
  must(await app.outbox.update(key, { email: true }))
  const settle = service.hold('get')
  await clock.advance(5_000)
  service.hold('get')
  settle()
  await settled()
  must(undoFirst())
  expect(app.edits()).toMatchObject([{ settings: { privacy: 0, email: false, exclude_bots: false } }])
})
