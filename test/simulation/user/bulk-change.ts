import { changesFor } from '../../../src/main/bulk/changes.ts'
import { namesIn, pickNamed } from '../../../src/main/outbox/model/compare.ts'
import type { BulkUpdate, LinesChange } from '../../../src/shared/bulk.ts'
import { ok, type Result } from '../../../src/shared/result.ts'
import { settingNames, type SettingName, type WebsiteView } from '../../../src/shared/website.ts'
import type { App } from '../app/app.ts'
import { isList, isSameSet, shownOf, type Changes, type ListName } from '../ledger/intent.ts'
import { Seeded } from '../machine/random.ts'
import { newIp, newParam } from '../service/remote-fields.ts'
import type { World } from '../world/world.ts'
import type { NewPassword } from './input.ts'
import { isCarried, recordDecision, updating } from './parts.ts'
import { ask, giveBulk } from './run-command.ts'

interface Step {
  website: WebsiteView
  before: Changes
  changes: Changes
}

/** Makes bulk changes, undoes the last one, and checks what the undo shows (docs/sync.md#undo). */
export class BulkChange {
  #world: World
  #newPassword: NewPassword
  /** The last bulk change, and the process that knows how to undo it. */
  #last: { id: string; app: App; at: number; steps: Step[] } | null = null

  constructor(world: World, newPassword: NewPassword) {
    this.#world = world
    this.#newPassword = newPassword
  }

  async change(websites: readonly WebsiteView[], roll: number): Promise<void> {
    const world = this.#world
    const { app, time } = world
    const update = drawUpdate(websites, new Seeded(roll), this.#newPassword)
    const steps = websites.flatMap((website): Step[] => {
      const judged = changesFor(website, update)
      if (!judged.ok || judged.value === null) return []
      return [{ website, before: pickNamed(website, namesIn(judged.value)), changes: judged.value }]
    })
    const at = time.now
    this.#last = null
    const command = async ({ bulk }: App): Promise<Result<unknown>[]> => {
      const { bulkChange, refused } = await bulk.apply(
        websites.map(({ key }) => key),
        update,
      )
      const errorOf = ({ website }: Step) => refused.find(({ key }) => key === website.key)?.error
      this.#last = { id: bulkChange, app, at, steps: steps.filter((step) => errorOf(step) === undefined) }
      return steps.map((step) => {
        const error = errorOf(step)
        return error === undefined ? ok(undefined) : { ok: false, error }
      })
    }
    await giveBulk(
      world,
      command,
      steps.map(({ website, changes }) => updating(world, website, changes)),
    )
  }

  async undo(): Promise<void> {
    const world = this.#world
    const last = this.#last
    this.#last = null
    // A later process would have to read from the disk how to undo the change, which unit tests of bulk changes cover.
    if (last === null || last.app !== world.app) return
    const shown = new Map(last.steps.map(({ website: { key } }) => [key, world.app.view.get(key)]))
    const before = new Set(world.app.edits().map(({ website }) => website))
    const answer = await ask(world, ({ bulk }) => bulk.undo(last.id))
    if (!world.app.appRun.alive) await world.restart(1_000)
    else if (answer?.ok !== true) return void world.refused.push('an undo of a bulk change was refused')
    const refused = new Set(answer?.ok ? answer.value.refused.map(({ key }) => key) : [])
    for (const step of last.steps) {
      const { key } = step.website
      const was = shown.get(key) ?? null
      if (was === null || refused.has(key)) continue
      world.ledger.reverts(key, shownOf(was), was.pending, world.time.now)
      recordDecision(world, key, before)
      const now = world.app.view.get(key)
      if (answer?.ok && now !== null) this.#check(step, last.at, was, now)
    }
  }

  /** Checks that an undo gave one website its values from before the bulk change. `was`: the website before the undo. */
  #check(step: Step, at: number, was: WebsiteView, now: WebsiteView): void {
    const world = this.#world
    for (const name of settingNames) {
      if (world.service.hides(name) || isUndone(step, was, now, name)) continue
      // If nothing is left to send, the service's value is shown.
      const isUnsent = !now.pending.includes(name) && !isCarried(world, step.website, at, name)
      if (isUnsent && step.changes[name] !== undefined) continue
      world.refused.push(`${now.domain}: the undo of a bulk change left ${name} as something else`)
    }
  }
}

/** Draws one change for all of the websites: one to three settings, and lines of lists that some of them have. */
function drawUpdate(websites: readonly WebsiteView[], random: Seeded, newPassword: NewPassword): BulkUpdate {
  const update: BulkUpdate = {}
  for (let n = 1 + random.below(3); n > 0; n--) {
    const name = random.pick<SettingName>(settingNames)
    if (isList(name)) update[name] = drawLines(websites, name, random)
    else if (name !== 'privacy') update[name] = random.chance(0.5)
    else {
      update.privacy = random.pick([0, 1, 2] as const)
      if (update.privacy === 2) update.password = newPassword()
      else delete update.password
    }
  }
  return update
}

function drawLines(websites: readonly WebsiteView[], name: ListName, random: Seeded): LinesChange {
  const lines = [name === 'exclude_ips' ? newIp(random) : newParam(random)]
  if (random.chance(0.2)) return { how: 'set', lines }
  const present = websites.flatMap((website) => website[name] ?? [])
  const remove = present.length > 0 && random.chance(0.5) ? [random.pick(present)] : []
  return { how: 'edit', add: lines.filter((line) => !remove.includes(line)), remove }
}

/**
 * True if an undo gave a setting its value from before the bulk change. A setting that was changed since, or that the bulk change
 * did not touch, must keep the value from before the undo. While a delete is pending, the website is shown as the service has it.
 */
function isUndone({ before, changes }: Step, was: WebsiteView, now: WebsiteView, name: SettingName): boolean {
  const [former, set, shown, current] = [before[name], changes[name], was[name], now[name]]
  if (set === undefined || former === undefined || was.state === 'deleting') return isEqual(shown, current)
  if (!Array.isArray(former) || !Array.isArray(set) || !Array.isArray(shown) || !Array.isArray(current))
    return isEqual(current, isEqual(shown, set) ? former : shown)
  const left = shown.filter((line) => former.includes(line) || !set.includes(line))
  return isSameSet(current, [...left, ...former.filter((line) => !set.includes(line))])
}

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
