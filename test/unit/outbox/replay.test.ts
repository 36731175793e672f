import { expect, test } from 'vitest'
import { settled } from './clock.ts'
import { draft, must } from './rig.ts'
import { app, clock, sealer, service, useApp } from './rig-app.ts'

useApp(undefined, { listed: false })

test('sends a create, an update and a delete, and stores what was acknowledged in the replica', async () => {
  const key = must(await app.outbox.create(draft('https://www.Example.com/', { exclude_params: [' ref ', ''] })))
  expect(app.view.get(key)).toMatchObject({ domain: 'example.com', id: null, state: 'new' })
  await settled()
  expect(service.received[0]).toMatchObject({ sent: { domain: 'example.com', privacy: 1, exclude_params: ['ref'] } })
  expect(app.view.get(key)).toMatchObject({ id: '1', state: 'synced', pending: [] })

  must(await app.outbox.update(key, { email: true }))
  await settled()
  expect(service.received.at(-1)).toEqual({ operation: 'update', id: '1', sent: { email: true } })
  expect(app.view.get(key)).toMatchObject({ email: true, state: 'synced' })

  must(await app.outbox.delete(key))
  await clock.advance(10_000)
  expect(service.records.size).toBe(0)
  expect(app.view.get(key)).toBeNull()
  expect(app.outbox.counts()).toMatchObject({ waiting: 0, parked: 0 })
})

test('sends edits made offline in order when the service is back, each once', async () => {
  service.unreachable = true
  const a = must(await app.outbox.create(draft('a.example')))
  must(await app.outbox.create(draft('b.example')))
  await clock.advance(60_000)
  expect(app.view.get(a)?.state).toBe('held')
  expect(app.edits().map(({ reason }) => reason)).toEqual(['connection', 'connection'])
  expect(app.reach.state().state).toBe('offline')

  service.unreachable = false
  await clock.advance(5 * 60_000)
  expect(service.domains()).toEqual(['a.example', 'b.example'])
  expect(service.writes()).toEqual(['create', 'create'])
})

test('holds an edit while the API key is rejected, and sends the edit once the key is accepted', async () => {
  service.keyRefused = true
  must(await app.outbox.create(draft('a.example')))
  await clock.advance(10 * 60_000)
  expect(app.edits()[0]).toMatchObject({ state: 'held', reason: 'key' })
  expect(service.writes()).toEqual(['create'])
  service.keyRefused = false
  app.reach.retryNow()
  await settled()
  expect(service.domains()).toEqual(['a.example'])
})

test('waits after "too many requests" as long as the service says', async () => {
  service.fail('create', { refuse: 'rate-limited', retryAfter: 40 })
  must(await app.outbox.create(draft('a.example')))
  await clock.advance(39_000)
  expect(app.edits()[0]).toMatchObject({ state: 'held', reason: 'rate', nextAt: clock.wall() + 1_000 })
  expect(service.writes()).toEqual(['create'])
  await clock.advance(1_000)
  expect(service.domains()).toEqual(['a.example'])
})

test('parks a rejected edit with the service’s message, and sends the others', async () => {
  service.fail('create', { refuse: 'invalid', fields: { exclude_ips: ['Not like that.'] } })
  const bad = must(await app.outbox.create(draft('bad.example', { exclude_ips: ['nonsense'] })))
  must(await app.outbox.create(draft('good.example')))
  await settled()
  expect(service.domains()).toEqual(['good.example'])
  expect(app.edits()).toMatchObject([
    { state: 'parked', reason: 'refused', error: { fields: { exclude_ips: ['Not like that.'] } } },
  ])
  // The corrected edit is sent again.
  must(await app.outbox.update(bad, { exclude_ips: ['10.0.0.1'] }))
  await settled()
  expect(service.records.get('2')).toMatchObject({ domain: 'bad.example', exclude_ips: ['10.0.0.1'] })
})

test.each([
  ['The domain has already been taken.', 'domain-taken'],
  ['You added too many websites.', 'website-limit'],
  ['Nix da.', 'refused'],
])('parks a create that is rejected on its domain with "%s" as %s', async (message, reason) => {
  service.fail('create', { refuse: 'invalid', fields: { domain: [message] } })
  must(await app.outbox.create(draft('a.example')))
  await settled()
  expect(app.edits()[0]).toMatchObject({ state: 'parked', reason, error: { fields: { domain: [message] } } })
})

test('parks an update of a website that was deleted on the service, and discarding the update removes the website', async () => {
  const key = must(await app.outbox.create(draft('a.example')))
  await settled()
  service.records.clear()
  must(await app.outbox.update(key, { email: true }))
  await settled()
  expect(app.edits()[0]).toMatchObject({ state: 'parked', reason: 'gone' })
  must(app.outbox.discard(app.edits()[0]?.id ?? ''))
  expect(app.view.get(key)).toBeNull()
})

test('the answer 404 does not prove that a website is deleted while the account can’t be read', async () => {
  const key = must(await app.outbox.create(draft('a.example')))
  await settled()
  must(await app.outbox.delete(key))
  service.fail('delete', { refuse: 'not-found' })
  service.fail('account', { lost: 'request' })
  await clock.advance(10_000)
  expect(app.view.get(key)).toMatchObject({ state: 'deleting' })
  expect(app.reach.state().state).toBe('offline')
  await clock.advance(5 * 60_000)
  expect(service.records.size).toBe(0)
  expect(app.view.get(key)).toBeNull()
})

