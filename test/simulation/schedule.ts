import type { EditView } from '../../src/shared/edit.ts'
import type { Action } from './world/actions.ts'
import type { Disk } from './disk/disk.ts'
import { judgeEarlyResends, judgePossiblySent } from './judge/possibly-sent.ts'
import { judgeRemoteChanges } from './judge/remote-changes.ts'
import { judgeReports, judgeShown } from './judge/reports.ts'
import { judgeRequests } from './judge/requests.ts'
import { judgeScreens } from './judge/screens.ts'
import { judgeSecrets } from './judge/secrets.ts'
import { judgeIntents } from './judge/intents.ts'
import type { Finding } from './judge/fault.ts'
import { Seeded, seedOf } from './machine/random.ts'
import type { Backup } from './judge/restored.ts'
import { backupBefore, makeBackup, restoreAndJudge } from './restore.ts'
import { drawFault, type Fault, type FaultKind } from './service/faults.ts'
import type { Sent } from './service/network.ts'
import type { Quirks } from './service/quirks.ts'
import { startWorld, type Started } from './start.ts'
import { newMachine, type Machine, type World } from './world/world.ts'

/** All input of one run. The same schedule always runs the same way. */
export interface Schedule {
  seed: number
  quirks: Quirks
  websites: number
  /** Number of faults per 1000 requests, and the weight of each kind. */
  faults: { rate: number; weights: Partial<Record<FaultKind, number>> }
  /** Faults of single requests, by their number. */
  planned: Record<number, Fault>
  actions: Action[]
}

export interface Outcome {
  edits: number
  findings: Finding[]
  story: string
}

const answers: ReadonlySet<Action['do']> = new Set(['resolve', 'discard', 'sendNow', 'correct'])

/** Time without faults in which all late writes arrive and the app looks for them, in milliseconds. */
const QUIET = 15 * 60_000
const ROUNDS = 8

export function startSchedule(
  schedule: Schedule,
  disk: (newKey: () => string) => Disk,
  machine: Machine = newMachine(),
): Started {
  const { rate, weights } = schedule.faults
  const random = new Seeded(seedOf(schedule.seed, 4))
  const fault = ({ n }: Sent, isWrite: boolean) => {
    const drawn = random.chance(rate / 1000) ? drawFault(random, isWrite, weights) : null
    return schedule.planned[n] ?? drawn
  }
  return startWorld(schedule, disk, fault, machine)
}

/** Runs a schedule, lets all edits settle without faults, and judges the result. */
export async function runSchedule(
  schedule: Schedule,
  disk: (newKey: () => string) => Disk,
  story: (world: World) => string = () => '',
): Promise<Outcome> {
  const started = startSchedule(schedule, disk)
  const { world } = started
  try {
    await world.pass(0)
    const shown: Finding[] = []
    const backup = { before: backupBefore(schedule.seed, schedule.actions.length), made: null as Backup | null }
    for (const [n, action] of schedule.actions.entries()) {
      if (n === backup.before) backup.made = await makeBackup(world)
      if (answers.has(action.do)) shown.push(...judgeShown(world))
      await started.perform(action)
      shown.push(...judgePossiblySent(world))
    }
    const findings = [...shown, ...(await finish(started))]
    if (backup.made !== null) findings.push(...(await restoreAndJudge(started, backup.made)))
    return { edits: world.ledger.acknowledged, findings: once(findings), story: story(world) }
  } finally {
    await started.end()
  }
}

export async function finish(started: Started): Promise<Finding[]> {
  const { world, calm } = started
  calm()
  const rested = await rest(started)
  return [...rested, ...(await judgeAll(world))]
}

/** Stops all faults and answers parked edits, until every other edit is sent (docs/proof.md#simulation). */
async function rest(started: Started): Promise<Finding[]> {
  const { world, perform } = started
  const { network, keychain } = world
  network.weather = 'fair'
  world.goOn()
  world.app.appRun.diskFull = false
  world.app.appRun.crashAtWrite = null
  if (keychain.locked) await perform({ do: 'lock', for: 0 })
  // The API key is valid again after it was refused for a while, and the user tries it.
  void world.app.refresh.rerun()
  const shown: Finding[] = []
  for (let round = 0; round < ROUNDS; round++) {
    void world.giveKey()
    await world.pass(QUIET)
    shown.push(...judgeShown(world), ...judgePossiblySent(world))
    const parked = world.app.edits().filter(({ state }) => state === 'parked')
    if (world.app.outbox.counts().waiting === 0 && (parked.length === 0 || round > 3)) break
    for (const [index] of parked.entries()) await decide(started, index)
  }
  void world.app.refresh.rerun()
  await world.pass(QUIET)
  shown.push(...judgeShown(world))
  return world.app.outbox.counts().waiting === 0 ? shown : [...shown, ...stuck(world)]
}

/** Resolves, discards or retries a parked edit, leaves it, or raises the plan's website limit. */
async function decide({ world, random, perform }: Started, index: number): Promise<void> {
  const roll = random.below(2 ** 31)
  const does = random.weighted({ resolve: 4, discard: 1, sendNow: 2, leave: 2, raise: 1 })
  if (does === 'raise') world.service.quirks.plan = -1
  if (does === 'resolve') await perform({ do: 'resolve', edit: index, roll })
  if (does === 'discard') await perform({ do: 'discard', edit: index })
  if (does === 'sendNow') await perform({ do: 'sendNow', edit: index })
}

/** Returns each finding once, because the same one may be seen after several actions. */
const once = (findings: Finding[]): Finding[] => [
  ...new Map(findings.map((one) => [`${one.count} ${one.text}`, one])).values(),
]

/** Finds edits that are still pending although no parked edit is in their way. */
function stuck({ app }: World): Finding[] {
  const edits = app.edits()
  const parked = edits.filter(({ state }) => state === 'parked')
  // The edit depends on a parked edit. At the website limit it depends on any edit that may make room.
  const isInTheWay = ({ website, domain, reason }: EditView): boolean =>
    parked.some(
      (one) =>
        one.website === website ||
        one.domain === domain ||
        one.reason === 'website-limit' ||
        reason === 'website-limit',
    )
  return edits
    .filter(
      (edit) =>
        edit.state !== 'parked' &&
        !(edit.state === 'held' && ['depends', 'website-limit'].includes(edit.reason ?? '') && isInTheWay(edit)),
    )
    .map(({ domain, kind, state, reason }) => ({
      count: 'lost',
      text: `${domain}: ${kind} never goes, it's ${state} (${String(reason)})`,
    }))
}

async function judgeAll(world: World): Promise<Finding[]> {
  return [
    ...world.transferred.map((text): Finding => ({ count: 'wrong', text: `imported: ${text}` })),
    ...world.refused.map((text): Finding => ({ count: 'false', text })),
    ...judgeIntents(world),
    ...judgeReports(world),
    ...judgeRequests(world),
    ...judgeRemoteChanges(world),
    ...judgeEarlyResends(world),
    ...judgeScreens(world),
    ...(await judgeSecrets(world)),
  ]
}
