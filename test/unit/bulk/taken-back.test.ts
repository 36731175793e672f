import { beforeEach, describe, expect, test } from 'vitest'
import { fail } from '../../../src/shared/result.ts'
import { settled } from '../outbox/clock.ts'
import { codeOf, draft, must } from '../outbox/rig.ts'
import { useMany, WEBSITES } from './rig.ts'

let pause: () => Promise<void>
beforeEach(() => void (pause = () => Promise.resolve()))
const many = useMany({ pause: () => pause() })

test('what is taken back as one isn’t told, nor what was dismissed, nor one website alone', async () => {
  const { batch } = await many.app.bulk.apply(many.keys(), { email: true })
  must(await many.app.bulk.undo(batch))
  expect(many.app.outcome.state()).toBeNull()
  const made = await many.app.batches.create([draft('a.example'), draft('b.example')])
  expect(many.app.outcome.state()).toMatchObject({ id: made.batch, kind: 'create', websites: 2 })
  must(many.app.outcome.dismiss())
  expect(many.app.outcome.state()).toBeNull()
  await many.restart()
  expect(many.app.outcome.state()).toBeNull()
  await many.app.bulk.apply(many.keys().slice(0, 1), { email: true })
  expect(many.app.outcome.state()).toBeNull()
})

test('of those that are deleted too', async () => {
  await many.app.batches.delete(many.keys())
  expect(many.counts()).toEqual({ sent: 0, waiting: WEBSITES, parked: 0, back: 0 })
  await many.app.online(30_000)
  expect(many.service.domains()).toEqual([])
  expect(many.counts()).toEqual({ sent: WEBSITES, waiting: 0, parked: 0, back: 0 })
})

test('it’s taken back as one after a restart too, with what was sent of it', async () => {
  many.service.fail('update', { refuse: 'invalid', fields: { email: ['The plan has none.'] } })
  const { batch } = await many.app.bulk.apply(many.keys(), { email: true })
  expect(many.app.outcome.state()).toMatchObject({ canUndo: true })
  await many.app.online()
  await many.restart()
  expect(many.app.outcome.state()).toMatchObject({ sent: WEBSITES - 1, parked: 1, canUndo: true })
  expect(await many.app.batches.undo(batch)).toBeNull()
  expect(must(await many.app.bulk.undo(batch))).toMatchObject({ changed: WEBSITES, refused: [] })
  expect(many.app.outcome.state()).toBeNull()
  await many.app.online()
  expect([...many.service.records.values()].map(({ email }) => email)).toEqual(many.keys().map(() => false))
  const made = await many.app.batches.create([draft('a.example'), draft('b.example')])
  await many.restart()
  expect(must((await many.app.batches.undo(made.batch)) ?? fail('edit-gone'))).toMatchObject({ changed: 2 })
  expect(many.keys()).toHaveLength(WEBSITES)
})

describe('a crash in the middle of taking it back loses nothing of the rest:', () => {
  const MANY = 60
  const SLICE = 25

  beforeEach(async () => {
    for (let n = WEBSITES; n < MANY; n++) many.service.add(`w${n}.example`, { email: false })
    await many.app.online()
    must(await many.app.refresh.run())
  })

  test('of what was sent', async () => {
    const { batch } = await many.app.bulk.apply(many.keys(), { email: true })
    await many.clock.advance(120_000)
    await many.app.offline()
    expect(many.counts()).toMatchObject({ sent: MANY })
    pause = () => new Promise(() => undefined)
    void many.app.bulk.undo(batch)
    await settled()
    expect(many.app.outcome.state()).toBeNull()
    await many.restart()
    expect(many.app.edits()).toHaveLength(SLICE)
    pause = () => Promise.resolve()
    expect(must(await many.app.bulk.undo(batch))).toMatchObject({ changed: MANY - SLICE, same: SLICE, refused: [] })
    expect(many.app.edits()).toHaveLength(MANY)
    await many.restart()
    expect(codeOf(await many.app.bulk.undo(batch))).toBe('edit-gone')
  })

  test('of what was deleted', async () => {
    const deleting = many.app.batches.delete(many.keys())
    await many.clock.advance(0)
    const { batch } = await deleting
    void many.app.batches.undo(batch)
    await settled()
    expect(many.app.outcome.state()).toBeNull()
    await many.restart()
    expect(many.app.edits()).toHaveLength(MANY - SLICE)
    const undoing = many.app.batches.undo(batch)
    await many.clock.advance(0)
    expect(must((await undoing) ?? fail('edit-gone'))).toMatchObject({ changed: MANY - SLICE })
    expect(many.app.edits()).toEqual([])
    await many.restart()
    expect(codeOf(await many.app.bulk.undo(batch))).toBe('edit-gone')
  })
})
