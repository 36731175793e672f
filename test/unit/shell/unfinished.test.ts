import { expect, test } from 'vitest'
import { createUnfinished } from '../../../src/main/shell/unfinished.ts'
import { unfinishedSchema, type Unfinished } from '../../../src/shared/unfinished.ts'

const list = {
  ...{
    search: 'lumen',
    sortBy: 'id' as const,
    sort: 'desc' as const,
    perPage: 'all' as const,
    page: 1,
    active: 0,
    top: 0,
  },
  chosen: { all: false, keys: ['w1'] },
}
const rest: Omit<Unfinished, 'form'> = { list, changes: 'waiting', held: false }
const form = { website: null, typed: { domain: 'half-typed.exa' }, seen: {}, cleared: [] }

/** Over a disk that outlives it, and an active connection. */
function start(disk: { note?: unknown; writes?: number } = {}, connection = { now: 'a' as string | null }) {
  const unfinished = createUnfinished({
    connection: () => connection.now,
    read: () => disk.note,
    write(note) {
      disk.note = JSON.parse(JSON.stringify(note))
      disk.writes = (disk.writes ?? 0) + 1
    },
  })
  unfinished.ready()
  return unfinished
}

test('what was half typed for one connection isn’t shown in another', async () => {
  const connection = { now: 'a' as string | null }
  const unfinished = start({}, connection)
  expect(unfinished.isHeld()).toBe(true)
  unfinished.keep({ form, ...rest })
  expect(unfinished.isHeld()).toBe(false)
  expect(await unfinished.get()).toEqual({ form, ...rest })
  for (connection.now of ['b', null]) expect(await unfinished.get()).toBeNull()
})

test('what was half typed outlives the app, and where it was; what was chosen doesn’t', async () => {
  const disk = {}
  start(disk).keep({ form, ...rest })
  const next = start(disk)
  expect(next.isHeld()).toBe(true)
  expect(await next.get()).toEqual({ form, ...rest, list: { ...list, chosen: { all: false, keys: [] } } })
  expect(await start(disk, { now: 'b' }).get()).toBeNull()
})

test('once it’s saved or given up nothing of it is left on disk', async () => {
  const disk: { note?: unknown } = {}
  const unfinished = start(disk)
  unfinished.keep({ form, ...rest })
  unfinished.keep({ form: { ...form, typed: {} }, ...rest })
  expect(disk.note).toBeNull()
  expect(await start(disk).get()).toBeNull()
})

test('before it’s known what is connected nothing is answered, and nothing that was kept is given up', async () => {
  const disk = {}
  start(disk).keep({ form, ...rest })
  const connection = { now: null as string | null }
  const next = createUnfinished({
    connection: () => connection.now,
    read: () => (disk as { note?: unknown }).note,
    write: (note) => void Object.assign(disk, { note }),
  })
  let answer: Unfinished | null | undefined
  const asked = next.get().then((unfinished) => (answer = unfinished))
  await Promise.resolve()
  expect(answer).toBeUndefined()
  connection.now = 'a'
  next.ready()
  await asked
  expect(answer).toMatchObject({ form })
})

test('the list alone is no reason to write', () => {
  const disk: { writes?: number } = {}
  const unfinished = start(disk)
  unfinished.keep({ form: null, ...rest })
  unfinished.keep({ form, ...rest })
  for (const top of [1, 2, 3]) unfinished.keep({ form, ...rest, list: { ...list, top } })
  expect(disk.writes).toBe(1)
})

test('a note that isn’t one is none', async () => {
  for (const note of [{ of: 'a', unfinished: { form } }, 'x', null]) expect(await start({ note }).get()).toBeNull()
})

test('there’s no way to keep a password with it', () => {
  const typed = { ...form.typed, password: 'x' }
  expect(unfinishedSchema.safeParse({ form, ...rest }).success).toBe(true)
  expect(unfinishedSchema.safeParse({ form: { ...form, typed }, ...rest }).success).toBe(false)
})
