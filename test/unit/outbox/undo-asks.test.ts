import { expect, test } from 'vitest'
import { settled } from './clock.ts'
import { draft, must } from './rig.ts'
import { app, clock, record, service, start, existingKey, useApp } from './rig-app.ts'

useApp(() => service.add('there.example', { email: false, privacy: 2 }), { onDisk: true })

const idOf = (kind: string) => app.edits().find((edit) => edit.kind === kind)?.id ?? ''

test('asks before it deletes a website whose create has been sent since the undo was offered', async () => {
  const release = service.holdAnswer('create')
  must(await app.outbox.create(draft('new.example')))
  await settled()
  const id = idOf('create')
  expect(must(app.outbox.undo(id))).toBe('asks')
  expect(app.edits()).toHaveLength(1)
  release()
  await clock.advance(5_000)
  expect(must(app.outbox.undo(id))).toBe('asks')
  expect(app.edits()).toEqual([])
  expect(must(app.outbox.undo(id, true))).toBe('queued')
  await clock.advance(15_000)
  expect(service.domains()).toEqual(['there.example'])
})

test('asks before it creates a website again whose delete has been sent since the undo was offered', async () => {
  Object.assign(record(), { password: true })
  must(await app.refresh.run())
  const release = service.holdAnswer('delete')
  must(await app.outbox.delete(existingKey()))
  const id = idOf('delete')
  await clock.advance(11_000)
  expect(must(app.outbox.undo(id))).toBe('asks')
  release()
  await clock.advance(5_000)
  expect(app.edits()).toEqual([])
  expect(must(app.outbox.undo(id))).toBe('asks')
  expect(must(app.outbox.undo(id, true))).toBe('queued')
  // The service has deleted the password with the website.
  expect(app.edits()).toMatchObject([{ kind: 'create', state: 'parked', reason: 'password' }])
})

test('undoes all saves of an edit at once, but asks first if the website may have been created already', async () => {
  await app.offline()
  for (const privacy of [0, 1, 0] as const) must(await app.outbox.update(existingKey(), { privacy, email: true }))
  expect(must(app.outbox.undo(idOf('update'), false, true))).toBe('undone')
  expect(app.list()).toMatchObject([{ privacy: 2, email: false, state: 'synced' }])
  await app.online()
  const release = service.holdAnswer('create')
  const key = must(await app.outbox.create(draft('new.example')))
  await settled()
  must(await app.outbox.update(key, { email: true }))
  expect(must(app.outbox.undo(idOf('create'), false, true))).toBe('asks')
  release()
})

test('does not send a password that was saved after a lost request and undone with all saves of the edit', async () => {
  service.fail('update', { lost: 'request' })
  must(await app.outbox.update(existingKey(), { privacy: 2, password: 'a long secret' }))
  await clock.advance(2_000)
  await app.offline()
  must(await app.outbox.update(existingKey(), { privacy: 2, password: 'another secret' }))
  must(app.outbox.undo(idOf('update'), false, true))
  await app.online(60_000)
  expect(app.edits()).toEqual([])
  expect(service.updates()).toMatchObject([{ password: 'a long secret' }])
})

test('keeps the value of the first of fifty-one saves when the fifty after it are undone', async () => {
  await app.offline()
  const key = existingKey()
  must(await app.outbox.update(key, { privacy: 0 }))
  for (let n = 0; n < 50; n++)
    must(
      await app.outbox.update(key, { privacy: n % 2 === 0 ? 2 : 0, ...(n % 2 === 0 && { password: 'a long secret' }) }),
    )
  for (let n = 0; n < 50; n++) must(app.outbox.undo(app.edits()[0]?.id ?? ''))
  expect(app.edits()).toMatchObject([{ settings: { privacy: 0 } }])
})

test('undoes many saves one by one after a restart', async () => {
  await app.offline()
  for (let n = 1; n <= 21; n++) must(await app.outbox.update(existingKey(), { exclude_ips: [`10.0.0.${n}`] }))
  await app.close()
  start()
  await app.offline()
  for (let n = 20; n >= 1; n--) {
    expect(must(app.outbox.undo(idOf('update')))).toBe('undone')
    expect(app.list()).toMatchObject([{ exclude_ips: [`10.0.0.${n}`] }])
  }
  expect(must(app.outbox.undo(idOf('update')))).toBe('undone')
  expect(app.list()).toMatchObject([{ exclude_ips: [], state: 'synced' }])
})
