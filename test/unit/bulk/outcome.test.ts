import { beforeEach, describe, expect, test } from 'vitest'
import type { BulkChangeStore } from '../../../src/main/bulk/ports.ts'
import { fail, ok, type ErrorCode } from '../../../src/shared/result.ts'
import { settled } from '../outbox/clock.ts'
import { codeOf, draft, must } from '../outbox/rig.ts'
import { useBulk, WEBSITES } from './rig.ts'

/** For each lookup in the store: the number of edits that the outcome has asked for. */
let looks: number[]
/** The error with which the store refuses to save a bulk change. Null if it accepts. */
let refusal: ErrorCode | null
/** Called by a bulk change between two slices. The change continues when the promise resolves. */
let pause: () => Promise<void>

beforeEach(() => {
  looks = []
  refusal = null
  pause = () => Promise.resolve()
})
const rig = useBulk({
  bulkChanges: (kept: BulkChangeStore): BulkChangeStore => ({
    ...kept,
    trace(ids) {
      looks.push(ids.length)
      return kept.trace(ids)
    },
    saveBulkChange: (bulkChange) => (refusal === null ? kept.saveBulkChange(bulkChange) : fail(refusal)),
  }),
  pause: () => pause(),
})

test('reports how many websites of a bulk change are pending, sent and parked, offline and after it was sent', async () => {
  expect(rig.app.outcome.state()).toBeNull()
  const { bulkChange } = await rig.app.bulk.apply(rig.keys(), { email: true })
  expect(rig.app.outcome.state()).toMatchObject({ id: bulkChange, kind: 'update', websites: WEBSITES })
  expect(rig.counts()).toEqual({ sent: 0, waiting: WEBSITES, parked: 0, notSent: 0 })
  rig.service.fail('update', { refuse: 'invalid', fields: { email: ['The plan has none.'] } })
  await rig.app.online()
  expect(rig.counts()).toEqual({ sent: WEBSITES - 1, waiting: 0, parked: 1, notSent: 0 })
})

test('reports a bulk change after a restart, also one that is sent and can be undone, but not one that was dismissed', async () => {
  const { bulkChange } = await rig.app.bulk.apply(rig.keys(), { email: true })
  must(rig.app.outbox.undo(rig.app.edits()[0]?.id ?? ''))
  expect(rig.counts()).toEqual({ sent: 0, waiting: WEBSITES - 1, parked: 0, notSent: 1 })
  await rig.restart()
  expect(rig.counts()).toEqual({ sent: 0, waiting: WEBSITES - 1, parked: 0, notSent: 1 })
  await rig.app.online()
  expect(rig.counts()).toEqual({ sent: WEBSITES - 1, waiting: 0, parked: 0, notSent: 1 })
  await rig.restart()
  expect(rig.app.outcome.state()).toMatchObject({ id: bulkChange, sent: WEBSITES - 1, notSent: 1, canUndo: true })
  must(rig.app.outcome.dismiss())
  await rig.restart()
  expect(rig.app.outcome.state()).toBeNull()
  await rig.app.bulk.delete(rig.keys())
  await rig.app.online(30_000)
  expect(rig.app.outcome.state()).toMatchObject({ sent: WEBSITES, canUndo: true })
  await rig.restart()
  expect(rig.app.outcome.state()).toMatchObject({ sent: WEBSITES, canUndo: true })
})

test('does not count later edits of the websites of a bulk change', async () => {
  await rig.app.bulk.apply(rig.keys(), { email: true })
  await rig.app.online()
  await rig.app.offline()
  must(await rig.app.outbox.update(rig.keys()[0] ?? '', { privacy: 0 }))
  expect(rig.counts()).toEqual({ sent: WEBSITES, waiting: 0, parked: 0, notSent: 0 })
})

