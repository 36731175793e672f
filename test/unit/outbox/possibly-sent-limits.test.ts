import { expect, test } from 'vitest'
import { MINUTE } from './clock.ts'
import { codeOf, draft, must } from './rig.ts'
import { app, clock, record, service, existingKey, useApp } from './rig-app.ts'

/** Tests values that may have been sent, in combination with remote changes, endless failures and deletes. */

useApp(() => service.add('there.example', { exclude_ips: ['10.0.0.1'] }), { onDisk: true })

const editId = () => app.edits()[0]?.id ?? expect.fail('there is no edit')

const lose = (count: number) => {
  for (let n = 0; n < count; n++) service.fail('update', { lost: 'request' })
}

test('parks the reverse of a change after five failures, and Discard removes it', async () => {
  lose(100)
  must(await app.outbox.update(existingKey(), { email: true }))
  await clock.advance(3_000)
  must(app.outbox.undo(editId(), true))
  await clock.advance(60 * MINUTE)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'failing', settings: { email: false } }])
  expect(app.edits()[0]?.possiblySent).toBeUndefined()
  must(app.outbox.discard(editId()))
  expect(app.edits()).toEqual([])
})

test.each([
  [
    'keeps the line that another client added when the change is undone',
    () => must(app.outbox.undo(editId(), true)),
    '9',
  ],
  ['does not put back a line that another client has removed', removeTheirLine, '2'],
])('after two lost requests, %s', async (_what, then, kept) => {
  lose(2)
  must(await app.outbox.update(existingKey(), { exclude_ips: ['10.0.0.1', '10.0.0.2'] }))
  service.touch(record(), { exclude_ips: ['10.0.0.1', '10.0.0.9'] })
  await clock.advance(6_000)
  expect(service.updates().at(-1)).toEqual({ exclude_ips: ['10.0.0.1', '10.0.0.9', '10.0.0.2'] })
  await then()
  await clock.advance(10 * MINUTE)
  expect(record()).toMatchObject({ exclude_ips: ['10.0.0.1', `10.0.0.${kept}`] })
})

/** The other client removes its line again, and the app reads this. */
async function removeTheirLine(): Promise<void> {
  service.touch(record(), { exclude_ips: ['10.0.0.1'] })
  must(await app.refresh.run())
}

test('sends the field that the user has set back although a late write applies both fields of the earlier request', async () => {
  lose(2)
  must(await app.outbox.update(existingKey(), { email: true, exclude_bots: false }))
  await clock.advance(3_000)
  must(await app.outbox.update(existingKey(), { email: false }))
  await clock.advance(2_000)
  // The first request takes effect late.
  service.touch(record(), { email: true, exclude_bots: false })
  await clock.advance(5 * MINUTE)
  expect(record()).toMatchObject({ email: false, exclude_bots: false })
})

test('undoing a delete that is being sent restores the replaced update, and sends it although it only sets a field back', async () => {
  lose(1)
  must(await app.outbox.update(existingKey(), { email: true }))
  await clock.advance(2_500)
  must(await app.outbox.update(existingKey(), { email: false }))
  must(await app.outbox.delete(existingKey()))
  service.fail('delete', { lost: 'request' })
  const release = service.hold('delete')
  await clock.advance(11_000)
  must(app.outbox.undo(editId(), true))
  release()
  await clock.advance(MINUTE)
  expect(service.updates()).toEqual([{ email: true }, { email: false }])
})

test('looks up a possibly created website at once if the user chooses “Send now” for its delete', async () => {
  service.fail('create', { lost: 'request' })
  must(await app.outbox.create(draft('new.example')))
  await clock.advance(3_000)
  const create = app.edits().find(({ kind }) => kind === 'create')?.id ?? ''
  must(app.outbox.undo(create, true))
  await clock.advance(3_000)
  const removal = app.edits().find(({ kind }) => kind === 'delete')?.id ?? ''
  must(app.outbox.sendNow(removal))
  await clock.advance(1_000)
  expect(app.edits()).toEqual([])
  expect(codeOf(app.outbox.undo(create, true))).toBe('edit-gone')
})
