import { expect, test } from 'vitest'
import { ok } from '../../../src/shared/result.ts'
import { MINUTE, settled } from './clock.ts'
import { exported, imported, other, parsed, queueSome, useTwoApps } from './exchange.ts'
import { codeOf, draft, must } from './rig.ts'
import { app, clock, service } from './rig-app.ts'

useTwoApps()

test('rejects and names a create whose domain is not normalized', async () => {
  await queueSome()
  const { text } = await exported(app)
  const { added, refused } = await imported(text.replaceAll('new.example', 'WWW.New.example'), other)
  expect(added).toBe(2)
  expect(refused).toMatchObject([{ domain: 'WWW.New.example', error: { code: 'invalid-input' } }])
})

test.each([
  ['changedAt', 1.5],
  ['changedAt', 1e300],
  ['attempts', -1],
])('rejects an edit whose %s is %d, and imports the others', async (field, value) => {
  await queueSome()
  const { text } = await exported(app)
  const file = JSON.parse(text) as { edits: Record<string, unknown>[] }
  file.edits[0] = { ...file.edits[0], [field]: value }
  const { added, refused } = await imported(JSON.stringify(file), other)
  expect(added).toBe(2)
  expect(refused).toHaveLength(1)
})

test.each(['.', '..', '\ud800'])(
  'rejects a website whose id would redirect requests, and imports the others: %j',
  async (id) => {
    await queueSome()
    const file = await parsed(app)
    file.websites = file.websites.map((website) =>
      website['domain'] === 'one.example' ? { ...website, id, record: null } : website,
    )
    const { added, refused } = await imported(JSON.stringify(file), other)
    expect(added).toBe(2)
    expect(refused).toHaveLength(1)
    await other.online(15_000)
    expect(service.received.filter((request) => JSON.stringify(request).includes(JSON.stringify(id)))).toEqual([])
  },
)

test.each([
  ['another address', { address: 'https://b.example' }],
  ['another account', { account: '2' }],
])('rejects an export of %s', async (_, change) => {
  await queueSome()
  const file = await parsed(app)
  const text = JSON.stringify({ ...file, connection: { ...file.connection, ...change } })
  expect(await other.outbox.importQueue(text)).toMatchObject({ error: { code: 'other-connection' } })
  expect(other.edits()).toEqual([])
})

test('imports a file without an account only if a website in it is known here', async () => {
  await queueSome()
  const file = await parsed(app)
  const text = JSON.stringify({ ...file, connection: { ...file.connection, id: 'elsewhere', account: null } })
  expect(await other.outbox.importQueue(text)).toMatchObject({ error: { code: 'other-connection' } })
  for (const { id } of app.edits()) must(app.outbox.undo(id))
  expect(await imported(text, app)).toMatchObject({ added: 3 })
})

test('rejects edits that clash with a pending edit, or whose website or settings are invalid, and imports the others', async () => {
  await queueSome()
  const file = await parsed(app)
  const [create, update, removal] = file.edits
  service.unreachable = false
  must(await other.refresh.run())
  await other.offline()
  must(await other.outbox.create(draft('new.example')))
  must(await other.outbox.update(other.keyOf('one.example'), { privacy: 0 }))
  const edits = [
    create,
    update,
    removal,
    { ...removal, id: 'nowhere', website: 'nobody' },
    { ...update, id: 'odd', website: removal?.['website'], settings: { privacy: 7 } },
    'nonsense',
  ]
  const { added, refused } = await imported(JSON.stringify({ ...file, edits }), other)
  expect(added).toBe(1)
  expect(refused.map(({ domain, error }) => [domain, error.code])).toEqual([
    ['new.example', 'invalid-input'],
    ['one.example', 'invalid-input'],
    ['', 'website-gone'],
    ['two.example', 'bad-file'],
    ['', 'bad-file'],
  ])
})

test('imports a website or an edit that the file contains twice only once', async () => {
  await queueSome()
  const file = await parsed(app)
  const [create, update] = file.edits
  const [made, one] = file.websites
  const websites = [...file.websites, { ...made, key: 'made-again' }, { ...one, key: 'one-again' }]
  const edits = [
    create,
    create,
    { ...create, id: 'again', website: 'made-again' },
    update,
    { ...update, id: 'behind' },
    { ...update, id: 'aside', website: 'one-again' },
  ]
  const { added, skipped, refused } = await imported(JSON.stringify({ ...file, websites, edits }), other)
  expect({ added, skipped }).toEqual({ added: 2, skipped: 1 })
  expect(refused.map(({ domain, error }) => [domain, error.code])).toEqual([
    ['new.example', 'invalid-input'],
    ['one.example', 'bad-file'],
    ['one.example', 'invalid-input'],
  ])
  expect(other.edits().map(({ domain, kind }) => [domain, kind])).toEqual([
    ['new.example', 'create'],
    ['one.example', 'update'],
  ])
})

