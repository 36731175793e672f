import { describe, expect, test } from 'vitest'
import { fail } from '../../../src/shared/result.ts'
import { settled } from './clock.ts'
import { exported, imported, keepAfterAll, other, parsed, queueSome, useTwoApps, type Exported } from './exchange.ts'
import { draft, must, startConnection } from './rig.ts'
import { app, clock, service } from './rig-app.ts'

useTwoApps()

test('what is queued here while a long file is read stays, and the file gives way to it', async () => {
  await queueSome()
  const file = await parsed(app)
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
    return (await inSlices(exported(app))).text
  }

  test('brings everything, in the order of the file, and nothing stays behind', async () => {
    const text = await longFile()
    expect(await inSlices(imported(text, other))).toEqual({ added: MANY, skipped: 0, parked: 0, refused: [] })
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
    expect(rig.outbox.counts()).toMatchObject({ waiting: expected, parked: 0 })
    expect(rig.store.stagedState()).toBe('nothing')
    await rig.close()
  })

  test('that ends between a website that was kept after all, and the create of its domain, brings both', async () => {
    await keepAfterAll()
    const file = JSON.parse(await longFile()) as Exported
    const [update, create, ...many] = file.edits
    const edits = [update, ...many, create]
    const { rig } = await endedAfter(4, JSON.stringify({ ...file, edits }))
    rig.outbox.start()
    await clock.advance(100)
    expect(rig.list('one.example').map(({ state }) => state)).toEqual(['held', 'held'])
    await rig.close()
  })

  test('the two edits of one website come together, however far apart they are in the file', async () => {
    await queueSome()
    const text = await longFile()
    const file = JSON.parse(text) as Exported
    const update = file.edits.find(({ kind }) => kind === 'update') ?? {}
    const sent = { ...update, id: 'sent', standing: { state: 'inDoubt', error: null } }
    const edits = [sent, ...file.edits.filter((edit) => edit !== update), update]
    expect(await inSlices(imported(JSON.stringify({ ...file, edits }), other))).toMatchObject({
      added: MANY + 4,
      refused: [],
    })
    expect(other.store.editsOf(String(update['website'])).map(({ id }) => id)).toEqual(['sent', update['id']])
  })
})
