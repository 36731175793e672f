import { expect, test } from 'vitest'
import { settled, MINUTE } from './clock.ts'
import { draft, must } from './rig.ts'
import { app, clock, sealer, service, existingKey, useApp } from './rig-app.ts'
import { giveUpCreate } from './rig-late-write.ts'

/** Tests reads, decisions and edits that happen during other work. */

useApp(() => service.add('there.example', { email: false, updated_at: '2026-01-01T00:00:00Z' }))

/** The service accepts the same domain several times, and the answers to creates are lost. */
function acceptTwice(): void {
  service.create = (sent) => {
    service.received.push({ operation: 'create', sent })
    service.add(sent.domain)
    const error = { code: 'timeout', message: '' } as const
    return Promise.resolve({ outcome: 'inDoubt', error, meta: {} })
  }
}

/** Gives up a create, which then takes effect. */
async function appear(domain: string): Promise<void> {
  await giveUpCreate(domain)
  service.add(domain)
  await clock.advance(11 * MINUTE)
  expect(app.edits()).toMatchObject([{ kind: 'create', state: 'parked', reason: 'appeared' }])
}

test('does not count a list that was read during a write as a read after that write', async () => {
  await clock.advance(2 * MINUTE)
  const release = service.hold('update')
  must(await app.outbox.update(existingKey(), { email: true }))
  await settled()
  await clock.advance(10)
  must(await app.refresh.run())
  release()
  await settled()
  must(await app.outbox.update(existingKey(), { email: false }))
  await clock.advance(MINUTE)
  expect(app.edits()).toEqual([])
  expect(service.records.get('1')).toMatchObject({ email: false })
})

test('does not base a write on a slow read if a list that was read later shows another client’s change', async () => {
  await clock.advance(2 * MINUTE)
  const release = service.holdAnswer('get')
  must(await app.outbox.update(existingKey(), { exclude_ips: ['10.0.0.1'] }))
  await settled()
  Object.assign(service.records.get('1') ?? expect.fail('it is gone'), { exclude_ips: ['10.0.0.2'] })
  must(await app.refresh.run())
  release()
  await clock.advance(MINUTE)
  expect(service.records.get('1')?.exclude_ips).toEqual(['10.0.0.2', '10.0.0.1'])
  expect(app.edits()).toEqual([])
})

test('does not base a write on a list that was read while the read of the website was slow, as the list may be older', async () => {
  await clock.advance(2 * MINUTE)
  const record = service.records.get('1') ?? expect.fail('it is gone')
  const release = service.hold('get')
  must(await app.outbox.update(existingKey(), { exclude_ips: ['10.0.0.1'] }))
  await settled()
  must(await app.refresh.run())
  Object.assign(record, { exclude_ips: ['10.0.0.2'] })
  release()
  await clock.advance(MINUTE)
  expect(record.exclude_ips).toEqual(['10.0.0.2', '10.0.0.1'])
})

test('does not base a write on a list that began just before a slow read and was answered first', async () => {
  await clock.advance(2 * MINUTE)
  const record = service.records.get('1') ?? expect.fail('it is gone')
  delete record.updated_at
  const listed = service.hold('list')
  const refreshed = app.refresh.run()
  await settled()
  const release = service.holdAnswer('get')
  must(await app.outbox.update(existingKey(), { exclude_ips: ['10.0.0.1'] }))
  await settled()
  record.exclude_ips = ['10.0.0.2']
  listed()
  must(await refreshed)
  release()
  await clock.advance(MINUTE)
  expect(record.exclude_ips).toEqual(['10.0.0.2', '10.0.0.1'])
})

