import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { BatchStore } from '../../../src/main/bulk/ports.ts'
import { fail, ok, type ErrorCode } from '../../../src/shared/result.ts'
import { fakeClock, settled, type FakeClock } from '../outbox/clock.ts'
import { codeOf, draft, must, useFolder } from '../outbox/rig.ts'
import { SimulatedService } from '../outbox/simulated-service.ts'
import { openMany } from './rig.ts'

const WEBSITES = 5
const fileIn = useFolder()

let service: SimulatedService
let clock: FakeClock
let app: ReturnType<typeof open>

/** How many edits were looked for at each look. */
let looks: number[]
/** What becomes of a note of what was done to many. */
let refusal: ErrorCode | null
let pause: () => Promise<void>

function open() {
  const batches = (kept: BatchStore): BatchStore => ({
    ...kept,
    trace(ids) {
      looks.push(ids.length)
      return kept.trace(ids)
    },
    saveBatch: (batch) => (refusal === null ? kept.saveBatch(batch) : fail(refusal)),
  })
  return openMany({ service, clock, file: fileIn(), batches, pause: () => pause() })
}

beforeEach(async () => {
  looks = []
  refusal = null
  pause = () => Promise.resolve()
  clock = fakeClock()
  service = new SimulatedService()
  for (let n = 0; n < WEBSITES; n++) service.add(`w${n}.example`, { email: false })
  app = open()
  must(await app.refresh.run())
  await app.offline()
})
afterEach(() => app.close())

const keys = () => app.list().map(({ key }) => key)
const counts = () => {
  const { sent, waiting, parked, back } = app.outcome.state() ?? expect.fail('nothing is told')
  return { sent, waiting, parked, back }
}
async function restart(): Promise<void> {
  await app.close()
  app = open()
}

test('what was done to many is told as one, offline and as it’s sent', async () => {
  expect(app.outcome.state()).toBeNull()
  const { batch } = await app.bulk.apply(keys(), { email: true })
  expect(app.outcome.state()).toMatchObject({ id: batch, kind: 'update', websites: WEBSITES })
  expect(counts()).toEqual({ sent: 0, waiting: WEBSITES, parked: 0, back: 0 })
  service.fail('update', { refuse: 'invalid', fields: { email: ['The plan has none.'] } })
  await app.online()
  expect(counts()).toEqual({ sent: WEBSITES - 1, waiting: 0, parked: 1, back: 0 })
})

test('a restart in between changes nothing of it; once all is sent it’s told after one while it can be taken back', async () => {
  const { batch } = await app.bulk.apply(keys(), { email: true })
  must(app.outbox.undo(app.edits()[0]?.id ?? ''))
  expect(counts()).toEqual({ sent: 0, waiting: WEBSITES - 1, parked: 0, back: 1 })
  await restart()
  expect(counts()).toEqual({ sent: 0, waiting: WEBSITES - 1, parked: 0, back: 1 })
  await app.online()
  expect(counts()).toEqual({ sent: WEBSITES - 1, waiting: 0, parked: 0, back: 1 })
  await restart()
  expect(app.outcome.state()).toMatchObject({ id: batch, sent: WEBSITES - 1, back: 1, canUndo: true })
  must(app.outcome.dismiss())
  await restart()
  expect(app.outcome.state()).toBeNull()
  await app.batches.delete(keys())
  await app.online(30_000)
  expect(app.outcome.state()).toMatchObject({ sent: WEBSITES, canUndo: false })
  await restart()
  expect(app.outcome.state()).toBeNull()
})

test('what is done to one of them afterwards is no part of it', async () => {
  await app.bulk.apply(keys(), { email: true })
  await app.online()
  await app.offline()
  must(await app.outbox.update(keys()[0] ?? '', { privacy: 0 }))
  expect(counts()).toEqual({ sent: WEBSITES, waiting: 0, parked: 0, back: 0 })
})

