import fc from 'fast-check'
import { expect, test } from 'vitest'
import { settled } from './clock.ts'
import { exported, imported, keepAfterAll, other, parsed, queueSome, useTwoApps } from './exchange.ts'
import { draft, must, startConnection } from './rig.ts'
import { app, clock, service } from './rig-app.ts'

useTwoApps()

test('imports an export into an empty outbox of the same connection unchanged', async () => {
  await queueSome()
  const { text, edits, secrets } = await exported(app)
  expect([edits, secrets]).toEqual([3, 0])
  expect(await imported(text, other)).toEqual({ added: 3, skipped: 0, parked: 0, refused: [] })
  expect((await exported(other)).text).toBe(text)
  await other.online(15_000)
  expect(service.domains()).toEqual(['one.example', 'three.example', 'new.example'])
  expect(service.records.get('1')).toMatchObject({ email: true })
})

test('imports a list of more than 64 KiB that was shortened, or that an undo brings back', async () => {
  const long = Array.from({ length: 200 }, (_, n) => `${n}`.padStart(511, 'x'))
  for (const record of service.records.values()) record.exclude_ips = long
  await app.online()
  must(await app.refresh.run())
  must(await app.outbox.update(app.keyOf('one.example'), { exclude_ips: [] }))
  await clock.advance(15_000)
  await app.offline()
  must(await app.outbox.revert(app.history()[0]?.id ?? '', 'undo', undefined))
  must(await app.outbox.update(app.keyOf('two.example'), { exclude_ips: long.slice(1) }))
  expect(await imported((await exported(app)).text, other)).toMatchObject({ added: 2, refused: [] })
})

test('sends an imported delete only ten seconds after the import', async () => {
  await queueSome()
  const { text } = await exported(app)
  for (const { id } of app.edits()) must(app.outbox.undo(id))
  await clock.advance(60_000)
  await other.online(0)
  await imported(text, other)
  await clock.advance(9_000)
  expect(service.domains()).toContain('two.example')
  await clock.advance(2_000)
  expect(service.domains()).not.toContain('two.example')
})

test('exports no password; the imported edit is parked until the user types the password again', async () => {
  must(await app.outbox.create(draft('new.example', { privacy: 2, password: 'canary-password' })))
  must(await app.outbox.update(app.keyOf('one.example'), { privacy: 2, password: 'canary-password' }))
  const { text, secrets } = await exported(app)
  expect(secrets).toBe(2)
  const sealed = app.store.editsOf(app.keyOf('one.example'))[0]?.sealed ?? expect.fail('no password is kept')
  for (const secret of ['canary-password', Buffer.from(sealed).toString('base64'), Buffer.from(sealed).toString()]) {
    expect(text).not.toContain(secret)
  }
  expect(await imported(text, other)).toMatchObject({ added: 2, parked: 2 })
  await other.online(0)
  expect(other.edits()).toMatchObject([
    { state: 'parked', reason: 'password', password: true },
    { state: 'parked', reason: 'password', password: true },
  ])
  // Another change of the website does not let the edit be sent without its password.
  must(await other.outbox.update(other.keyOf('one.example'), { email: true }))
  await settled()
  expect(service.writes()).toEqual([])
  must(await other.outbox.update(other.keyOf('one.example'), { password: 'typed anew' }))
  must(await other.outbox.correct(other.keyOf('new.example'), draft('new.example', { privacy: 2, password: 'anew' })))
  await clock.advance(5_000)
  expect(service.records.get('1')).toMatchObject({ privacy: 2, password: true, email: true })
  expect(other.edits()).toEqual([])
})

test('exports no field that this app does not know, neither of an edited website nor of the website in a question', async () => {
  const unknown = { extra: { api_token: 'canary-token' } }
  service.add('four.example', unknown)
  await app.online()
  must(await app.refresh.run())
  service.add('there.example', unknown)
  must(await app.outbox.create(draft('there.example')))
  await settled()
  expect(app.edits()).toMatchObject([{ state: 'parked', reason: 'domain-taken' }])
  await app.offline()
  must(await app.outbox.update(app.keyOf('four.example'), { email: true }))
  const { text, edits } = await exported(app)
  expect(edits).toBe(2)
  expect(text).not.toContain('canary-token')
  expect(await imported(text, other)).toMatchObject({ added: 2, refused: [] })
})

test('an imported delete needs no password, but once it is undone, the update that it had replaced asks for one', async () => {
  const key = app.keyOf('one.example')
  must(await app.outbox.update(key, { privacy: 2, password: 'secret' }))
  must(await app.outbox.delete(key))
  const { text } = await exported(app)
  expect(await imported(text, other)).toMatchObject({ added: 1, parked: 0 })
  expect(other.edits()).toMatchObject([{ kind: 'delete', state: 'held', reason: 'undo' }])
  must(other.outbox.undo(other.edits()[0]?.id ?? ''))
  await other.online()
  expect(other.edits()).toMatchObject([{ kind: 'update', state: 'parked', reason: 'password' }])
  must(await other.outbox.delete(key))
  await clock.advance(15_000)
  expect(service.domains()).not.toContain('one.example')
})

