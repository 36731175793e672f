import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fail } from '../../../src/shared/result.ts'
import { fakeClock, settled, type FakeClock } from './clock.ts'
import { draft, must, startConnection } from './rig.ts'
import { SimulatedService } from './simulated-service.ts'

let service: SimulatedService
let clock: FakeClock
let app: ReturnType<typeof startConnection>
let other: ReturnType<typeof startConnection>

const start = () => startConnection({ service, clock })

beforeEach(async () => {
  service = new SimulatedService()
  for (const domain of ['one.example', 'two.example', 'three.example']) service.add(domain, { email: false })
  clock = fakeClock()
  app = start()
  must(await app.refresh.run())
  await app.offline()
  other = start()
  await other.offline()
})

afterEach(async () => {
  await app.close()
  await other.close()
})

const exported = async (from = app) => must(await from.outbox.exportQueue())
const parsed = async (from = app) => JSON.parse((await exported(from)).text) as Exported
const imported = async (text: string, into = other) => must(await into.outbox.importQueue(text))

interface Exported {
  connection: Record<string, unknown>
  websites: Record<string, unknown>[]
  edits: Record<string, unknown>[]
}

async function queueSome(): Promise<void> {
  must(await app.outbox.create(draft('new.example', { exclude_ips: ['10.0.0.1'] })))
  must(await app.outbox.update(app.keyOf('one.example'), { email: true }))
  must(await app.outbox.delete(app.keyOf('two.example')))
}

test('an export is taken into an empty outbox of the same connection as it was', async () => {
  await queueSome()
  const { text, edits, secrets } = await exported()
  expect([edits, secrets]).toEqual([3, 0])
  expect(await imported(text)).toEqual({ added: 3, skipped: 0, parked: 0, refused: [] })
  expect((await exported(other)).text).toBe(text)
  service.unreachable = false
  other.reach.retryNow()
  await clock.advance(15_000)
  expect(service.domains()).toEqual(['one.example', 'three.example', 'new.example'])
  expect(service.records.get('1')).toMatchObject({ email: true })
})

test('a create whose domain is not written as the service would is refused, and named', async () => {
  await queueSome()
  const { text } = await exported()
  const { added, refused } = await imported(text.replaceAll('new.example', 'WWW.New.example'))
  expect(added).toBe(2)
  expect(refused).toMatchObject([{ domain: 'WWW.New.example', error: { code: 'invalid-input' } }])
})

test.each([
  ['changedAt', 1.5],
  ['changedAt', 1e300],
  ['attempts', -1],
])('an edit whose %s is %d is refused, and the others are taken', async (field, value) => {
  await queueSome()
  const { text } = await exported()
  const file = JSON.parse(text) as { edits: Record<string, unknown>[] }
  file.edits[0] = { ...file.edits[0], [field]: value }
  const { added, refused } = await imported(JSON.stringify(file))
  expect(added).toBe(2)
  expect(refused).toHaveLength(1)
})

test.each(['.', '..', '\ud800'])(
  'a website whose id would lead requests elsewhere is refused, and the others are taken: %j',
  async (id) => {
    await queueSome()
    const file = await parsed()
    file.websites = file.websites.map((website) =>
      website['domain'] === 'one.example' ? { ...website, id, record: null } : website,
    )
    const { added, refused } = await imported(JSON.stringify(file))
    expect(added).toBe(2)
    expect(refused).toHaveLength(1)
    service.unreachable = false
    other.reach.retryNow()
    await clock.advance(15_000)
    expect(service.asked.filter((asked) => JSON.stringify(asked).includes(JSON.stringify(id)))).toEqual([])
  },
)

test('an imported delete has its ten seconds', async () => {
  await queueSome()
  const { text } = await exported()
  for (const { id } of app.edits()) must(app.outbox.undo(id))
  await clock.advance(60_000)
  service.unreachable = false
  other.reach.retryNow()
  await settled()
  await imported(text)
  await clock.advance(9_000)
  expect(service.domains()).toContain('two.example')
  await clock.advance(2_000)
  expect(service.domains()).not.toContain('two.example')
})