describe('does not report as sent what was never sent:', () => {
  test('websites that one bulk change adds and another one deletes before they are sent', async () => {
    await rig.app.bulk.create(['a', 'b', 'c'].map((name) => draft(`${name}.example`)))
    const added = ['a', 'b', 'c'].map((name) => rig.app.keyOf(`${name}.example`))
    await rig.app.bulk.delete(added.slice(0, 1))
    await settled()
    expect(rig.counts()).toEqual({ sent: 0, waiting: 2, parked: 0, notSent: 1 })
    await rig.app.bulk.delete(added.slice(1))
    await settled()
    expect(rig.app.outcome.state()).toBeNull()
    await rig.app.online()
    await settled()
    expect(rig.app.outcome.state()).toBeNull()
  })

  test('values that are set and then set back', async () => {
    await rig.app.bulk.apply(rig.keys(), { email: true })
    await rig.app.bulk.apply(rig.keys().slice(0, 2), { email: false })
    await settled()
    expect(rig.counts()).toEqual({ sent: 0, waiting: WEBSITES - 2, parked: 0, notSent: 2 })
    await rig.app.bulk.apply(rig.keys(), { email: false })
    await settled()
    expect(rig.app.outcome.state()).toBeNull()
    await rig.app.online()
    expect(rig.service.received.filter(({ operation }) => operation === 'update')).toEqual([])
    await settled()
    expect(rig.app.outcome.state()).toBeNull()
  })

  test('one website of a bulk create that the user deletes alone', async () => {
    await rig.app.bulk.create(['a', 'b', 'c'].map((name) => draft(`${name}.example`)))
    must(await rig.app.outbox.delete(rig.app.keyOf('b.example')))
    await settled()
    expect(rig.counts()).toEqual({ sent: 0, waiting: 2, parked: 0, notSent: 1 })
    await rig.app.online()
    await settled()
    expect(rig.counts()).toEqual({ sent: 2, waiting: 0, parked: 0, notSent: 1 })
  })

  test('a change whose website is deleted; it counts as pending again after the delete is undone', async () => {
    await rig.app.bulk.apply(rig.keys(), { email: true })
    const [first = '', second = ''] = rig.keys()
    must(await rig.app.outbox.delete(first))
    must(await rig.app.outbox.delete(second))
    await settled()
    expect(rig.counts()).toEqual({ sent: 0, waiting: WEBSITES - 2, parked: 0, notSent: 2 })
    must(rig.app.outbox.undo(rig.app.edits().find(({ website }) => website === second)?.id ?? ''))
    await settled()
    expect(rig.counts()).toEqual({ sent: 0, waiting: WEBSITES - 1, parked: 0, notSent: 1 })
    rig.service.fail('update', { refuse: 'invalid', fields: { email: ['The plan has none.'] } })
    await rig.app.online(30_000)
    await rig.restart()
    await settled()
    expect(rig.counts()).toEqual({ sent: WEBSITES - 2, waiting: 0, parked: 1, notSent: 1 })
  })

  test('a delete that is undone, although an earlier change of its website is then pending and is sent', async () => {
    const [first = ''] = rig.keys()
    must(await rig.app.outbox.update(first, { privacy: 0 }))
    await rig.app.bulk.delete(rig.keys())
    must(rig.app.outbox.undo(rig.app.edits().find(({ website }) => website === first)?.id ?? ''))
    await settled()
    expect(rig.counts()).toEqual({ sent: 0, waiting: WEBSITES - 1, parked: 0, notSent: 1 })
    await rig.app.online(30_000)
    await settled()
    expect(rig.counts()).toEqual({ sent: WEBSITES - 1, waiting: 0, parked: 0, notSent: 1 })
  })
})