test('an imported delete asks before it deletes a website with another domain than the user has confirmed', async () => {
  must(await app.outbox.delete(app.keyOf('two.example')))
  const text = (await exported(app)).text.replaceAll('two.example', 'harmless.example')
  await app.outbox.stop()
  expect(must(await other.outbox.summarizeImport(text)).deletes).toEqual(['harmless.example'])
  await imported(text, other)
  await other.online(15_000)
  expect(service.domains()).toContain('two.example')
  expect(other.edits()).toMatchObject([{ kind: 'delete', domain: 'two.example', state: 'parked', reason: 'conflict' }])
  const id = other.edits()[0]?.id ?? ''
  await other.outbox.readAgain(id)
  expect(other.edits()).toMatchObject([{ state: 'parked' }])
  must(await other.outbox.resolve(id, { way: 'delete' }))
  await clock.advance(15_000)
  expect(service.domains()).not.toContain('two.example')
})

test('an imported delete goes to its website, whose domain the service spells differently', async () => {
  must(await app.outbox.delete(app.keyOf('two.example')))
  const { text } = await exported(app)
  await app.outbox.stop()
  await imported(text.replaceAll('two.example', 'WWW.Two.example'), other)
  await other.online(15_000)
  expect(service.domains()).not.toContain('two.example')
})

test.each([
  ['queued', { state: 'queued' }, null],
  ['in doubt', { state: 'inDoubt', error: null }, { before: 'present', date: null, accepted: false, doubted: true }],
])(
  'an imported %s update never reaches a website whose domain is not the one in the file',
  async (_, standing, sent) => {
    must(await app.outbox.update(app.keyOf('one.example'), { email: true, exclude_params: ['a'] }))
    const file = await parsed(app)
    await app.outbox.stop()
    const edits = file.edits.map((edit) => ({ ...edit, standing, sent }))
    await imported(JSON.stringify({ ...file, edits }).replaceAll('one.example', 'harmless.example'), other)
    await other.online(60_000)
    expect(other.edits()).toMatchObject([
      { kind: 'update', domain: 'one.example', state: 'parked', reason: 'conflict' },
    ])
    const id = other.edits()[0]?.id ?? ''
    await other.outbox.readAgain(id)
    expect(other.edits()).toMatchObject([{ state: 'parked' }])
    must(other.outbox.discard(id))
    await clock.advance(20 * MINUTE)
    expect(other.edits()).toEqual([])
    expect(service.writes()).toEqual([])
  },
)

test('an imported update names the domain that it was for, and is sent after the user has saved the website that it reaches', async () => {
  must(await app.outbox.update(app.keyOf('one.example'), { email: true }))
  const text = (await exported(app)).text.replaceAll('one.example', 'harmless.example')
  await app.outbox.stop()
  await imported(text, other)
  await other.online(15_000)
  expect(other.edits()).toMatchObject([{ state: 'parked', madeForDomain: 'harmless.example', domain: 'one.example' }])
  must(await other.outbox.update(other.keyOf('one.example'), { exclude_bots: false }))
  await clock.advance(15_000)
  expect(other.edits()).toEqual([])
  expect(service.records.get('1')).toMatchObject({ email: true, exclude_bots: false })
})

test('a bulk edit does not send an update that was imported for another domain', async () => {
  must(await app.outbox.update(app.keyOf('one.example'), { email: true }))
  const text = (await exported(app)).text.replaceAll('one.example', 'harmless.example')
  await app.outbox.stop()
  await imported(text, other)
  await other.online(15_000)
  const updates = [{ key: other.keyOf('one.example'), changes: { exclude_bots: false } }]
  must(await other.outbox.writeBulk({ updates }))
  await clock.advance(15_000)
  expect(other.edits()).toMatchObject([{ state: 'parked', madeForDomain: 'harmless.example' }])
  expect(service.writes()).toEqual([])
})

