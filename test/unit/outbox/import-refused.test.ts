import { expect, test } from 'vitest'
import { exported, imported, other, parsed, queueSome, useTwoApps } from './exchange.ts'
import { draft, must } from './rig.ts'
import { app, service } from './rig-app.ts'

useTwoApps()

test('a create whose domain is not written as the service would is refused, and named', async () => {
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
])('an edit whose %s is %d is refused, and the others are taken', async (field, value) => {
  await queueSome()
  const { text } = await exported(app)
  const file = JSON.parse(text) as { edits: Record<string, unknown>[] }
  file.edits[0] = { ...file.edits[0], [field]: value }
  const { added, refused } = await imported(JSON.stringify(file), other)
  expect(added).toBe(2)
  expect(refused).toHaveLength(1)
})

test.each(['.', '..', '\ud800'])(
  'a website whose id would lead requests elsewhere is refused, and the others are taken: %j',
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
    expect(service.asked.filter((asked) => JSON.stringify(asked).includes(JSON.stringify(id)))).toEqual([])
  },
)

test.each([
  ['another address', { address: 'https://b.example' }],
  ['another account', { account: '2' }],
])('an export of %s is refused', async (_, change) => {
  await queueSome()
  const file = await parsed(app)
  const text = JSON.stringify({ ...file, connection: { ...file.connection, ...change } })
  expect(await other.outbox.importQueue(text)).toMatchObject({ error: { code: 'other-connection' } })
  expect(other.edits()).toEqual([])
})

test('where no account is shown, it is taken only with a website that is known here', async () => {
  await queueSome()
  const file = await parsed(app)
  const text = JSON.stringify({ ...file, connection: { ...file.connection, id: 'elsewhere', account: null } })
  expect(await other.outbox.importQueue(text)).toMatchObject({ error: { code: 'other-connection' } })
  for (const { id } of app.edits()) must(app.outbox.undo(id))
  expect(await imported(text, app)).toMatchObject({ added: 3 })
})

test('what does not fit here is refused by name, and the rest is taken', async () => {
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

test('a file that tells two stories of one website, or one edit twice, is taken once', async () => {
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

test.each([
  ['not JSON', 'nonsense'],
  ['empty', ''],
  ['something else', '{"hello":1}'],
  ['a list', '[]'],
  ['no websites', JSON.stringify({ format: 'siteward-pending', version: 1, connection: {}, edits: [] })],
  ['deep beyond measure', `{"format":"siteward-pending","version":1,"edits":${'['.repeat(200_000)}`],
  [
    'deep in an edit',
    `{"format":"siteward-pending","version":1,"edits":[${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}]}`,
  ],
])('a file that is %s is refused', async (_, text) => {
  expect(await other.outbox.importQueue(text)).toMatchObject({ error: { code: 'bad-file' } })
})

test('a file of a newer version is told from a damaged one', async () => {
  const file = await parsed(app)
  expect(await other.outbox.importQueue(JSON.stringify({ ...file, version: 2 }))).toMatchObject({
    error: { code: 'newer-version' },
  })
})

test('names that mean something to the language mean nothing in a file', async () => {
  await queueSome()
  const { text } = await exported(app)
  const hostile = text.replaceAll('"settings":{"', '"settings":{"__proto__":{"polluted":1},"constructor":1,"')
  expect(await imported(hostile, other)).toMatchObject({ added: 3 })
  expect(Object.prototype).not.toHaveProperty('polluted')
  expect(JSON.stringify(other.store.editsPage(0, 10))).not.toContain('polluted')
})
