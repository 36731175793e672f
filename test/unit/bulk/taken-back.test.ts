import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fail } from '../../../src/shared/result.ts'
import { fakeClock, settled, type FakeClock } from '../outbox/clock.ts'
import { codeOf, draft, must, useFolder } from '../outbox/rig.ts'
import { SimulatedService } from '../outbox/simulated-service.ts'
import { openMany } from './rig.ts'

const WEBSITES = 5
const fileIn = useFolder()

let service: SimulatedService
let clock: FakeClock
let app: ReturnType<typeof open>
let pause: () => Promise<void>

const open = () => openMany({ service, clock, file: fileIn(), pause: () => pause() })

beforeEach(async () => {
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

test('what is taken back as one isn’t told, nor what was dismissed, nor one website alone', async () => {
  const { batch } = await app.bulk.apply(keys(), { email: true })
  must(await app.bulk.undo(batch))
  expect(app.outcome.state()).toBeNull()
  const made = await app.batches.create([draft('a.example'), draft('b.example')])
  expect(app.outcome.state()).toMatchObject({ id: made.batch, kind: 'create', websites: 2 })
  must(app.outcome.dismiss())
  expect(app.outcome.state()).toBeNull()
  await restart()
  expect(app.outcome.state()).toBeNull()
  await app.bulk.apply(keys().slice(0, 1), { email: true })
  expect(app.outcome.state()).toBeNull()
})

test('of those that are deleted too', async () => {
  await app.batches.delete(keys())
  expect(counts()).toEqual({ sent: 0, waiting: WEBSITES, parked: 0, back: 0 })
  await app.online(30_000)
  expect(service.domains()).toEqual([])
  expect(counts()).toEqual({ sent: WEBSITES, waiting: 0, parked: 0, back: 0 })
})

test('it’s taken back as one after a restart too, with what was sent of it', async () => {
  service.fail('update', { refuse: 'invalid', fields: { email: ['The plan has none.'] } })
  const { batch } = await app.bulk.apply(keys(), { email: true })
  expect(app.outcome.state()).toMatchObject({ canUndo: true })
  await app.online()
  await restart()
  expect(app.outcome.state()).toMatchObject({ sent: WEBSITES - 1, parked: 1, canUndo: true })
  expect(await app.batches.undo(batch)).toBeNull()
  expect(must(await app.bulk.undo(batch))).toMatchObject({ changed: WEBSITES, refused: [] })
  expect(app.outcome.state()).toBeNull()
  await app.online()
  expect([...service.records.values()].map(({ email }) => email)).toEqual(keys().map(() => false))
  const made = await app.batches.create([draft('a.example'), draft('b.example')])
  await restart()
  expect(must((await app.batches.undo(made.batch)) ?? fail('edit-gone'))).toMatchObject({ changed: 2 })
  expect(keys()).toHaveLength(WEBSITES)
})

describe('a crash in the middle of taking it back loses nothing of the rest:', () => {
  const MANY = 60
  const SLICE = 25

  beforeEach(async () => {
    for (let n = WEBSITES; n < MANY; n++) service.add(`w${n}.example`, { email: false })
    await app.online()
    must(await app.refresh.run())
  })

  test('of what was sent', async () => {
    const { batch } = await app.bulk.apply(keys(), { email: true })
    await clock.advance(120_000)
    await app.offline()
    expect(counts()).toMatchObject({ sent: MANY })
    pause = () => new Promise(() => undefined)
    void app.bulk.undo(batch)
    await settled()
    expect(app.outcome.state()).toBeNull()
    await restart()
    expect(app.edits()).toHaveLength(SLICE)
    pause = () => Promise.resolve()
    expect(must(await app.bulk.undo(batch))).toMatchObject({ changed: MANY - SLICE, same: SLICE, refused: [] })
    expect(app.edits()).toHaveLength(MANY)
    await restart()
    expect(codeOf(await app.bulk.undo(batch))).toBe('edit-gone')
  })

  test('of what was deleted', async () => {
    const deleting = app.batches.delete(keys())
    await clock.advance(0)
    const { batch } = await deleting
    void app.batches.undo(batch)
    await settled()
    expect(app.outcome.state()).toBeNull()
    await restart()
    expect(app.edits()).toHaveLength(MANY - SLICE)
    const undoing = app.batches.undo(batch)
    await clock.advance(0)
    expect(must((await undoing) ?? fail('edit-gone'))).toMatchObject({ changed: MANY - SLICE })
    expect(app.edits()).toEqual([])
    await restart()
    expect(codeOf(await app.bulk.undo(batch))).toBe('edit-gone')
  })
})