test('an imported update that waits for its password is not sent to another domain when the user enters the password', async () => {
  must(await app.outbox.update(app.keyOf('one.example'), { privacy: 2, password: 'canary' }))
  const text = (await exported(app)).text.replaceAll('one.example', 'harmless.example')
  await app.outbox.stop()
  await imported(text, other)
  await other.online(15_000)
  must(await other.refresh.run())
  must(await other.outbox.update(other.keyOf('one.example'), { privacy: 2, password: 'other' }))
  await clock.advance(15_000)
  expect(other.edits()).toMatchObject([{ state: 'parked', madeForDomain: 'harmless.example' }])
  expect(service.writes()).toEqual([])
})

test.each([
  ['another imported update', () => Promise.resolve(ok(undefined))],
  ['a save of the user', () => other.outbox.update(other.keyOf('harmless.example'), { exclude_bots: false })],
])('an imported update in doubt with %s behind it never reaches a website with another domain', async (by, save) => {
  must(await app.outbox.update(app.keyOf('one.example'), { email: true }))
  const file = await parsed(app)
  await app.outbox.stop()
  const [edit] = file.edits
  const sent = { before: 'present', date: null, accepted: false, doubted: true }
  const first = { ...edit, standing: { state: 'inDoubt', error: null }, sent }
  const second = {
    ...edit,
    id: 'second',
    settings: { exclude_bots: false },
    base: { settings: { exclude_bots: true } },
  }
  const edits = by === 'a save of the user' ? [first] : [first, second]
  await imported(JSON.stringify({ ...file, edits }).replaceAll('one.example', 'harmless.example'), other)
  must<unknown>(await save())
  await other.online(60_000)
  expect(other.edits()).toMatchObject([{ state: 'parked', madeForDomain: 'harmless.example', domain: 'one.example' }])
  expect(service.writes()).toEqual([])
})

test('the undo of an earlier save does not send an update that was imported for another domain', async () => {
  await other.online()
  must(await other.refresh.run())
  must(await other.outbox.update(other.keyOf('one.example'), { exclude_bots: false }))
  await clock.advance(15_000)
  must(await app.outbox.update(app.keyOf('one.example'), { email: true }))
  const text = (await exported(app)).text.replaceAll('one.example', 'harmless.example')
  await app.outbox.stop()
  await imported(text, other)
  await clock.advance(15_000)
  expect(other.edits()).toMatchObject([{ state: 'parked', madeForDomain: 'harmless.example' }])
  must(await other.outbox.revert(other.history()[0]?.id ?? '', 'undo', undefined))
  await clock.advance(15_000)
  expect(other.edits()).toMatchObject([{ state: 'parked', madeForDomain: 'harmless.example' }])
  expect(service.updates()).toEqual([{ exclude_bots: false }])
})

/** Imports one edit of `one.example` as an edit of `harmless.example`. In the file, it is parked because of a conflict. */
async function importInConflict(): Promise<string> {
  const file = await parsed(app)
  await app.outbox.stop()
  Object.assign(service.records.get('1') ?? {}, { privacy: 2, password: true })
  const theirs = { ...(file.websites[0]?.['record'] as object), privacy: 2, password: true }
  const standing = { state: 'parked', reason: 'conflict', error: null, theirs }
  const edits = file.edits.map((edit) => ({ ...edit, standing }))
  await imported(JSON.stringify({ ...file, edits }).replaceAll('one.example', 'harmless.example'), other)
  return other.edits()[0]?.id ?? ''
}

test.each([
  ['saves the website', () => other.outbox.update(other.keyOf('harmless.example'), { exclude_bots: false })],
  ['answers', (id: string) => other.outbox.resolve(id, { way: 'units', units: { privacy: 'mine' } })],
])(
  'an imported edit in conflict never reaches a website with another domain if the user %s before the website is read',
  async (_, act) => {
    must(await app.outbox.update(app.keyOf('one.example'), { privacy: 0 }))
    const id = await importInConflict()
    must<unknown>(await act(id))
    await other.online(60_000)
    expect(other.edits()).toMatchObject([{ state: 'parked', madeForDomain: 'harmless.example', domain: 'one.example' }])
    expect(service.writes()).toEqual([])
  },
)

