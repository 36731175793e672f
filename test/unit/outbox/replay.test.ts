import { expect, test } from 'vitest'
import { settled } from './clock.ts'
import { draft, must } from './rig.ts'
import { app, clock, sealer, service, useApp } from './rig-app.ts'

useApp(undefined, { listed: false })

test('a create, an update and a delete reach the service, and the replica has what it acknowledged', async () => {
  const key = must(await app.outbox.create(draft('https://www.Example.com/', { exclude_params: [' ref ', ''] })))
  expect(app.view.get(key)).toMatchObject({ domain: 'example.com', id: null, state: 'new' })
  await settled()
  expect(service.asked[0]).toMatchObject({ sent: { domain: 'example.com', privacy: 1, exclude_params: ['ref'] } })
  expect(app.view.get(key)).toMatchObject({ id: '1', state: 'synced', pending: [] })

  must(await app.outbox.update(key, { email: true }))
  await settled()
  expect(service.asked.at(-1)).toEqual({ operation: 'update', id: '1', sent: { email: true } })
  expect(app.view.get(key)).toMatchObject({ email: true, state: 'synced' })

  must(await app.outbox.delete(key))
  await clock.advance(10_000)
  expect(service.records.size).toBe(0)
  expect(app.view.get(key)).toBeNull()
  expect(app.outbox.counts()).toMatchObject({ waiting: 0, parked: 0 })
})

test('edits made without a connection are sent in order when it comes back, each once', async () => {
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

test('nothing ticks while nothing waits', async () => {
  must(await app.outbox.create(draft('a.example')))
  await settled()
  expect(clock.timers()).toBe(0)
  service.unreachable = true
  must(await app.outbox.create(draft('b.example')))
  await settled()
  expect(clock.timers()).toBe(1)
})

test('a refused key holds everything and drops nothing; a good one lets it go', async () => {
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

test('too many requests: everything waits as long as the service says', async () => {
  service.fail('create', { refuse: 'rate-limited', retryAfter: 40 })
  must(await app.outbox.create(draft('a.example')))
  await clock.advance(39_000)
  expect(app.edits()[0]).toMatchObject({ state: 'held', reason: 'rate', nextAt: clock.wall() + 1_000 })
  expect(service.writes()).toEqual(['create'])
  await clock.advance(1_000)
  expect(service.domains()).toEqual(['a.example'])
})

test('an edit that the service refuses is parked with its words, and the others go on', async () => {
  service.fail('create', { refuse: 'invalid', fields: { exclude_ips: ['Not like that.'] } })
  const bad = must(await app.outbox.create(draft('bad.example', { exclude_ips: ['nonsense'] })))
  must(await app.outbox.create(draft('good.example')))
  await settled()
  expect(service.domains()).toEqual(['good.example'])
  expect(app.edits()).toMatchObject([
    { state: 'parked', reason: 'refused', error: { fields: { exclude_ips: ['Not like that.'] } } },
  ])
  // Corrected, it's sent again.
  must(await app.outbox.update(bad, { exclude_ips: ['10.0.0.1'] }))
  await settled()
  expect(service.records.get('2')).toMatchObject({ domain: 'bad.example', exclude_ips: ['10.0.0.1'] })
})

test.each([
  ['The domain has already been taken.', 'domain-taken'],
  ['You added too many websites.', 'website-limit'],
  ['Nix da.', 'refused'],
])('a create that is refused on its domain with "%s" is parked as %s', async (words, reason) => {
  service.fail('create', { refuse: 'invalid', fields: { domain: [words] } })
  must(await app.outbox.create(draft('a.example')))
  await settled()
  expect(app.edits()[0]).toMatchObject({ state: 'parked', reason, error: { fields: { domain: [words] } } })
})

test('an update of a website that was deleted on the service is parked; giving it up removes the website', async () => {
  const key = must(await app.outbox.create(draft('a.example')))
  await settled()
  service.records.clear()
  must(await app.outbox.update(key, { email: true }))
  await settled()
  expect(app.edits()[0]).toMatchObject({ state: 'parked', reason: 'gone' })
  must(app.outbox.discard(app.edits()[0]?.id ?? ''))
  expect(app.view.get(key)).toBeNull()
})

test('a 404 from an address that shows no account proves nothing: the delete waits', async () => {
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

test('a delete of what is gone already is done', async () => {
  const key = must(await app.outbox.create(draft('a.example')))
  await settled()
  service.records.clear()
  must(await app.outbox.delete(key))
  await clock.advance(10_000)
  expect(app.view.get(key)).toBeNull()
  expect(app.outbox.counts()).toMatchObject({ waiting: 0, parked: 0 })
})

test('a delete can be undone for ten seconds, and the update that it superseded is back', async () => {
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

test('a restart gives a delete its ten seconds again, whatever the wall clock says', async () => {
  const key = must(await app.outbox.create(draft('a.example')))
  await settled()
  must(await app.outbox.delete(key))
  clock.jump(-86_400_000)
  await clock.advance(9_999)
  expect(service.records.size).toBe(1)
  await clock.advance(1)
  expect(service.records.size).toBe(0)
})

test('a create waits for the delete of the same domain before it', async () => {
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

test('a locked keychain holds what carries a password; the rest flows', async () => {
  sealer.failure = 'keychain-locked'
  must(await app.outbox.create(draft('secret.example', { privacy: 2, password: 'hunter2' })))
  must(await app.outbox.create(draft('plain.example')))
  await settled()
  expect(service.domains()).toEqual(['plain.example'])
  expect(app.edits()[0]).toMatchObject({ state: 'held', reason: 'keychain', password: true })
  sealer.failure = null
  app.outbox.wake()
  await settled()
  expect(service.asked.at(-1)?.sent).toMatchObject({ privacy: 2, password: 'hunter2' })
})

test('a password that can be unsealed no more is asked for again, and then sent', async () => {
  sealer.failure = 'password-missing'
  const key = must(await app.outbox.create(draft('secret.example', { privacy: 2, password: 'lost' })))
  await settled()
  expect(app.edits()[0]).toMatchObject({ state: 'parked', reason: 'password', can: { sendNow: false } })
  sealer.failure = null
  must(await app.outbox.update(key, { password: 'typed anew' }))
  await settled()
  expect(service.asked.at(-1)?.sent).toMatchObject({ password: 'typed anew' })
})

test('a change made while the create is on its way is sent behind it, never inside it', async () => {
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
  expect(service.asked.map(({ operation }) => operation)).toEqual(['create', 'update'])
  expect(service.asked[0]?.sent).toMatchObject({ email: false })
  expect(service.records.get('1')).toMatchObject({ email: true })
})

test('a refused create takes in what the user changed while it was on its way', async () => {
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

test('after stop nothing goes out', async () => {
  await app.outbox.stop()
  must(await app.outbox.create(draft('a.example')))
  await clock.advance(60_000)
  expect(service.asked).toEqual([])
  expect(app.outbox.counts().waiting).toBe(1)
})