test('undoes a delete within ten seconds, and restores the update that it superseded', async () => {
  service.unreachable = true
  app.store.write(() => {
    app.store.addWebsite('k', 'a.example')
    app.store.acknowledge('k', service.add('a.example'))
    return { ok: true, value: undefined }
  })
  must(await app.outbox.update('k', { email: true }))
  must(await app.outbox.delete('k'))
  await clock.advance(9_000)
  const [removal] = app.edits()
  expect(removal).toMatchObject({ kind: 'delete', state: 'held', reason: 'undo', can: { undo: true } })
  must(app.outbox.undo(removal?.id ?? ''))
  await settled()
  expect(app.view.get('k')).toMatchObject({ state: 'held', email: true, pending: ['email'] })
  service.unreachable = false
  await clock.advance(5 * 60_000)
  expect(service.writes()).toEqual(['update'])
})

test('waits ten seconds before it sends a delete, whatever the wall clock says', async () => {
  const key = must(await app.outbox.create(draft('a.example')))
  await settled()
  must(await app.outbox.delete(key))
  clock.jump(-86_400_000)
  await clock.advance(9_999)
  expect(service.records.size).toBe(1)
  await clock.advance(1)
  expect(service.records.size).toBe(0)
})

test('Send now ends the Undo time of a delete, and notifies the listeners before the request in flight is answered', async () => {
  const key = must(await app.outbox.create(draft('a.example')))
  await settled()
  const release = service.hold('create')
  must(await app.outbox.create(draft('b.example')))
  must(await app.outbox.delete(key))
  await settled()
  let shown = app.edits()
  app.outbox.onChange(() => (shown = app.edits()))
  expect(shown).toMatchObject([{ state: 'sending' }, { state: 'held', reason: 'undo' }])
  must(app.outbox.sendNow())
  await settled()
  release()
  expect(shown).toMatchObject([{ state: 'sending' }, { state: 'queued', reason: null }])
})

test('sends a create only after an earlier delete of the same domain', async () => {
  const key = must(await app.outbox.create(draft('a.example')))
  await settled()
  must(await app.outbox.delete(key))
  must(await app.outbox.create(draft('a.example', { email: true })))
  await settled()
  expect(app.edits().map(({ reason }) => reason)).toEqual(['undo', 'depends'])
  await clock.advance(10_000)
  expect(service.writes()).toEqual(['create', 'delete', 'create'])
  expect([...service.records.values()]).toMatchObject([{ domain: 'a.example', email: true }])
})

test('holds only edits with a password while the keychain is locked', async () => {
  sealer.failure = 'keychain-locked'
  must(await app.outbox.create(draft('secret.example', { privacy: 2, password: 'hunter2' })))
  must(await app.outbox.create(draft('plain.example')))
  await settled()
  expect(service.domains()).toEqual(['plain.example'])
  expect(app.edits()[0]).toMatchObject({ state: 'held', reason: 'keychain', password: true })
  sealer.failure = null
  app.outbox.wake()
  await settled()
  expect(service.received.at(-1)?.sent).toMatchObject({ privacy: 2, password: 'hunter2' })
})

test('asks for a password again if the stored one cannot be unsealed, and sends the new one', async () => {
  sealer.failure = 'password-missing'
  const key = must(await app.outbox.create(draft('secret.example', { privacy: 2, password: 'lost' })))
  await settled()
  expect(app.edits()[0]).toMatchObject({ state: 'parked', reason: 'password', can: { sendNow: false } })
  sealer.failure = null
  must(await app.outbox.update(key, { password: 'typed anew' }))
  await settled()
  expect(service.received.at(-1)?.sent).toMatchObject({ password: 'typed anew' })
})

test('a change that the user makes while the create is being sent follows as an update', async () => {
  const release = service.hold('create')
  const key = must(await app.outbox.create(draft('a.example')))
  await settled()
  expect(app.view.get(key)?.state).toBe('sending')
  must(await app.outbox.update(key, { email: true }))
  expect(app.edits().map(({ state, reason }) => [state, reason])).toEqual([
    ['sending', null],
    ['held', 'depends'],
  ])
  release()
  await settled()
  expect(service.received.map(({ operation }) => operation)).toEqual(['create', 'update'])
  expect(service.received[0]?.sent).toMatchObject({ email: false })
  expect(service.records.get('1')).toMatchObject({ email: true })
})

test('a change that the user makes while the create is being sent is merged into the create if the service rejects the create', async () => {
  const release = service.hold('create')
  service.fail('create', { refuse: 'invalid', fields: { exclude_ips: ['No.'] } })
  const key = must(await app.outbox.create(draft('a.example', { exclude_ips: ['x'] })))
  await settled()
  must(await app.outbox.update(key, { exclude_ips: ['10.0.0.1'] }))
  release()
  await settled()
  expect([...service.records.values()]).toMatchObject([{ exclude_ips: ['10.0.0.1'] }])
  expect(app.outbox.counts()).toMatchObject({ waiting: 0, parked: 0 })
})
