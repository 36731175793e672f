import type { Action, BulkAction } from './world/actions.ts'
import { Seeded, seedOf } from './machine/random.ts'
import type { Schedule } from './schedule.ts'
import { badDay, type Weather } from './service/faults.ts'
import { drawQuirks, drawZone } from './service/quirks.ts'

/** Actions that are added to some schedules, besides those that {@link weights} draw. */
type Rare = 'pause' | 'regret' | 'undoSave' | 'saveNew' | 'disturb' | 'changeBulk' | 'undoBulk' | Wide
/** Actions of wide schedules only, so that the schedules of earlier seeds do not change. */
type Wide = 'type' | 'bulk' | 'export' | 'import'

const weights: Record<Exclude<Action['do'], Rare>, number> = {
  create: 20,
  update: 34,
  delete: 7,
  correct: 4,
  undo: 4,
  discard: 3,
  resolve: 5,
  sendNow: 3,
  revert: 2,
  refresh: 4,
  transfer: 1,
  newKey: 1,
  otherKey: 1,
  quit: 2,
  crash: 2,
  crashAtWrite: 3,
  sleep: 1,
  full: 1,
  lock: 1,
  jump: 1,
  weather: 4,
  skew: 0.3,
  remote: 10,
  wait: 20,
}

const MINUTE = 60_000

/**
 * Returns the schedule of a seed: 5 to 34 actions with pauses. `wide` adds more kinds of actions. Without `regrets`, the schedule
 * has none of the actions of {@link withRegrets}, so that seeds that were recorded before these existed still show what they
 * showed.
 */
export function generate(seed: number, wide = false, regrets = true): Schedule {
  const random = new Seeded(seedOf(seed, 0))
  const length = 5 + random.below(30)
  const calm = random.chance(0.1)
  return {
    seed,
    quirks: { ...drawQuirks(random), zone: drawZone(new Seeded(seedOf(seed, 15))) },
    websites: random.below(6),
    faults: { rate: calm ? 0 : random.pick([80, 200, 320, 500]), weights: badDay },
    planned: {},
    actions: withWide(
      seed,
      withRare(
        seed,
        withRegrets(
          regrets ? seed : null,
          Array.from({ length }, () => drawAction(random)).flatMap((action) => [action, pause(random)]),
        ),
      ),
      wide,
    ),
  }
}

function withWide(seed: number, actions: Action[], wide: boolean): Action[] {
  if (!wide) return actions
  const random = new Seeded(seedOf(seed, 7))
  return Array.from({ length: 2 + random.below(8) }).reduce<Action[]>((so) => {
    const more = drawWide(random).flatMap((action) => [action, pause(random)])
    // Starts with a pause, because the random place may be between an earlier action and the pause that follows it.
    return so.toSpliced(random.below(so.length + 1), 0, pause(random), ...more)
  }, actions)
}

function drawWide(random: Seeded): Action[] {
  const [first, roll] = [random.below(12), random.below(2 ** 31)]
  const bulk = (kind: BulkAction['kind']): Action => ({ do: 'bulk', kind, first, count: 2 + random.below(5), roll })
  switch (random.weighted({ type: 8, create: 3, update: 4, delete: 2, takeBack: 3, import: 5 })) {
    case 'type': {
      const ms = random.pick([2_000, MINUTE, 3 * MINUTE]) * random.fraction()
      return [{ do: 'type', website: first, roll, for: ms, remoteChange: random.chance(0.6) }]
    }
    case 'import': {
      // Gives the import something to bring back.
      const between: Action[] = [bulk('takeBack'), { do: 'undo', edit: first }, { do: 'discard', edit: first }]
      const intent = random.pick([bulk('create'), bulk('update'), bulk('delete')])
      return [intent, { do: 'export' }, random.pick(between), random.pick(between), { do: 'import' }]
    }
    case 'create':
      return [bulk('create')]
    case 'update':
      return [bulk('update')]
    case 'delete':
      return [bulk('delete')]
    case 'takeBack':
      return [bulk('takeBack')]
  }
}

/**
 * Adds a disturbance and a bulk change to some schedules, and to some saves another save or an undo within seconds. Draws them
 * with seeds of their own. Adds nothing if `seed` is null.
 */
function withRegrets(seed: number | null, actions: Action[]): Action[] {
  if (seed === null) return actions
  const random = new Seeded(seedOf(seed, 9))
  return withBulkChange(seed, withDisturbance(seed, actions)).flatMap((action): Action[] => {
    if (action.do === 'create') return [action, ...drawSaveNew(new Seeded(seedOf(action.roll, 11)))]
    if (action.do === 'correct') return [action, ...drawUndoOfCorrection(new Seeded(seedOf(action.roll, 17)))]
    if (action.do === 'update' && isUndone(action.roll)) return drawUndos(action, new Seeded(seedOf(action.roll, 13)))
    if (action.do !== 'update' || !random.chance(0.3)) return [action]
    const how = random.pick(['undo', 'set back'] as const)
    const ms = 1 + random.pick([300, 3_000, 8_000, 40_000]) * random.fraction()
    return [action, { do: 'wait', ms }, { do: 'regret', website: action.website, how }]
  })
}

const isUndone = (roll: number): boolean => new Seeded(seedOf(roll, 14)).chance(0.1)