test('an imported delete in conflict that the user confirms never reaches a website with another domain than the one shown', async () => {
  must(await app.outbox.delete(app.keyOf('one.example')))
  must(await other.outbox.resolve(await importInConflict(), { way: 'delete' }))
  await other.online(60_000)
  expect(other.edits()).toMatchObject([{ state: 'parked', madeForDomain: 'harmless.example', domain: 'one.example' }])
  expect(service.writes()).toEqual([])
})

test.each([
  ['appeared', 'delete', 'one.example'],
  ['appeared', 'adopt', 'one.example'],
  ['adopt', 'adopt', 'one.example'],
  ['appeared', 'delete', 'harmless.example'],
  ['adopt', 'adopt', 'harmless.example'],
] as const)(
  'the user’s answer to an imported question about a new website (%s) reaches no website with another domain: answer “%s”, domain in the file %s',
  async (reason, way, domain) => {
    must(await app.outbox.create(draft('harmless.example', { privacy: 0 })))
    must(await app.outbox.update(app.keyOf('one.example'), { email: true }))
    const file = await parsed(app)
    await app.outbox.stop()
    const found = file.websites.find(({ id }) => id === '1')
    const theirs = { ...(found?.['record'] as object), domain }
    const standing = { state: 'parked', reason, error: null, theirs }
    const edits = file.edits.slice(0, 1).map((edit) => ({ ...edit, standing }))
    await imported(JSON.stringify({ ...file, edits }), other)
    const id = other.edits()[0]?.id ?? ''
    await other.outbox.resolve(id, { way })
    await other.online(60_000)
    await other.outbox.resolve(id, { way })
    await clock.advance(60_000)
    expect(service.writes()).toEqual([])
  },
)

test('the user’s answer does not reach a website whose domain was changed after the user was asked', async () => {
  await app.online()
  service.add('there.example', { privacy: 0 })
  must(await app.outbox.create(draft('there.example')))
  await settled()
  service.received.length = 0
  Object.assign(service.records.get('4') ?? {}, { domain: 'another.example' })
  const id = app.edits()[0]?.id ?? ''
  expect(codeOf(await app.outbox.resolve(id, { way: 'adopt' }))).toBe('edit-gone')
  await clock.advance(15_000)
  expect(service.writes()).toEqual([])
})

test('an imported update that is exported and imported again never reaches a website with another domain', async () => {
  must(await app.outbox.update(app.keyOf('one.example'), { email: true }))
  const text = (await exported(app)).text.replaceAll('one.example', 'harmless.example')
  await app.outbox.stop()
  await imported(text, other)
  await other.online(15_000)
  const again = (await exported(other)).text
  must(other.outbox.discard(other.edits()[0]?.id ?? ''))
  await imported(again, other)
  must(await other.outbox.readAgain(other.edits()[0]?.id ?? ''))
  await clock.advance(15_000)
  expect(other.edits()).toMatchObject([{ state: 'parked', madeForDomain: 'harmless.example' }])
  expect(service.writes()).toEqual([])
})

test.each([
  ['not JSON', 'nonsense'],
  ['empty', ''],
  ['something else', '{"hello":1}'],
  ['a list', '[]'],
  ['without websites', JSON.stringify({ format: 'siteward-pending', version: 1, connection: {}, edits: [] })],
  ['nested 200,000 levels deep', `{"format":"siteward-pending","version":1,"edits":${'['.repeat(200_000)}`],
  [
    'nested 5,000 levels deep in an edit',
    `{"format":"siteward-pending","version":1,"edits":[${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}]}`,
  ],
])('rejects a file that is %s', async (_, text) => {
  expect(await other.outbox.importQueue(text)).toMatchObject({ error: { code: 'bad-file' } })
})

test('reports that a file was exported by a newer version, not that the file is damaged', async () => {
  const file = await parsed(app)
  expect(await other.outbox.importQueue(JSON.stringify({ ...file, version: 2 }))).toMatchObject({
    error: { code: 'newer-version' },
  })
})

test('a file with names such as `__proto__` is imported, but these names change no object and are not stored', async () => {
  await queueSome()
  const { text } = await exported(app)
  const hostile = text.replaceAll('"settings":{"', '"settings":{"__proto__":{"polluted":1},"constructor":1,"')
  expect(await imported(hostile, other)).toMatchObject({ added: 3 })
  expect(Object.prototype).not.toHaveProperty('polluted')
  expect(JSON.stringify(other.store.editsPage(0, 10))).not.toContain('polluted')
})
