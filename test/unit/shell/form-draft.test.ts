import { expect, test } from 'vitest'
import { createFormDrafts } from '../../../src/main/shell/form-draft.ts'
import { MAX_INPUT } from '../../../src/shared/fields.ts'
import { fail, ok } from '../../../src/shared/result.ts'
import { formDraftsSchema, type FormDrafts } from '../../../src/shared/form-draft.ts'

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
const rest: Omit<FormDrafts, 'form'> = { account: 'a', list, held: false }
const form = { website: null, typed: { domain: 'half-typed.exa' }, seen: {}, cleared: [] }

/** The stored drafts by connection, and the number of writes. `full`: every write fails. */
interface Disk {
  full?: boolean
  notes?: Record<string, unknown>
  writes?: number
}

/** Creates the draft store on a disk that survives restarts. */
function start(disk: Disk = {}, connection = { now: 'a' as string | null }) {
  const formDrafts = createFormDrafts({
    connection: () => connection.now,
    read: (id) => disk.notes?.[id],
    write(id, note) {
      if (disk.full === true) return fail('disk-full')
      disk.notes = { ...disk.notes, [id]: JSON.parse(JSON.stringify(note)) }
      disk.writes = (disk.writes ?? 0) + 1
      return ok(undefined)
    },
  })
  formDrafts.ready()
  return formDrafts
}

test('keeps a draft for its own connection only', async () => {
  const connection = { now: 'a' as string | null }
  const formDrafts = start({}, connection)
  expect(formDrafts.isHeld()).toBe(true)
  formDrafts.keep({ form, ...rest })
  expect(formDrafts.isHeld()).toBe(false)
  expect(await formDrafts.get()).toEqual({ form, ...rest })
  for (connection.now of ['b', null]) expect(await formDrafts.get()).toBeNull()
})

test('knows whether text is typed that would be lost if the app quits', () => {
  const formDrafts = start()
  expect(formDrafts.isTyped()).toBe(false)
  formDrafts.keep({ form: null, ...rest, held: true, typed: true })
  expect(formDrafts.isTyped()).toBe(true)
  formDrafts.keep({ form, ...rest })
  expect(formDrafts.isTyped()).toBe(false)
})

test('restores the draft and the arrangement of the list after a restart, but not which websites are selected', async () => {
  const disk = {}
  start(disk).keep({ form, ...rest })
  const next = start(disk)
  expect(next.isHeld()).toBe(true)
  expect(await next.get()).toEqual({ form, ...rest, list: { ...list, chosen: { all: false, keys: [] } } })
  expect(await start(disk, { now: 'b' }).get()).toBeNull()
})

test('removes the stored draft once it is saved or discarded', async () => {
  const disk: Disk = {}
  const formDrafts = start(disk)
  formDrafts.keep({ form, ...rest })
  formDrafts.keep({ form: { ...form, typed: {} }, ...rest })
  expect(disk.notes).toEqual({ a: null })
  expect(await start(disk).get()).toBeNull()
})

test('stores or removes a draft at the next report of the page if the disk was full', async () => {
  const disk: Disk = { full: true }
  const formDrafts = start(disk)
  formDrafts.keep({ form, ...rest })
  disk.full = false
  formDrafts.keep({ form, ...rest, list: { ...list, top: 1 } })
  expect(await start(disk).get()).toMatchObject({ form })
  disk.full = true
  formDrafts.keep({ form: null, ...rest })
  disk.full = false
  formDrafts.keep({ form: null, ...rest, list: { ...list, top: 2 } })
  expect(await start(disk).get()).toBeNull()
})

test('stores a draft that is kept aside, and not the open form if it is empty', async () => {
  const disk: Disk = {}
  const aside = [{ ...form, website: 'w1' }]
  start(disk).keep({ form: { ...form, typed: {} }, aside, ...rest })
  expect(await start(disk).get()).toMatchObject({ form: null, aside })
  start(disk).keep({ form: null, ...rest })
  expect(disk.notes).toEqual({ a: null })
})

test('keeps the stored draft of an account that could not be opened at the start while another account is used', async () => {
  const disk: Disk = {}
  start(disk).keep({ form, ...rest })
  const connection = { now: null as string | null }
  const next = start(disk, connection)
  next.keep({ form: null, ...rest, account: null })
  connection.now = 'b'
  next.keep({ form: { ...form, typed: { domain: 'of-b.exa' } }, ...rest, account: 'b' })
  next.keep({ form: null, ...rest, account: 'b' })
  connection.now = 'a'
  expect(await next.get()).toMatchObject({ form })
})

test('removes the draft of an account that the user has left for another one', async () => {
  const disk: Disk = {}
  const connection = { now: 'a' as string | null }
  const formDrafts = start(disk, connection)
  formDrafts.keep({ form, ...rest })
  connection.now = 'b'
  formDrafts.keep({ form: null, ...rest, account: 'b' })
  expect(disk.notes).toEqual({ a: null })
  connection.now = 'a'
  expect(await formDrafts.get()).toBeNull()
})

test.each(['b', null])(
  'changes no stored draft while the page still shows the former account, although the active account is already %s',
  async (active) => {
    const disk: Disk = {}
    const connection = { now: 'a' as string | null }
    const formDrafts = start(disk, connection)
    formDrafts.keep({ form, ...rest })
    connection.now = active
    formDrafts.keep({ form: { ...form, typed: { domain: 'typed-late.exa' } }, ...rest })
    expect(await formDrafts.get()).toBeNull()
    connection.now = 'a'
    expect(await start(disk, connection).get()).toMatchObject({ form })
  },
)

test('returns the stored draft only once the active connection is known', async () => {
  const disk: Disk = {}
  start(disk).keep({ form, ...rest })
  const connection = { now: null as string | null }
  const next = createFormDrafts({
    connection: () => connection.now,
    read: (id) => disk.notes?.[id],
    write: () => ok(undefined),
  })
  let answer: FormDrafts | null | undefined
  const pending = next.get().then((formDrafts) => (answer = formDrafts))
  await Promise.resolve()
  expect(answer).toBeUndefined()
  connection.now = 'a'
  next.ready()
  await pending
  expect(answer).toMatchObject({ form })
})

test('writes no draft to disk when only the scroll position of the list has changed', () => {
  const disk: Disk = {}
  const formDrafts = start(disk)
  formDrafts.keep({ form: null, ...rest })
  formDrafts.keep({ form, ...rest })
  for (const top of [1, 2, 3]) formDrafts.keep({ form, ...rest, list: { ...list, top } })
  expect(disk.writes).toBe(1)
})

test('ignores a malformed draft', async () => {
  for (const note of [{ form }, 'x', null]) expect(await start({ notes: { a: note } }).get()).toBeNull()
})

test('keeps the longest list that can be saved', () => {
  const typed = { exclude_ips: `${'x'.repeat(MAX_INPUT.line)}\n`.repeat(MAX_INPUT.lines) }
  expect(formDraftsSchema.safeParse({ form: { ...form, typed }, ...rest }).success).toBe(true)
})

test('has no field for a password', () => {
  const typed = { ...form.typed, password: 'x' }
  expect(formDraftsSchema.safeParse({ form, ...rest }).success).toBe(true)
  expect(formDraftsSchema.safeParse({ form: { ...form, typed }, ...rest }).success).toBe(false)
  expect(formDraftsSchema.safeParse({ form: { ...form, values: typed }, ...rest }).success).toBe(false)
})
