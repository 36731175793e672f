import type { EditView, UndoOutcome } from '../../../src/shared/edit.ts'
import { settingNames, type SettingName, type WebsiteView } from '../../../src/shared/website.ts'
import { ask } from './run-command.ts'
import { isCarried, isUnsentCreate, recordDecision } from './parts.ts'
import { shownOf, type Changes } from '../ledger/intent.ts'
import type { World } from '../world/world.ts'

/** A save of the user: the settings that were shown before (`before`), and the `changes` that it made. */
interface Saved {
  before: Changes
  domain: string
  isRenamed: boolean
  /** The fields that were pending before the save. */
  pending: readonly string[]
  changes: Changes
  at: number
  edit: string | undefined
  /** The number of the save, counted over all websites. */
  n: number
}

/** Undoes the saves of websites one by one, and checks what each undo shows (docs/sync.md#undo). */
export class UndoSaves {
  #world: World
  #saves = new Map<string, Saved[]>()
  #count = 0
  /** The number (`n`) of the last save that is forgotten. Whether that save can be undone is unknown. */
  #forgotten = 0

  constructor(world: World) {
    this.#world = world
  }

  /** Records a save that an undo can take back. If that undo can't be checked, forgets the saves of the website. */
  saved(website: WebsiteView, changes: Changes, hasCreate: boolean, renamedTo = website.domain): void {
    this.#count += 1
    const before = shownOf(website)
    const isChange = changesSettings({ before, changes })
    // A password that another save has replaced cannot come back, nor can its privacy without it (docs/sync.md#undo).
    const isReplaced = website.pending.includes('password') && changes.privacy !== undefined && changes.privacy !== 2
    if (changes.password !== undefined || isReplaced) return this.forget(website.key)
    // A save may answer the question about a website that exists already, and then discards its create.
    if (hasCreate && website.id !== null) return this.forget(website.key)
    const isRenamed = renamedTo !== website.domain
    if (!isChange && !isRenamed) return
    this.#saves.set(website.key, [
      ...(this.#saves.get(website.key) ?? []),
      {
        before,
        domain: website.domain,
        isRenamed,
        changes,
        pending: website.pending,
        at: this.#world.time.now,
        edit: this.#pending(website.key)?.id,
        n: this.#count,
      },
    ])
  }

  last(): string | undefined {
    const all = [...this.#saves].flatMap(([key, saves]) => saves.map(({ n }) => ({ key, n })))
    return all.toSorted((one, other) => one.n - other.n).at(-1)?.key
  }

  /** Forgets all saves, because another command has changed what an undo takes back. */
  forgetAll(): void {
    this.#saves.clear()
    this.#forgotten = this.#count
  }

  forget(key: string): void {
    this.#saves.delete(key)
    this.#forgotten = this.#count
  }

  /** Undoes the last save of a website. `after`: milliseconds between the look at what can be undone and the command. */
  async undo(website: WebsiteView, after: number): Promise<void> {
    const world = this.#world
    const { key } = website
    const saves = this.#savesOf(key)
    const last = saves.at(-1)
    const id = this.#undoable(key)
    if (last === undefined || id === undefined || this.#isRepair(id, last)) return this.forget(key)
    this.#checkLast(website, last)
    await world.pass(after)
    const waiting = world.app.edits()
    const shown = world.app.view.get(key)
    const isRecorded = waiting.some((edit) => edit.id === id) || world.app.history().some((past) => past.id === id)
    const before = new Set(waiting.map((edit) => edit.website))
    const answer = await ask(world, (app) => app.outbox.undo(id))
    if (!world.app.appRun.alive) {
      await world.restart(1_000)
      this.forget(key)
    } else if (answer?.ok !== true) {
      const isGone = answer?.error.code === 'edit-gone'
      if (isGone && isRecorded && this.#isOffered(id))
        world.refused.push(`${website.domain}: an undo that was offered was refused`)
      return this.forget(key)
    }
    const now = world.app.view.get(key)
    if (shown !== null) world.ledger.reverts(key, shownOf(shown), shown.pending, world.time.now)
    recordDecision(world, key, before)
    const outcome: UndoOutcome | undefined = answer?.ok ? answer.value : undefined
    if (outcome === undefined || outcome === 'asks' || shown === null || now === null) return this.forget(key)
    this.#saves.set(key, saves.slice(0, -1))
    world.ledger.renamed(key, now.domain)
    if (outcome === 'undone' && now.domain !== last.domain)
      world.refused.push(`${website.domain}: an undo of the last save left its domain as ${now.domain}`)
    for (const name of settingNames) {
      // A value that the service does not show cannot be compared.
      if (world.service.hides(name)) continue
      // If nothing is left to send, the service's value is shown.
      const isUnsent = outcome === 'undone' || !isCarried(world, website, last.at, name)
      const wasPending = last.pending.includes(name) && !isSettled(world, key, last.at, name)
      const isNothingPending = isUnsent && !wasPending && !now.pending.includes(name)
      if (isNothingPending && last.changes[name] !== undefined) continue
      // An undo of a save that was not sent leaves a pending field exactly as it was before the save. A list then lacks the lines
      // that other clients have added since, until it is merged with them.
      const isRemoved = outcome === 'undone' && !isCarried(world, website, last.at, name)
      const isPendingAgain = isRemoved && last.pending.includes(name) && now.pending.includes(name)
      if (isPendingAgain && isEqual(now[name], last.before[name])) continue
      if (isUndone(last, shownOf(shown), shownOf(now), name)) continue
      world.refused.push(`${website.domain}: an undo of the last save left ${name} as something else`)
    }
  }

  /** Checks that a save that is the last of all is also the first that "Undo the last change" takes back. */
  #checkLast({ key, domain }: WebsiteView, { n }: Saved): void {
    const { refused, app } = this.#world
    if (n <= this.#forgotten || [...this.#saves.values()].flat().some((save) => save.n > n)) return
    const found = app.outbox.lastSave()
    const website = found.ok ? (found.value?.edit?.website ?? found.value?.entry?.website) : undefined
    if (website !== key) refused.push(`${domain}: the last save was not found`)
  }

  /** The saves of a website that can be undone. A domain can't be changed once the create is sent. */
  #savesOf(key: string): Saved[] {
    const isUnsent = this.#world.app.edits().some((edit) => edit.website === key && isUnsentCreate(edit))
    return (this.#saves.get(key) ?? []).filter((save) => isUnsent || !save.isRenamed || changesSettings(save))
  }

  #pending(key: string): EditView | undefined {
    return latest(this.#world.app.edits().filter((edit) => edit.website === key && edit.isUndo !== true))
  }

  /** True if the save was sent, and the pending edit repairs what a late request has changed since. */
  #isRepair(id: string, { edit }: Saved): boolean {
    const { app } = this.#world
    return id !== edit && app.edits().some((one) => one.id === id) && app.history().some((past) => past.id === edit)
  }

  /** Returns the id of the edit, pending or sent, of the website's last save, or undefined if no undo is offered. */
  #undoable(key: string): string | undefined {
    const { app } = this.#world
    const all = app.edits().filter((edit) => edit.website === key)
    if (all.some(({ kind }) => kind === 'delete')) return undefined
    const edits = all.filter(({ isUndo }) => isUndo !== true)
    const pending = latest(edits)
    const past = app.history().find((entry) => entry.website === key && entry.isUndo !== true)
    if (pending !== undefined) return pending.can.undo ? pending.id : undefined
    return past?.kind === 'update' && past.can.undo ? past.id : undefined
  }

  #isOffered(id: string): boolean {
    const { app } = this.#world
    return [...app.edits(), ...app.history()].some((one) => one.id === id && one.can.undo)
  }
}