test('settles an imported edit in doubt by reading', async () => {
  service.unreachable = false
  app.reach.retryNow()
  service.fail('create', { lost: 'answer' })
  service.fail('list', { refuse: 'unavailable' })
  must(await app.outbox.create(draft('new.example')))
  await settled()
  expect(app.edits()).toMatchObject([{ state: 'inDoubt' }])
  const { text } = await exported(app)
  await app.offline()
  await imported(text, other)
  await other.online(60_000)
  expect(service.writes()).toEqual(['create'])
})

test('an import skips edits that are pending or were sent already', async () => {
  await queueSome()
  const { text } = await exported(app)
  expect(await imported(text, app)).toMatchObject({ added: 0, skipped: 3 })
  await app.online(15_000)
  expect(app.edits()).toEqual([])
  expect(await imported(text, app)).toMatchObject({ added: 0, skipped: 3 })
  await clock.advance(15_000)
  expect(service.writes()).toHaveLength(3)
})

test('an import skips edits that were merged into another edit and sent, so that a later change stays', async () => {
  await app.online(15_000)
  const key = app.keyOf('one.example')
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  service.before = (requested) => (requested === 'update' ? held : undefined)
  service.fail('update', { refuse: 'rate-limited', retryAfter: 5 })
  must(await app.outbox.update(key, { privacy: 0 }))
  await settled()
  must(await app.outbox.update(key, { email: true }))
  const { text } = await exported(app)
  release()
  await clock.advance(15_000)
  expect(service.records.get('1')).toMatchObject({ privacy: 0, email: true })
  must(await app.outbox.update(key, { email: false }))
  await clock.advance(15_000)
  expect(await imported(text, app)).toMatchObject({ added: 0, skipped: 2 })
  await clock.advance(15_000)
  expect(service.records.get('1')).toMatchObject({ email: false })
})

test('imports edits that were undone since the export', async () => {
  await queueSome()
  const { text } = await exported(app)
  for (const { id } of app.edits()) must(app.outbox.undo(id))
  expect(app.edits()).toEqual([])
  expect(await imported(text, app)).toMatchObject({ added: 3 })
  expect(app.edits()).toHaveLength(3)
})

test('imports a create behind the delete of another website with the same domain', async () => {
  must(await app.outbox.delete(app.keyOf('two.example')))
  must(await app.outbox.create(draft('two.example')))
  expect(await imported((await exported(app)).text, other)).toMatchObject({ added: 2, refused: [] })
  expect(other.edits().map(({ kind }) => kind)).toEqual(['delete', 'create'])
})

const settings = fc.record(
  {
    privacy: fc.constantFrom(0 as const, 1 as const),
    email: fc.boolean(),
    exclude_bots: fc.boolean(),
    exclude_ips: fc.uniqueArray(fc.constantFrom('10.0.0.1', '10.0.0.2', '::1'), { maxLength: 3 }),
    exclude_params: fc.uniqueArray(fc.constantFrom('a', 'b', '&', '__proto__', '"]}'), { maxLength: 3 }),
  },
  { requiredKeys: [] },
)

/** Generates up to twelve saves of a user. `n` is the number of the website. */
const deeds = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('create' as const), n: fc.nat(5), settings }),
    fc.record({ do: fc.constant('update' as const), n: fc.nat(2), settings, password: fc.boolean() }),
    fc.record({ do: fc.constant('delete' as const), n: fc.nat(2) }),
  ),
  { maxLength: 12 },
)

test('exports the same again after an import, except passwords', async () => {
  await fc.assert(
    fc.asyncProperty(deeds, async (list) => {
      const from = startConnection({ service, clock })
      const into = startConnection({ service, clock })
      service.unreachable = false
      must(await from.refresh.run())
      await from.offline()
      await into.offline()
      for (const deed of list) {
        const domain = ['one.example', 'two.example', 'three.example'][deed.n] ?? ''
        if (deed.do === 'create') await from.outbox.create(draft(`n${String(deed.n)}.example`, deed.settings))
        else if (deed.do === 'delete') await from.outbox.delete(from.keyOf(domain))
        else {
          const password = deed.password ? { privacy: 2 as const, password: 'canary' } : {}
          await from.outbox.update(from.keyOf(domain), { ...deed.settings, ...password })
        }
      }
      const first = await exported(from)
      const { added, refused } = await imported(first.text, into)
      expect({ added, refused }).toEqual({ added: first.edits, refused: [] })
      expect(first.text).not.toContain('canary')
      const [a, b] = [await parsed(from), await parsed(into)]
      const sealedApart = (edit: Record<string, unknown>) =>
        edit['password'] === true ? { ...edit, standing: null } : edit
      expect(b.edits.map(sealedApart)).toEqual(a.edits.map(sealedApart))
      expect(b.websites).toEqual(a.websites)
      await from.close()
      await into.close()
    }),
    { numRuns: 60 },
  )
})

test.each([
  ['an empty outbox', () => other],
  ['an outbox whose list has the website', () => app],
])(
  'imports an update of a website, and a create of the same domain whose delete the user has dropped, into %s',
  async (_, into) => {
    await keepAfterAll()
    const { text } = await exported(app)
    for (const { id } of app.edits()) must(app.outbox.undo(id))
    expect(app.edits()).toEqual([])
    expect(await imported(text, into())).toMatchObject({ added: 2, refused: [] })
    expect(into().edits()).toMatchObject([{ kind: 'update' }, { kind: 'create' }])
  },
)
