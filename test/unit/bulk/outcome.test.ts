import { beforeEach, describe, expect, test } from 'vitest'
import type { BatchStore } from '../../../src/main/bulk/ports.ts'
import { fail, ok, type ErrorCode } from '../../../src/shared/result.ts'
import { settled } from '../outbox/clock.ts'
import { codeOf, draft, must } from '../outbox/rig.ts'
import { useMany, WEBSITES } from './rig.ts'

/** How many edits were looked for at each look. */
let looks: number[]
/** What becomes of a note of what was done to many. */
let refusal: ErrorCode | null
let pause: () => Promise<void>

beforeEach(() => {
  looks = []
  refusal = null
  pause = () => Promise.resolve()
})
const many = useMany({
  batches: (kept: BatchStore): BatchStore => ({
    ...kept,
    trace(ids) {
      looks.push(ids.length)
      return kept.trace(ids)
    },
    saveBatch: (batch) => (refusal === null ? kept.saveBatch(batch) : fail(refusal)),
  }),
  pause: () => pause(),
})

test('what was done to many is told as one, offline and as it’s sent', async () => {
  expect(many.app.outcome.state()).toBeNull()
  const { batch } = await many.app.bulk.apply(many.keys(), { email: true })
  expect(many.app.outcome.state()).toMatchObject({ id: batch, kind: 'update', websites: WEBSITES })
  expect(many.counts()).toEqual({ sent: 0, waiting: WEBSITES, parked: 0, back: 0 })
  many.service.fail('update', { refuse: 'invalid', fields: { email: ['The plan has none.'] } })
  await many.app.online()
  expect(many.counts()).toEqual({ sent: WEBSITES - 1, waiting: 0, parked: 1, back: 0 })
})

test('a restart in between changes nothing of it; once all is sent it’s told after one while it can be taken back', async () => {
  const { batch } = await many.app.bulk.apply(many.keys(), { email: true })
  must(many.app.outbox.undo(many.app.edits()[0]?.id ?? ''))
  expect(many.counts()).toEqual({ sent: 0, waiting: WEBSITES - 1, parked: 0, back: 1 })
  await many.restart()
  expect(many.counts()).toEqual({ sent: 0, waiting: WEBSITES - 1, parked: 0, back: 1 })
  await many.app.online()
  expect(many.counts()).toEqual({ sent: WEBSITES - 1, waiting: 0, parked: 0, back: 1 })
  await many.restart()
  expect(many.app.outcome.state()).toMatchObject({ id: batch, sent: WEBSITES - 1, back: 1, canUndo: true })
  must(many.app.outcome.dismiss())
  await many.restart()
  expect(many.app.outcome.state()).toBeNull()
  await many.app.batches.delete(many.keys())
  await many.app.online(30_000)
  expect(many.app.outcome.state()).toMatchObject({ sent: WEBSITES, canUndo: false })
  await many.restart()
  expect(many.app.outcome.state()).toBeNull()
})

test('what is done to one of them afterwards is no part of it', async () => {
  await many.app.bulk.apply(many.keys(), { email: true })
  await many.app.online()
  await many.app.offline()
  must(await many.app.outbox.update(many.keys()[0] ?? '', { privacy: 0 }))
  expect(many.counts()).toEqual({ sent: WEBSITES, waiting: 0, parked: 0, back: 0 })
})

describe('what was never sent isn’t told as sent:', () => {
  test('websites that are added and deleted before', async () => {
    await many.app.batches.create(['a', 'b', 'c'].map((name) => draft(`${name}.example`)))
    const added = ['a', 'b', 'c'].map((name) => many.app.keyOf(`${name}.example`))
    await many.app.batches.delete(added.slice(0, 1))
    await settled()
    expect(many.counts()).toEqual({ sent: 0, waiting: 2, parked: 0, back: 1 })
    await many.app.batches.delete(added.slice(1))
    await settled()
    expect(many.app.outcome.state()).toBeNull()
    await many.app.online()
    await settled()
    expect(many.app.outcome.state()).toBeNull()
  })

  test('what is set, and set back', async () => {
    await many.app.bulk.apply(many.keys(), { email: true })
    await many.app.bulk.apply(many.keys().slice(0, 2), { email: false })
    await settled()
    expect(many.counts()).toEqual({ sent: 0, waiting: WEBSITES - 2, parked: 0, back: 2 })
    await many.app.bulk.apply(many.keys(), { email: false })
    await settled()
    expect(many.app.outcome.state()).toBeNull()
    await many.app.online()
    expect(many.service.asked.filter(({ operation }) => operation === 'update')).toEqual([])
    await settled()
    expect(many.app.outcome.state()).toBeNull()
  })

  test('one of those that were added is deleted', async () => {
    await many.app.batches.create(['a', 'b', 'c'].map((name) => draft(`${name}.example`)))
    must(await many.app.outbox.delete(many.app.keyOf('b.example')))
    await settled()
    expect(many.counts()).toEqual({ sent: 0, waiting: 2, parked: 0, back: 1 })
    await many.app.online()
    await settled()
    expect(many.counts()).toEqual({ sent: 2, waiting: 0, parked: 0, back: 1 })
  })

  test('a change whose website is deleted instead, and it waits again once that is taken back', async () => {
    await many.app.bulk.apply(many.keys(), { email: true })
    const [first = '', second = ''] = many.keys()
    must(await many.app.outbox.delete(first))
    must(await many.app.outbox.delete(second))
    await settled()
    expect(many.counts()).toEqual({ sent: 0, waiting: WEBSITES - 2, parked: 0, back: 2 })
    must(many.app.outbox.undo(many.app.edits().find(({ website }) => website === second)?.id ?? ''))
    await settled()
    expect(many.counts()).toEqual({ sent: 0, waiting: WEBSITES - 1, parked: 0, back: 1 })
    many.service.fail('update', { refuse: 'invalid', fields: { email: ['The plan has none.'] } })
    await many.app.online(30_000)
    await many.restart()
    await settled()
    expect(many.counts()).toEqual({ sent: WEBSITES - 2, waiting: 0, parked: 1, back: 1 })
  })

  test('a delete that is taken back where a change waits', async () => {
    const [first = ''] = many.keys()
    must(await many.app.outbox.update(first, { privacy: 0 }))
    await many.app.batches.delete(many.keys())
    must(many.app.outbox.undo(many.app.edits().find(({ website }) => website === first)?.id ?? ''))
    await settled()
    expect(many.counts()).toEqual({ sent: 0, waiting: WEBSITES - 1, parked: 0, back: 1 })
    await many.app.online(30_000)
    await settled()
    expect(many.counts()).toEqual({ sent: WEBSITES - 1, waiting: 0, parked: 0, back: 1 })
  })
})