test('does not count later edits of the websites of a bulk change after a restart', async () => {
  await rig.app.bulk.apply(rig.keys(), { email: true })
  rig.service.fail('update', { refuse: 'invalid', fields: { email: ['The plan has none.'] } })
  await rig.app.online()
  await rig.app.offline()
  const counts = { sent: WEBSITES - 1, waiting: 0, parked: 1, notSent: 0 }
  const parked = rig.app.edits()[0]?.website
  must(await rig.app.outbox.update(rig.keys().find((key) => key !== parked) ?? '', { privacy: 0 }))
  await rig.restart()
  await settled()
  expect(rig.counts()).toEqual(counts)
  must(rig.app.outbox.undo(rig.app.edits().find(({ state }) => state !== 'parked')?.id ?? ''))
  await rig.restart()
  await settled()
  expect(rig.counts()).toEqual(counts)
})

test('counts the sent edits of a bulk change while the rest of it is still being queued', async () => {
  for (let n = 0; n < 55; n++) rig.service.add(`more${n}.example`, { email: false })
  await rig.app.online()
  must(await rig.app.refresh.run())
  pause = () => rig.clock.advance(120_000)
  await rig.app.bulk.apply(rig.keys(), { email: true })
  await settled()
  expect(rig.counts()).toEqual({ sent: 60, waiting: 0, parked: 0, notSent: 0 })
  const added = rig.app.bulk.create(Array.from({ length: 60 }, (_, n) => draft(`new${n}.example`)))
  await rig.clock.advance(0)
  await added
  expect(rig.app.outcome.state()?.websites).toBe(60)
})

test('counts a website as pending if its edit was merged into the edit behind it, and as sent once the merged edit is sent', async () => {
  await rig.app.bulk.apply(rig.keys(), { email: true })
  const [first = ''] = rig.keys()
  await rig.app.online()
  await rig.app.offline()
  await rig.app.bulk.apply(rig.keys(), { email: false })
  await settled()
  expect(rig.counts()).toEqual({ sent: 0, waiting: WEBSITES, parked: 0, notSent: 0 })
  const edit = must(rig.app.store.read(() => ok(rig.app.store.editsOf(first)[0]))) ?? expect.fail('none')
  must(
    rig.app.store.write(() => {
      rig.app.store.removeEdit(edit.id)
      return ok(rig.app.store.addEdit({ ...edit, id: 'holder', note: { also: [edit.id] } }))
    }),
  )
  await rig.restart()
  await settled()
  expect(rig.counts()).toEqual({ sent: 0, waiting: WEBSITES, parked: 0, notSent: 0 })
  await rig.app.online()
  await settled()
  expect(rig.counts()).toEqual({ sent: WEBSITES, waiting: 0, parked: 0, notSent: 0 })
})

test('looks up only edits that have progressed, and none if only the reason that holds all of them changes', async () => {
  await rig.app.bulk.apply(rig.keys(), { email: true })
  await settled()
  rig.counts()
  expect(looks).toEqual([WEBSITES])
  rig.service.fail('update', { refuse: 'invalid', fields: { email: ['The plan has none.'] } })
  rig.app.reach.hint(true)
  rig.app.reach.hint(false)
  await rig.clock.advance(100)
  await settled()
  rig.counts()
  expect(looks).toEqual([WEBSITES])
  must(rig.app.outbox.undo(rig.app.edits()[0]?.id ?? ''))
  await settled()
  rig.counts()
  expect(looks).toEqual([WEBSITES, 1])
  await rig.app.online()
  await settled()
  rig.counts()
  await rig.restart()
  looks = []
  await settled()
  expect(rig.counts()).toEqual({ sent: WEBSITES - 2, waiting: 0, parked: 1, notSent: 1 })
  expect(looks).toEqual([1])
})

test('reports a bulk change until its dismissal could be stored', async () => {
  await rig.app.bulk.apply(rig.keys(), { email: true })
  refusal = 'disk-full'
  expect(codeOf(rig.app.outcome.dismiss())).toBe('disk-full')
  await settled()
  expect(rig.counts()).toEqual({ sent: 0, waiting: WEBSITES, parked: 0, notSent: 0 })
  refusal = null
  must(rig.app.outcome.dismiss())
  expect(rig.app.outcome.state()).toBeNull()
})