describe('what was never sent isn’t told as sent:', () => {
  test('websites that are added and deleted before', async () => {
    await app.batches.create(['a', 'b', 'c'].map((name) => draft(`${name}.example`)))
    const added = ['a', 'b', 'c'].map((name) => app.keyOf(`${name}.example`))
    await app.batches.delete(added.slice(0, 1))
    await settled()
    expect(counts()).toEqual({ sent: 0, waiting: 2, parked: 0, back: 1 })
    await app.batches.delete(added.slice(1))
    await settled()
    expect(app.outcome.state()).toBeNull()
    await app.online()
    await settled()
    expect(app.outcome.state()).toBeNull()
  })

  test('what is set, and set back', async () => {
    await app.bulk.apply(keys(), { email: true })
    await app.bulk.apply(keys().slice(0, 2), { email: false })
    await settled()
    expect(counts()).toEqual({ sent: 0, waiting: WEBSITES - 2, parked: 0, back: 2 })
    await app.bulk.apply(keys(), { email: false })
    await settled()
    expect(app.outcome.state()).toBeNull()
    await app.online()
    expect(service.asked.filter(({ operation }) => operation === 'update')).toEqual([])
    await settled()
    expect(app.outcome.state()).toBeNull()
  })

  test('one of those that were added is deleted', async () => {
    await app.batches.create(['a', 'b', 'c'].map((name) => draft(`${name}.example`)))
    must(await app.outbox.delete(app.keyOf('b.example')))
    await settled()
    expect(counts()).toEqual({ sent: 0, waiting: 2, parked: 0, back: 1 })
    await app.online()
    await settled()
    expect(counts()).toEqual({ sent: 2, waiting: 0, parked: 0, back: 1 })
  })

  test('a change whose website is deleted instead, and it waits again once that is taken back', async () => {
    await app.bulk.apply(keys(), { email: true })
    const [first = '', second = ''] = keys()
    must(await app.outbox.delete(first))
    must(await app.outbox.delete(second))
    await settled()
    expect(counts()).toEqual({ sent: 0, waiting: WEBSITES - 2, parked: 0, back: 2 })
    must(app.outbox.undo(app.edits().find(({ website }) => website === second)?.id ?? ''))
    await settled()
    expect(counts()).toEqual({ sent: 0, waiting: WEBSITES - 1, parked: 0, back: 1 })
    service.fail('update', { refuse: 'invalid', fields: { email: ['The plan has none.'] } })
    await app.online(30_000)
    await restart()
    await settled()
    expect(counts()).toEqual({ sent: WEBSITES - 2, waiting: 0, parked: 1, back: 1 })
  })

  test('a delete that is taken back where a change waits', async () => {
    const [first = ''] = keys()
    must(await app.outbox.update(first, { privacy: 0 }))
    await app.batches.delete(keys())
    must(app.outbox.undo(app.edits().find(({ website }) => website === first)?.id ?? ''))
    await settled()
    expect(counts()).toEqual({ sent: 0, waiting: WEBSITES - 1, parked: 0, back: 1 })
    await app.online(30_000)
    await settled()
    expect(counts()).toEqual({ sent: WEBSITES - 1, waiting: 0, parked: 0, back: 1 })
  })
})

test('after a restart too, what is done to one of them afterwards is no part of it', async () => {
  await app.bulk.apply(keys(), { email: true })
  service.fail('update', { refuse: 'invalid', fields: { email: ['The plan has none.'] } })
  await app.online()
  await app.offline()
  const told = { sent: WEBSITES - 1, waiting: 0, parked: 1, back: 0 }
  const parked = app.edits()[0]?.website
  must(await app.outbox.update(keys().find((key) => key !== parked) ?? '', { privacy: 0 }))
  await restart()
  await settled()
  expect(counts()).toEqual(told)
  must(app.outbox.undo(app.edits().find(({ state }) => state !== 'parked')?.id ?? ''))
  await restart()
  await settled()
  expect(counts()).toEqual(told)
})

test('those that are sent while others are still queued are counted', async () => {
  for (let n = 0; n < 55; n++) service.add(`more${n}.example`, { email: false })
  await app.online()
  must(await app.refresh.run())
  pause = () => clock.advance(120_000)
  const many = app.list().map(({ key }) => key)
  await app.bulk.apply(many, { email: true })
  await settled()
  expect(counts()).toEqual({ sent: 60, waiting: 0, parked: 0, back: 0 })
  const added = app.batches.create(Array.from({ length: 60 }, (_, n) => draft(`new${n}.example`)))
  await clock.advance(0)
  await added
  expect(app.outcome.state()?.websites).toBe(60)
})

test('an edit that was sent, and went back into one that waited behind it, is followed there', async () => {
  await app.bulk.apply(keys(), { email: true })
  const [first = ''] = keys()
  await app.online()
  await app.offline()
  await app.bulk.apply(keys(), { email: false })
  await settled()
  expect(counts()).toEqual({ sent: 0, waiting: WEBSITES, parked: 0, back: 0 })
  const edit = must(app.store.read(() => ok(app.store.editsOf(first)[0]))) ?? expect.fail('none')
  must(
    app.store.write(() => {
      app.store.removeEdit(edit.id)
      return ok(app.store.addEdit({ ...edit, id: 'holder', note: { also: [edit.id] } }))
    }),
  )
  await restart()
  await settled()
  expect(counts()).toEqual({ sent: 0, waiting: WEBSITES, parked: 0, back: 0 })
  await app.online()
  await settled()
  expect(counts()).toEqual({ sent: WEBSITES, waiting: 0, parked: 0, back: 0 })
})

test('it’s looked for what came further alone, and not for what holds all of it', async () => {
  await app.bulk.apply(keys(), { email: true })
  await settled()
  counts()
  expect(looks).toEqual([WEBSITES])
  service.fail('update', { refuse: 'invalid', fields: { email: ['The plan has none.'] } })
  app.reach.hint(true)
  app.reach.hint(false)
  await clock.advance(100)
  await settled()
  counts()
  expect(looks).toEqual([WEBSITES])
  must(app.outbox.undo(app.edits()[0]?.id ?? ''))
  await settled()
  counts()
  expect(looks).toEqual([WEBSITES, 1])
  await app.online()
  await settled()
  counts()
  await restart()
  looks = []
  await settled()
  expect(counts()).toEqual({ sent: WEBSITES - 2, waiting: 0, parked: 1, back: 1 })
  expect(looks).toEqual([1])
})

test('what can’t be dismissed stays, and is dismissed later', async () => {
  await app.bulk.apply(keys(), { email: true })
  refusal = 'disk-full'
  expect(codeOf(app.outcome.dismiss())).toBe('disk-full')
  await settled()
  expect(counts()).toEqual({ sent: 0, waiting: WEBSITES, parked: 0, back: 0 })
  refusal = null
  must(app.outcome.dismiss())
  expect(app.outcome.state()).toBeNull()
})
