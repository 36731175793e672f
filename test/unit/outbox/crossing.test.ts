import { expect, test } from 'vitest'
import { settled, MINUTE } from './clock.ts'
import { draft, must } from './rig.ts'
import { app, clock, sealer, service, there, useApp } from './rig-app.ts'
import { giveUpCreate } from './rig-late-write.ts'

/** What crosses what: a read, a decision or an edit that comes while something else is under way. */

useApp(() => service.add('there.example', { email: false, updated_at: '2026-01-01T00:00:00Z' }))

/** A host that keeps a domain as often as it's told to, and loses the first answer. */
function keepTwice(): void {
  service.create = (sent) => {
    service.asked.push({ operation: 'create', sent })
    service.add(sent.domain)
    const error = { code: 'timeout', message: '' } as const
    return Promise.resolve({ outcome: 'inDoubt', error, meta: {} })
  }
}

/** A create that was given up comes through. */
async function appear(domain: string): Promise<void> {
  await giveUpCreate(domain)
  service.add(domain)
  await clock.advance(11 * MINUTE)
  expect(app.edits()).toMatchObject([{ kind: 'create', state: 'parked', reason: 'appeared' }])
}

test('a list that is read while a write is on its way is no read of that record after it', async () => {
  await clock.advance(2 * MINUTE)
  const release = service.hold('update')
  must(await app.outbox.update(there(), { email: true }))
  await settled()
  await clock.advance(10)
  must(await app.refresh.run())
  release()
  await settled()
  must(await app.outbox.update(there(), { email: false }))
  await clock.advance(MINUTE)
  expect(app.edits()).toEqual([])
  expect(service.records.get('1')).toMatchObject({ email: false })
})

test('a read that is slow is not sent on top of where a list begun after it shows something else', async () => {
  await clock.advance(2 * MINUTE)
  const release = service.holdAnswer('get')
  must(await app.outbox.update(there(), { exclude_ips: ['10.0.0.1'] }))
  await settled()
  Object.assign(service.records.get('1') ?? expect.fail('it is gone'), { exclude_ips: ['10.0.0.2'] })
  must(await app.refresh.run())
  release()
  await clock.advance(MINUTE)
  expect(service.records.get('1')?.exclude_ips).toEqual(['10.0.0.2', '10.0.0.1'])
  expect(app.edits()).toEqual([])
})

test('nor on top of that list, which may be the older of the two', async () => {
  await clock.advance(2 * MINUTE)
  const record = service.records.get('1') ?? expect.fail('it is gone')
  const release = service.hold('get')
  must(await app.outbox.update(there(), { exclude_ips: ['10.0.0.1'] }))
  await settled()
  must(await app.refresh.run())
  Object.assign(record, { exclude_ips: ['10.0.0.2'] })
  release()
  await clock.advance(MINUTE)
  expect(record.exclude_ips).toEqual(['10.0.0.2', '10.0.0.1'])
})

test('nor on top of a list that was begun just before it, and is answered first', async () => {
  await clock.advance(2 * MINUTE)
  const record = service.records.get('1') ?? expect.fail('it is gone')
  delete record.updated_at
  const listed = service.hold('list')
  const refreshed = app.refresh.run()
  await settled()
  const release = service.holdAnswer('get')
  must(await app.outbox.update(there(), { exclude_ips: ['10.0.0.1'] }))
  await settled()
  record.exclude_ips = ['10.0.0.2']
  listed()
  must(await refreshed)
  release()
  await clock.advance(MINUTE)
  expect(record.exclude_ips).toEqual(['10.0.0.2', '10.0.0.1'])
})

test('nor on top of that list where the slow read tells later that it is the older one', async () => {
  await clock.advance(2 * MINUTE)
  const record = service.records.get('1') ?? expect.fail('it is gone')
  record.updated_at = '2026-01-01T00:00:00Z'
  const release = service.hold('get')
  must(await app.outbox.update(there(), { email: true }))
  await settled()
  must(app.outbox.undo(app.edits()[0]?.id ?? '', true))
  must(await app.refresh.run())
  service.touch(record, { exclude_ips: ['10.0.0.2'], updated_at: '2026-01-01T00:01:00Z' })
  release()
  await settled()
  must(await app.outbox.update(there(), { exclude_ips: ['10.0.0.1'] }))
  await clock.advance(MINUTE)
  expect(record.exclude_ips).toEqual(['10.0.0.2', '10.0.0.1'])
})

test('nor does it make a conflict of what we have written ourselves', async () => {
  await clock.advance(2 * MINUTE)
  const release = service.hold('update')
  must(await app.outbox.update(there(), { privacy: 0 }))
  await settled()
  await clock.advance(10)
  must(await app.refresh.run())
  release()
  await settled()
  must(await app.outbox.delete(there()))
  await clock.advance(MINUTE)
  expect(app.edits()).toEqual([])
  expect(service.records.size).toBe(0)
})

/** A host without times answers our write slowly, and another has set something since it carried that out. */
async function answeredSlowly() {
  await clock.advance(2 * MINUTE)
  const record = service.records.get('1') ?? expect.fail('it is gone')
  delete record.updated_at
  const release = service.holdAnswer('update')
  must(await app.outbox.update(there(), { email: true }))
  await settled()
  record.exclude_ips = ['10.0.0.2']
  return { record, release }
}

test('what a list shows of another while our write is answered slowly is read once more before the next one', async () => {
  const { record, release } = await answeredSlowly()
  must(await app.outbox.update(there(), { exclude_ips: ['10.0.0.1'] }))
  must(await app.refresh.run())
  release()
  await clock.advance(MINUTE)
  expect(record).toMatchObject({ email: true, exclude_ips: ['10.0.0.2', '10.0.0.1'] })
  expect(app.edits()).toEqual([])
})