function drawUndos(save: Extract<Action, { do: 'update' }>, random: Seeded): Action[] {
  const { website } = save
  const count = 1 + random.below(3)
  const pauseOf = (): Action => ({ do: 'wait', ms: 1 + random.pick([10, 300, 3_000, 40_000]) * random.fraction() })
  const saves = Array.from({ length: count }, (): Action => ({ ...save, roll: random.below(2 ** 31) }))
  const undos = saves.map((): Action => ({
    do: 'undoSave',
    website,
    after: random.pick([0, 100, 500]) * random.fraction(),
  }))
  return [...saves, ...undos].flatMap((action) => [action, pauseOf()])
}

function drawUndoOfCorrection(random: Seeded): Action[] {
  if (!random.chance(0.5)) return []
  const wait: Action = { do: 'wait', ms: 1 + random.pick([10, 300, 40_000]) * random.fraction() }
  return [wait, { do: 'undoSave', website: 'last', after: random.pick([0, 100, 500]) * random.fraction() }]
}

function withDisturbance(seed: number, actions: Action[]): Action[] {
  const random = new Seeded(seedOf(seed, 12))
  if (!random.chance(0.08)) return actions
  const [at, roll] = [random.below(actions.length + 1), random.below(2 ** 31)]
  return actions.toSpliced(at, 0, { do: 'disturb', for: random.between(5_000, 30_000), roll })
}

function withBulkChange(seed: number, actions: Action[]): Action[] {
  const random = new Seeded(seedOf(seed, 16))
  if (!random.chance(0.25)) return actions
  const at = random.below(actions.length + 1)
  const until = at + random.below(4)
  const first = random.below(12)
  const change: Action = { do: 'changeBulk', first, count: 2 + random.below(4), roll: random.below(2 ** 31) }
  // Other clients and the user change some of the websites before the undo.
  const since = Array.from({ length: random.below(4) }, (_, n): Action => {
    const [website, roll] = [first + n, random.below(2 ** 31)]
    return random.chance(0.5) ? { do: 'remote', change: 'update', website, roll } : { do: 'update', website, roll }
  }).flatMap((action): Action[] => [action, { do: 'refresh' }, pause(random)])
  const undo: Action[] = random.chance(0.8) ? [{ do: 'undoBulk' }, pause(random)] : []
  return [
    ...actions.slice(0, at),
    pause(random),
    change,
    pause(random),
    ...since,
    ...actions.slice(at, until),
    ...undo,
    ...actions.slice(until),
  ]
}

function drawSaveNew(random: Seeded): Action[] {
  if (!random.chance(0.25)) return []
  const [website, roll] = [random.below(12), random.below(2 ** 31)]
  return [{ do: 'saveNew', website, roll, for: random.pick([1, 100, 250, 600, 5_000, 40_000]) * random.fraction() }]
}

function withRare(seed: number, actions: Action[]): Action[] {
  const random = new Seeded(seedOf(seed, 5))
  if (!random.chance(0.2)) return actions
  const at = random.below(actions.length + 1)
  return actions.toSpliced(at, 0, { do: 'pause', for: random.pick([5_000, 60_000, 20 * MINUTE]) * random.fraction() })
}

const pause = (random: Seeded): Action => ({
  do: 'wait',
  ms: 1 + random.pick([0, 50, 300, 1_000, 5_000, 12_000, 40_000, 2 * MINUTE]) * random.fraction(),
})

function drawAction(random: Seeded): Action {
  const roll = random.below(2 ** 31)
  const index = random.below(12)
  const short = random.between(100, 90_000)
  const action = random.weighted(weights)
  switch (action) {
    case 'create':
      return { do: action, domain: index, roll }
    case 'update':
      return { do: action, website: index, roll }
    case 'delete':
      return { do: action, website: index }
    case 'correct':
    case 'resolve':
      return { do: action, edit: index, roll }
    case 'undo':
    case 'discard':
      return { do: action, edit: index }
    case 'sendNow':
      return { do: action, edit: random.chance(0.5) ? index : null }
    case 'revert':
      return { do: action, entry: index, roll }
    case 'newKey':
      return { do: action, after: short }
    case 'quit':
    case 'crash':
    case 'sleep':
    case 'full':
    case 'lock':
      return { do: action, for: random.chance(0.2) ? short * 20 : short }
    case 'crashAtWrite':
      return { do: action, writes: 1 + random.below(8), written: random.chance(0.5) }
    case 'jump':
      return { do: action, by: random.between(-1, 1) * 400 * 86_400_000 }
    case 'skew':
      return { do: action, by: random.between(-1, 1) * 3_600_000 }
    case 'weather':
      return { do: action, weather: random.pick(stormy), for: random.chance(0.2) ? short * 10 : short }
    case 'remote':
      return { do: action, change: random.weighted({ create: 2, update: 7, delete: 1, take: 1 }), website: index, roll }
    case 'wait':
      return { do: action, ms: random.between(0, 15 * MINUTE) }
    default:
      return { do: action }
  }
}

/** The kinds of weather that can be drawn. `offline` is twice as likely as any other. */
const stormy: Weather[] = ['offline', 'offline', 'portal', 'keyRefused', 'forbidden', 'maintenance', 'tooMany']