test('does not base a write on a list if a slow read proves that the list is older', async () => {
  await clock.advance(2 * MINUTE)
  const record = service.records.get('1') ?? expect.fail('it is gone')
  record.updated_at = '2026-01-01T00:00:00Z'
  const release = service.hold('get')
  must(await app.outbox.update(existingKey(), { email: true }))
  await settled()
  must(app.outbox.undo(app.edits()[0]?.id ?? '', true))
  must(await app.refresh.run())
  service.touch(record, { exclude_ips: ['10.0.0.2'], updated_at: '2026-01-01T00:01:00Z' })
  release()
  await settled()
  must(await app.outbox.update(existingKey(), { exclude_ips: ['10.0.0.1'] }))
  await clock.advance(MINUTE)
  expect(record.exclude_ips).toEqual(['10.0.0.2', '10.0.0.1'])
})

test('a delete does not report our own write as a conflict, although a list was read while that write was being sent', async () => {
  await clock.advance(2 * MINUTE)
  const release = service.hold('update')
  must(await app.outbox.update(existingKey(), { privacy: 0 }))
  await settled()
  await clock.advance(10)
  must(await app.refresh.run())
  release()
  await settled()
  must(await app.outbox.delete(existingKey()))
  await clock.advance(MINUTE)
  expect(app.edits()).toEqual([])
  expect(service.records.size).toBe(0)
})

/** Holds the answer to our write, while another client changes a list. The host sends no times. `release` sends the answer. */
async function answeredSlowly() {
  await clock.advance(2 * MINUTE)
  const record = service.records.get('1') ?? expect.fail('it is gone')
  delete record.updated_at
  const release = service.holdAnswer('update')
  must(await app.outbox.update(existingKey(), { email: true }))
  await settled()
  record.exclude_ips = ['10.0.0.2']
  return { record, release }
}

test('before the next update, reads a website again if a list has shown another client’s change while the answer to a write was delayed', async () => {
  const { record, release } = await answeredSlowly()
  must(await app.outbox.update(existingKey(), { exclude_ips: ['10.0.0.1'] }))
  must(await app.refresh.run())
  release()
  await clock.advance(MINUTE)
  expect(record).toMatchObject({ email: true, exclude_ips: ['10.0.0.2', '10.0.0.1'] })
  expect(app.edits()).toEqual([])
})

test('before the next update, reads a website again if a list that began while our write was under way is answered after it', async () => {
  const { record, release } = await answeredSlowly()
  const releaseList = service.holdAnswer('list')
  const refreshed = app.refresh.run()
  await settled()
  release()
  await settled()
  releaseList()
  must(await refreshed)
  must(await app.outbox.update(existingKey(), { exclude_ips: ['10.0.0.1'] }))
  await clock.advance(MINUTE)
  expect(record).toMatchObject({ email: true, exclude_ips: ['10.0.0.2', '10.0.0.1'] })
})

test('before the next update, reads a website again if a list has shown another client’s change while the answer to the create was delayed', async () => {
  const release = service.holdAnswer('create')
  must(await app.outbox.create(draft('new.example')))
  await settled()
  const record = service.records.get('2') ?? expect.fail('it is not there')
  record.exclude_ips = ['10.0.0.2']
  must(await app.refresh.run())
  must(await app.outbox.update(app.keyOf('new.example'), { exclude_ips: ['10.0.0.1'] }))
  release()
  await clock.advance(MINUTE)
  expect(record.exclude_ips).toEqual(['10.0.0.2', '10.0.0.1'])
})

test('creates a website with the corrected domain if the user corrects the domain while the keychain is slow', async () => {
  const release = sealer.hold()
  const key = must(await app.outbox.create(draft('wrnog.example', { privacy: 2, password: 'secret' })))
  await settled()
  const corrected = app.outbox.correct(key, draft('wrong.example', { privacy: 2 }))
  await settled()
  release()
  must(await corrected)
  // Two sends wait for the keychain: the one that began before the correction, and the next one.
  await settled()
  release()
  await settled()
  release()
  await clock.advance(MINUTE)
  expect(service.domains()).toEqual(['there.example', 'wrong.example'])
})