test('no password is in it; its edit waits until it is typed anew, and never goes without', async () => {
  must(await app.outbox.create(draft('new.example', { privacy: 2, password: 'canary-password' })))
  must(await app.outbox.update(app.keyOf('one.example'), { privacy: 2, password: 'canary-password' }))
  const { text, secrets } = await exported()
  expect(secrets).toBe(2)
  const sealed = app.store.editsOf(app.keyOf('one.example'))[0]?.sealed ?? expect.fail('no password is kept')
  for (const secret of ['canary-password', Buffer.from(sealed).toString('base64'), Buffer.from(sealed).toString()]) {
    expect(text).not.toContain(secret)
  }
  expect(await imported(text)).toMatchObject({ added: 2, parked: 2 })
  service.unreachable = false
  other.reach.retryNow()
  await settled()
  expect(other.edits()).toMatchObject([
    { state: 'parked', reason: 'password', password: true },
    { state: 'parked', reason: 'password', password: true },
  ])
  // Something else that is changed meanwhile doesn't send it without its password either.
  must(await other.outbox.update(other.keyOf('one.example'), { email: true }))
  await settled()
  expect(service.writes()).toEqual([])
  must(await other.outbox.update(other.keyOf('one.example'), { password: 'typed anew' }))
  must(await other.outbox.correct(other.keyOf('new.example'), draft('new.example', { privacy: 2, password: 'anew' })))
  await clock.advance(5_000)
  expect(service.records.get('1')).toMatchObject({ privacy: 2, password: true, email: true })
  expect(other.edits()).toEqual([])
})

test('what was in doubt is settled by reading after an import too', async () => {
  service.unreachable = false
  app.reach.retryNow()
  service.fail('create', { lost: 'answer' })
  service.fail('list', { refuse: 'unavailable' })
  must(await app.outbox.create(draft('new.example')))
  await settled()
  expect(app.edits()).toMatchObject([{ state: 'inDoubt' }])
  const { text } = await exported()
  await app.offline()
  await imported(text)
  service.unreachable = false
  other.reach.retryNow()
  await clock.advance(60_000)
  expect(service.writes()).toEqual(['create'])
})

test('edits that are known are skipped: those that wait, and those that were sent', async () => {
  await queueSome()
  const { text } = await exported()
  expect(await imported(text, app)).toMatchObject({ added: 0, skipped: 3 })
  service.unreachable = false
  app.reach.retryNow()
  await clock.advance(15_000)
  expect(app.edits()).toEqual([])
  expect(await imported(text, app)).toMatchObject({ added: 0, skipped: 3 })
  await clock.advance(15_000)
  expect(service.writes()).toHaveLength(3)
})

test('what was sent within another edit is known too: what the person has set since stays', async () => {
  service.unreachable = false
  app.reach.retryNow()
  await clock.advance(15_000)
  const key = app.keyOf('one.example')
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  service.before = (asked) => (asked === 'update' ? held : undefined)
  service.fail('update', { refuse: 'rate-limited', retryAfter: 5 })
  must(await app.outbox.update(key, { privacy: 0 }))
  await settled()
  must(await app.outbox.update(key, { email: true }))
  const { text } = await exported()
  release()
  await clock.advance(15_000)
  expect(service.records.get('1')).toMatchObject({ privacy: 0, email: true })
  must(await app.outbox.update(key, { email: false }))
  await clock.advance(15_000)
  expect(await imported(text, app)).toMatchObject({ added: 0, skipped: 2 })
  await clock.advance(15_000)
  expect(service.records.get('1')).toMatchObject({ email: false })
})

test('what was discarded or undone since is taken back', async () => {
  await queueSome()
  const { text } = await exported()
  for (const { id } of app.edits()) must(app.outbox.undo(id))
  expect(app.edits()).toEqual([])
  expect(await imported(text, app)).toMatchObject({ added: 3 })
  expect(app.edits()).toHaveLength(3)
})

test.each([
  ['another address', { address: 'https://b.example' }],
  ['another account', { account: '2' }],
])('an export of %s is refused', async (_, change) => {
  await queueSome()
  const file = await parsed()
  const text = JSON.stringify({ ...file, connection: { ...file.connection, ...change } })
  expect(await other.outbox.importQueue(text)).toMatchObject({ error: { code: 'other-connection' } })
  expect(other.edits()).toEqual([])
})

test('where no account is shown, it is taken only with a website that is known here', async () => {
  await queueSome()
  const file = await parsed()
  const text = JSON.stringify({ ...file, connection: { ...file.connection, id: 'elsewhere', account: null } })
  expect(await other.outbox.importQueue(text)).toMatchObject({ error: { code: 'other-connection' } })
  for (const { id } of app.edits()) must(app.outbox.undo(id))
  expect(await imported(text, app)).toMatchObject({ added: 3 })
})

