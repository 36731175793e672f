import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Action } from './world/actions.ts'
import { disks } from './disk/disk.ts'
import { formatReport } from './report.ts'
import { finish } from './schedule.ts'
import { startWorld, type Started } from './start.ts'
import { plainQuirks } from './service/quirks.ts'
import type { Fault } from './service/faults.ts'

/** Runs random commands in the world of the schedules with fast-check, which shortens a failing run. */
const index = fc.nat(6)
const roll = fc.nat(2 ** 31 - 1)
const ms = fc.oneof(fc.nat(2_000), fc.nat(120_000), fc.nat(1_200_000))
const as = fc.constantFrom('timeout' as const, 'reset' as const)
const status = fc.constantFrom(500, 502, 503)

const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.constant({ kind: 'refused' } as const),
  fc.record({ kind: fc.constant('lostRequest' as const), as }),
  fc.record({ kind: fc.constant('lostAnswer' as const), as }),
  fc.record({ kind: fc.constant('late' as const), after: fc.integer({ min: 100, max: 400_000 }), as }),
  fc.record({ kind: fc.constant('error' as const), status, applied: fc.boolean(), html: fc.boolean() }),
  fc.record({ kind: fc.constant('portal' as const), applied: fc.boolean(), redirect: fc.boolean() }),
  fc.constant({ kind: 'cut' } as const),
)

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('create' as const), domain: index, roll }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('update' as const), website: index, roll }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), website: index }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('type' as const),
      website: index,
      roll,
      for: fc.nat(60_000),
      remoteChange: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('bulk' as const),
      kind: fc.constantFrom('create' as const, 'update' as const, 'delete' as const, 'takeBack' as const),
      first: index,
      count: fc.integer({ min: 2, max: 5 }),
      roll,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('changeBulk' as const),
      first: index,
      count: fc.integer({ min: 2, max: 5 }),
      roll,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('undoBulk' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('saveNew' as const), website: index, roll, for: fc.nat(10_000) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('undoSave' as const), website: index, after: fc.nat(500) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('disturb' as const), for: fc.nat(20_000), roll }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('undo' as const), edit: index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('discard' as const), edit: index }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('resolve' as const), edit: index, roll }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sendNow' as const), edit: fc.constant(null) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('revert' as const), entry: index, roll }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refresh' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const), for: ms }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('crashAtWrite' as const),
      writes: fc.integer({ min: 1, max: 6 }),
      written: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('remote' as const),
      change: fc.constantFrom('create' as const, 'update' as const, 'delete' as const),
      website: index,
      roll,
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('wait' as const), ms }) },
)

interface Real {
  perform: Started['perform']
  /** Faults for the next requests, one each, in this order. */
  faults: Fault[]
}

class Perform implements fc.AsyncCommand<object, Real> {
  readonly action: Action
  constructor(action: Action) {
    this.action = action
  }
  check = () => true
  run = (_: object, { perform }: Real) => perform(this.action)
  toString = () => JSON.stringify(this.action)
}

class Meet implements fc.AsyncCommand<object, Real> {
  readonly fault: Fault
  constructor(fault: Fault) {
    this.fault = fault
  }
  check = () => true
  run = async (_: object, { faults }: Real) => void faults.push(this.fault)
  toString = () => `the next request meets ${JSON.stringify(this.fault)}`
}

test('the judges find no mistake after random commands, faults and remote changes', async () => {
  const commands = fc.commands([action.map((of) => new Perform(of)), fault.map((of) => new Meet(of))], { size: '+1' })
  await fc.assert(
    fc.asyncProperty(commands, async (given) => {
      const faults: Fault[] = []
      const started = startWorld(
        { seed: 1, quirks: plainQuirks, websites: 2 },
        disks.memory,
        () => faults.shift() ?? null,
      )
      try {
        await started.world.pass(1_000)
        await fc.asyncModelRun(() => ({ model: {}, real: { perform: started.perform, faults } }), given)
        faults.length = 0
        const findings = await finish(started)
        expect(formatReport({ seed: 0, edits: 0, findings })).toBe('schedule 0')
      } finally {
        await started.end()
      }
    }),
    { numRuns: 300, seed: 7 },
  )
})
