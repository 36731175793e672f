import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBatches } from '../../../src/main/bulk/batches.ts'
import { createBulk } from '../../../src/main/bulk/bulk.ts'
import { createOutcome } from '../../../src/main/bulk/outcome.ts'
import { fakeClock, type FakeClock } from '../outbox/clock.ts'
import { draft, must, random, startConnection, useFolder } from '../outbox/rig.ts'
import { SimulatedService } from '../outbox/simulated-service.ts'

const WEBSITES = 5
const fileIn = useFolder()

let service: SimulatedService
let clock: FakeClock
let app: ReturnType<typeof open>

/** The connection with what is done to many of its websites. */
function open() {
  const connection = startConnection({ service, clock, file: fileIn() })
  const { store, outbox, view } = connection
  const outcome = createOutcome({ store, outbox, clock })
  const ports = { view, outbox, outcome, newId: () => random.id(), pause: () => Promise.resolve() }
  return { ...connection, outcome, bulk: createBulk(ports), batches: createBatches(ports) }
}

beforeEach(async () => {
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

test('a restart in between changes nothing of it; once all is sent it isn’t told any more after one', async () => {
  await app.bulk.apply(keys(), { email: true })
  must(app.outbox.undo(app.edits()[0]?.id ?? ''))
  expect(counts()).toEqual({ sent: 0, waiting: WEBSITES - 1, parked: 0, back: 1 })
  await restart()
  expect(counts()).toEqual({ sent: 0, waiting: WEBSITES - 1, parked: 0, back: 1 })
  await app.online()
  expect(counts()).toEqual({ sent: WEBSITES - 1, waiting: 0, parked: 0, back: 1 })
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