test('what does not fit here is refused by name, and the rest is taken', async () => {
  await queueSome()
  const file = await parsed()
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
  const { added, refused } = await imported(JSON.stringify({ ...file, edits }))
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
  const file = await parsed()
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
  const { added, skipped, refused } = await imported(JSON.stringify({ ...file, websites, edits }))
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

test('a website may be created anew behind its delete in the file', async () => {
  must(await app.outbox.delete(app.keyOf('two.example')))
  must(await app.outbox.create(draft('two.example')))
  expect(await imported((await exported()).text)).toMatchObject({ added: 2, refused: [] })
  expect(other.edits().map(({ kind }) => kind)).toEqual(['delete', 'create'])
})

test('what is queued here while a long file is read stays, and the file gives way to it', async () => {
  await queueSome()
  const file = await parsed()
  const [create, update, removal] = file.edits
  // Of no website, so that they take a turn to be read, and nothing else.
  const filling = Array.from({ length: 150 }, () => 'nonsense')
  service.unreachable = false
  must(await other.refresh.run())
  await other.offline()
  const taking = other.outbox.importQueue(JSON.stringify({ ...file, edits: [create, update, removal, ...filling] }))
  await settled()
  must(await other.outbox.create(draft('new.example')))
  must(await other.outbox.update(other.keyOf('one.example'), { privacy: 0 }))
  await clock.advance(0)
  const { added, refused } = must(await taking)
  expect(added).toBe(1)
  expect(refused.filter(({ domain }) => domain !== '').map(({ domain }) => domain)).toEqual([
    'new.example',
    'one.example',
  ])
  expect(other.list().filter(({ domain }) => domain === 'new.example')).toHaveLength(1)
  expect(other.edits().map(({ domain, kind }) => [domain, kind])).toEqual([
    ['new.example', 'create'],
    ['one.example', 'update'],
    ['two.example', 'delete'],
  ])
})

describe('a long import', () => {
  const MANY = 250

  /** Others get their turn in between. */
  async function inSlices<T>(work: Promise<T>): Promise<T> {
    let done = false
    void work.finally(() => (done = true))
    for (let turn = 0; turn < 100 && !done; turn++) await clock.advance(1)
    return work
  }

  async function longFile(): Promise<string> {
    for (let n = 0; n < MANY; n++) must(await app.outbox.create(draft(`n${String(n)}.example`)))
    return (await inSlices(exported())).text
  }

  test('brings everything, in the order of the file, and nothing stays behind', async () => {
    const text = await longFile()
    expect(await inSlices(imported(text))).toEqual({ added: MANY, skipped: 0, parked: 0, refused: [] })
    expect((await inSlices(exported(other))).text).toBe(text)
    expect(other.store.stagedState()).toBe('nothing')
  })

  /** The same file on disk, when that many writes of the import were made. */
  async function endedAfter(writes: number, text: string) {
    const rig = startConnection({ service, clock })
    await rig.offline()
    let made = 0
    const { write } = rig.store
    rig.store.write = (work) => (++made > writes ? fail('storage') : write(work))
    const answer = await inSlices(rig.outbox.importQueue(text))
    rig.store.write = write
    return { rig, answer }
  }

  test.each([
    ['put aside', 2, 0],
    ['being taken', 4, MANY],
  ])('that ends while it is %s comes to nothing or to all of it', async (_, writes, expected) => {
    const { rig, answer } = await endedAfter(writes, await longFile())
    expect(answer.ok).toBe(false)
    rig.outbox.start()
    await clock.advance(100)
    expect(rig.outbox.counts()).toEqual({ waiting: expected, parked: 0 })
    expect(rig.store.stagedState()).toBe('nothing')
    await rig.close()
  })

  test('the two edits of one website come together, however far apart they are in the file', async () => {
    await queueSome()
    const text = await longFile()
    const file = JSON.parse(text) as Exported
    const update = file.edits.find(({ kind }) => kind === 'update') ?? {}
    const sent = { ...update, id: 'sent', standing: { state: 'inDoubt', error: null } }
    const edits = [sent, ...file.edits.filter((edit) => edit !== update), update]
    expect(await inSlices(imported(JSON.stringify({ ...file, edits })))).toMatchObject({ added: MANY + 4, refused: [] })
    expect(other.store.editsOf(String(update['website'])).map(({ id }) => id)).toEqual(['sent', update['id']])
  })
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
  const file = await parsed()
  expect(await other.outbox.importQueue(JSON.stringify({ ...file, version: 2 }))).toMatchObject({
    error: { code: 'newer-version' },
  })
})

test('names that mean something to the language mean nothing in a file', async () => {
  await queueSome()
  const { text } = await exported()
  const hostile = text.replaceAll('"settings":{"', '"settings":{"__proto__":{"polluted":1},"constructor":1,"')
  expect(await imported(hostile)).toMatchObject({ added: 3 })
  expect(Object.prototype).not.toHaveProperty('polluted')
  expect(JSON.stringify(other.store.editsPage(0, 10))).not.toContain('polluted')
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
const deeds = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('create' as const), n: fc.nat(5), settings }),
    fc.record({ do: fc.constant('update' as const), n: fc.nat(2), settings, password: fc.boolean() }),
    fc.record({ do: fc.constant('delete' as const), n: fc.nat(2) }),
  ),
  { maxLength: 12 },
)

test('whatever was queued: export, import, export is the same, but for passwords', async () => {
  await fc.assert(
    fc.asyncProperty(deeds, async (list) => {
      const from = start()
      const into = start()
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