test.each([{ lost: 'request' } as const, { refuse: 'rate-limited', retryAfter: 1 } as const])(
  'a delete that supersedes an update in flight can be undone for ten seconds, even if the update fails with %j',
  async (fault) => {
    await clock.advance(5 * MINUTE)
    const release = service.hold('update')
    service.fail('update', fault)
    must(await app.outbox.update(existingKey(), { email: true }))
    await settled()
    must(await app.outbox.delete(existingKey()))
    const removal = app.edits().find(({ kind }) => kind === 'delete')
    release()
    await clock.advance(5_000)
    expect(service.records.size).toBe(1)
    expect(app.edits()).toMatchObject([{ id: removal?.id, kind: 'delete', can: { undo: true } }])
    await clock.advance(6_000)
    expect(service.records.size).toBe(0)
  },
)

test('deletes the website of a late create on the service when the user deletes it', async () => {
  await appear('late.example')
  must(await app.outbox.delete(app.keyOf('late.example')))
  await clock.advance(2 * MINUTE)
  expect(service.domains()).toEqual(['there.example'])
  expect(app.edits()).toEqual([])
})

test('sends a change of the website of a late create as an update, and sends no further create', async () => {
  await appear('late.example')
  const before = service.writes().length
  must(await app.outbox.update(app.keyOf('late.example'), { email: true }))
  await clock.advance(2 * MINUTE)
  expect(service.writes().slice(before)).toEqual(['update'])
  expect([...service.records.values()].at(-1)).toMatchObject({ domain: 'late.example', email: true })
})

test('looks up the website of a create in doubt before the create is sent again, even if a change is queued behind the create', async () => {
  acceptTwice()
  const release = service.hold('list')
  const key = must(await app.outbox.create(draft('new.example')))
  await settled()
  must(await app.outbox.update(key, { email: true }))
  release()
  await clock.advance(MINUTE)
  expect(service.writes()).toEqual(['create'])
})

test('a create that is corrected to the domain of a website waits for the delete of that website, although the delete is later', async () => {
  await app.offline()
  const key = must(await app.outbox.create(draft('new.example')))
  must(await app.outbox.delete(existingKey()))
  must(await app.outbox.correct(key, draft('there.example')))
  await app.online(MINUTE)
  expect(app.edits()).toEqual([])
  expect(service.writes()).toEqual(['delete', 'create'])
})

test('does not delete a website that the user adopts after having deleted it', async () => {
  service.add('other.example', { email: true })
  must(await app.outbox.create(draft('other.example')))
  await settled()
  must(await app.refresh.run())
  const met = app.store.websiteOfId('2')?.key ?? ''
  must(await app.outbox.delete(met))
  const create = app.edits().find(({ kind }) => kind === 'create')?.id ?? ''
  must(await app.outbox.resolve(create, { way: 'adopt' }))
  await clock.advance(MINUTE)
  expect(service.domains()).toContain('other.example')
  expect(app.edits()).toEqual([])
})

test('holds an edit instead of parking it if the service rejects both the write and the list', async () => {
  const error = { code: 'forbidden', message: '' } as const
  service.list = () => Promise.resolve({ outcome: 'notApplied', error, meta: {} })
  service.fail('update', { refuse: 'forbidden' })
  must(await app.outbox.update(existingKey(), { email: true }))
  await settled()
  expect(app.edits()).toMatchObject([{ state: 'held', error: { code: 'forbidden' } }])
})

test.each(['update', 'delete'] as const)(
  'does not take a website for gone if the service answers every request with 404 (%s)',
  async (kind) => {
    await clock.advance(2 * MINUTE)
    const notFound = () =>
      Promise.resolve({ outcome: 'notApplied', error: { code: 'not-found', message: '' }, meta: {} } as const)
    for (const operation of ['list', 'get', 'update', 'delete'] as const) service[operation] = notFound
    const key = existingKey()
    must<unknown>(kind === 'update' ? await app.outbox.update(key, { email: true }) : await app.outbox.delete(key))
    await clock.advance(15_000)
    expect(app.edits()).toMatchObject([{ state: 'held', error: { code: 'not-found' } }])
    expect(app.keyOf('there.example')).toBe(key)
  },
)