test('after a restart too, what is done to one of them afterwards is no part of it', async () => {
  await many.app.bulk.apply(many.keys(), { email: true })
  many.service.fail('update', { refuse: 'invalid', fields: { email: ['The plan has none.'] } })
  await many.app.online()
  await many.app.offline()
  const told = { sent: WEBSITES - 1, waiting: 0, parked: 1, back: 0 }
  const parked = many.app.edits()[0]?.website
  must(await many.app.outbox.update(many.keys().find((key) => key !== parked) ?? '', { privacy: 0 }))
  await many.restart()
  await settled()
  expect(many.counts()).toEqual(told)
  must(many.app.outbox.undo(many.app.edits().find(({ state }) => state !== 'parked')?.id ?? ''))
  await many.restart()
  await settled()
  expect(many.counts()).toEqual(told)
})

test('those that are sent while others are still queued are counted', async () => {
  for (let n = 0; n < 55; n++) many.service.add(`more${n}.example`, { email: false })
  await many.app.online()
  must(await many.app.refresh.run())
  pause = () => many.clock.advance(120_000)
  await many.app.bulk.apply(many.keys(), { email: true })
  await settled()
  expect(many.counts()).toEqual({ sent: 60, waiting: 0, parked: 0, back: 0 })
  const added = many.app.batches.create(Array.from({ length: 60 }, (_, n) => draft(`new${n}.example`)))
  await many.clock.advance(0)
  await added
  expect(many.app.outcome.state()?.websites).toBe(60)
})

test('an edit that was sent, and went back into one that waited behind it, is followed there', async () => {
  await many.app.bulk.apply(many.keys(), { email: true })
  const [first = ''] = many.keys()
  await many.app.online()
  await many.app.offline()
  await many.app.bulk.apply(many.keys(), { email: false })
  await settled()
  expect(many.counts()).toEqual({ sent: 0, waiting: WEBSITES, parked: 0, back: 0 })
  const edit = must(many.app.store.read(() => ok(many.app.store.editsOf(first)[0]))) ?? expect.fail('none')
  must(
    many.app.store.write(() => {
      many.app.store.removeEdit(edit.id)
      return ok(many.app.store.addEdit({ ...edit, id: 'holder', note: { also: [edit.id] } }))
    }),
  )
  await many.restart()
  await settled()
  expect(many.counts()).toEqual({ sent: 0, waiting: WEBSITES, parked: 0, back: 0 })
  await many.app.online()
  await settled()
  expect(many.counts()).toEqual({ sent: WEBSITES, waiting: 0, parked: 0, back: 0 })
})

test('it’s looked for what came further alone, and not for what holds all of it', async () => {
  await many.app.bulk.apply(many.keys(), { email: true })
  await settled()
  many.counts()
  expect(looks).toEqual([WEBSITES])
  many.service.fail('update', { refuse: 'invalid', fields: { email: ['The plan has none.'] } })
  many.app.reach.hint(true)
  many.app.reach.hint(false)
  await many.clock.advance(100)
  await settled()
  many.counts()
  expect(looks).toEqual([WEBSITES])
  must(many.app.outbox.undo(many.app.edits()[0]?.id ?? ''))
  await settled()
  many.counts()
  expect(looks).toEqual([WEBSITES, 1])
  await many.app.online()
  await settled()
  many.counts()
  await many.restart()
  looks = []
  await settled()
  expect(many.counts()).toEqual({ sent: WEBSITES - 2, waiting: 0, parked: 1, back: 1 })
  expect(looks).toEqual([1])
})

test('what can’t be dismissed stays, and is dismissed later', async () => {
  await many.app.bulk.apply(many.keys(), { email: true })
  refusal = 'disk-full'
  expect(codeOf(many.app.outcome.dismiss())).toBe('disk-full')
  await settled()
  expect(many.counts()).toEqual({ sent: 0, waiting: WEBSITES, parked: 0, back: 0 })
  refusal = null
  must(many.app.outcome.dismiss())
  expect(many.app.outcome.state()).toBeNull()
})