test('nor is what a list shows that was begun before our write was answered, and is answered after it, passed over', async () => {
  const { record, release } = await answeredSlowly()
  const releaseList = service.holdAnswer('list')
  const refreshed = app.refresh.run()
  await settled()
  release()
  await settled()
  releaseList()
  must(await refreshed)
  must(await app.outbox.update(there(), { exclude_ips: ['10.0.0.1'] }))
  await clock.advance(MINUTE)
  expect(record).toMatchObject({ email: true, exclude_ips: ['10.0.0.2', '10.0.0.1'] })
})

test('also where it was created so slowly', async () => {
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

test('a domain that is corrected while the keychain takes its time is created as corrected', async () => {
  const release = sealer.hold()
  const key = must(await app.outbox.create(draft('wrnog.example', { privacy: 2, password: 'secret' })))
  await settled()
  const corrected = app.outbox.correct(key, draft('wrong.example', { privacy: 2 }))
  await settled()
  release()
  must(await corrected)
  // The request of the send that began before the correction, then that of the next send.
  await settled()
  release()
  await settled()
  release()
  await clock.advance(MINUTE)
  expect(service.domains()).toEqual(['there.example', 'wrong.example'])
})

test.each([{ lost: 'request' } as const, { refuse: 'rate-limited', retryAfter: 1 } as const])(
  'a delete that takes the place of an update on its way keeps its ten seconds, and its Undo (%j)',
  async (fault) => {
    await clock.advance(5 * MINUTE)
    const release = service.hold('update')
    service.fail('update', fault)
    must(await app.outbox.update(there(), { email: true }))
    await settled()
    must(await app.outbox.delete(there()))
    const removal = app.edits().find(({ kind }) => kind === 'delete')
    release()
    await clock.advance(5_000)
    expect(service.records.size).toBe(1)
    expect(app.edits()).toMatchObject([{ id: removal?.id, kind: 'delete', can: { undo: true } }])
    await clock.advance(6_000)
    expect(service.records.size).toBe(0)
  },
)

test('deleting a website that has appeared deletes it', async () => {
  await appear('late.example')
  must(await app.outbox.delete(app.keyOf('late.example')))
  await clock.advance(2 * MINUTE)
  expect(service.domains()).toEqual(['there.example'])
  expect(app.edits()).toEqual([])
})

test('changing a website that has appeared changes it, and creates nothing', async () => {
  await appear('late.example')
  const before = service.writes().length
  must(await app.outbox.update(app.keyOf('late.example'), { email: true }))
  await clock.advance(2 * MINUTE)
  expect(service.writes().slice(before)).toEqual(['update'])
  expect([...service.records.values()].at(-1)).toMatchObject({ domain: 'late.example', email: true })
})

test('a create that may be there is looked for before it goes again, whatever the user changes in it', async () => {
  keepTwice()
  const key = must(await app.outbox.create(draft('new.example')))
  await clock.advance(2_000)
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'adopt' }])
  must(await app.outbox.update(key, { email: true }))
  await clock.advance(MINUTE)
  expect(service.writes()).toEqual(['create'])
  expect(app.edits()).toMatchObject([{ state: 'parked', settings: { email: true } }])
})

test('nor does a change behind it send it again unseen', async () => {
  keepTwice()
  const release = service.hold('list')
  const key = must(await app.outbox.create(draft('new.example')))
  await settled()
  must(await app.outbox.update(key, { email: true }))
  release()
  await clock.advance(MINUTE)
  expect(service.writes()).toEqual(['create'])
})

test('a create that is corrected to the domain of a later delete waits for that', async () => {
  await app.offline()
  const key = must(await app.outbox.create(draft('new.example')))
  must(await app.outbox.delete(there()))
  must(await app.outbox.correct(key, draft('there.example')))
  await app.online(MINUTE)
  expect(app.edits()).toEqual([])
  expect(service.writes()).toEqual(['delete', 'create'])
})

test('a website that is adopted is not deleted by what was decided on it before', async () => {
  service.add('other.example', { email: true })
  must(await app.outbox.create(draft('other.example')))
  await settled()
  must(await app.refresh.run())
  const met = app.list('other').find(({ id }) => id !== null)?.key ?? ''
  must(await app.outbox.delete(met))
  const create = app.edits().find(({ kind }) => kind === 'create')?.id ?? ''
  must(await app.outbox.resolve(create, { way: 'adopt' }))
  await clock.advance(MINUTE)
  expect(service.domains()).toContain('other.example')
  expect(app.edits()).toEqual([])
})

test('where the list is refused as well, edits are held, not parked one after the other', async () => {
  const error = { code: 'forbidden', message: '' } as const
  service.list = () => Promise.resolve({ outcome: 'notApplied', error, meta: {} })
  service.fail('update', { refuse: 'forbidden' })
  must(await app.outbox.update(there(), { email: true }))
  await settled()
  expect(app.edits()).toMatchObject([{ state: 'held', error: { code: 'forbidden' } }])
})

test.each(['update', 'delete'] as const)(
  'where nothing of the list is found, a website is not taken for gone (%s)',
  async (kind) => {
    await clock.advance(2 * MINUTE)
    const notFound = () =>
      Promise.resolve({ outcome: 'notApplied', error: { code: 'not-found', message: '' }, meta: {} } as const)
    for (const operation of ['list', 'get', 'update', 'delete'] as const) service[operation] = notFound
    const key = there()
    must<unknown>(kind === 'update' ? await app.outbox.update(key, { email: true }) : await app.outbox.delete(key))
    await clock.advance(15_000)
    expect(app.edits()).toMatchObject([{ state: 'held', error: { code: 'not-found' } }])
    expect(app.keyOf('there.example')).toBe(key)
  },
)