/** Returns the latest of a website's edits, which are listed with parked ones first. A sent edit is always the earliest. */
const latest = (edits: readonly EditView[]): EditView | undefined =>
  edits.findLast(({ state }) => state !== 'sending' && state !== 'inDoubt') ?? edits.at(-1)

const isSettled = ({ app, timeline }: World, key: string, since: number, name: SettingName): boolean =>
  app
    .history()
    .some(
      (past) =>
        past.website === key &&
        past.became === 'sent' &&
        past.settings[name] !== undefined &&
        timeline.of(past).until >= since,
    )

const changesSettings = ({ before, changes }: Pick<Saved, 'before' | 'changes'>): boolean =>
  settingNames.some((name) => changes[name] !== undefined && !isEqual(changes[name], before[name]))

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/**
 * True if an undo gave a field its value from before the save. A field that another client has changed since, or that the save
 * did not touch, must keep the value from before the undo.
 */
function isUndone({ before, changes }: Saved, shown: Changes, now: Changes, name: SettingName): boolean {
  const [shownValue, currentValue] = [shown[name], now[name]]
  if (changes[name] === undefined) return JSON.stringify(shownValue) === JSON.stringify(currentValue)
  const [former, set] = [before[name], changes[name]]
  // A value that the service does not show cannot be compared.
  if (former === undefined || currentValue === undefined) return true
  if (!Array.isArray(former) || !Array.isArray(set) || !Array.isArray(shownValue) || !Array.isArray(currentValue))
    return JSON.stringify(currentValue) === JSON.stringify(former) || JSON.stringify(shownValue) !== JSON.stringify(set)
  const added = set.filter((line) => !former.includes(line))
  const removed = former.filter((line) => !set.includes(line))
  const remaining = shownValue.filter((line) => !added.includes(line))
  return (
    currentValue.length === new Set([...remaining, ...removed]).size &&
    [...remaining, ...removed].every((line) => currentValue.includes(line))
  )
}
