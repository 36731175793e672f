import type { EditView } from '../../src/shared/edit.ts'
import type { Result } from '../../src/shared/result.ts'
import { settingNames, type SettingName, type WebsiteView } from '../../src/shared/website.ts'
import { Seeded } from './random.ts'
import { isTaken, traceOf } from './trace.ts'
import { newChanges, newDraft, type NewPassword } from './typed.ts'
import type { World } from './world.ts'
import { shownOf } from './wish.ts'

/** What the person does, and is told; what is acknowledged goes into the ledger. */
export class Person {
  #world: World
  #typed = 0
  #newPassword: NewPassword = () => `pw-canary-${String(++this.#typed)}`

  constructor(world: World) {
    this.#world = world
  }

  async create(domain: number, roll: number): Promise<void> {
    const random = new Seeded(roll)
    const { ledger, time } = this.#world
    const draft = newDraft(`site-${domain}.example`, random, this.#newPassword)
    await this.#do(
      (app) => app.outbox.create(draft),
      (key: string) => ledger.created(key, draft, time.now),
      // Its answer is lost with the process: the person finds it in the list, or doesn't.
      (app) => {
        const found = app
          .websites()
          .find((website) => website.domain === draft.domain && !ledger.entries.has(website.key))
        return found?.id === null ? found.key : undefined
      },
    )
  }

  async update(index: number, roll: number): Promise<void> {
    const { ledger, time } = this.#world
    const website = this.#pick(index)
    if (website === undefined) return
    const random = new Seeded(roll)
    const changes = newChanges(website, random, this.#newPassword)
    const sent = this.#onTheWayAlone(website.key)
    const arrived = (unit: SettingName) => this.#lastSent(website.key, unit)
    const seen = { ...shownOf(website), waiting: website.pending, sent, arrived }
    const now = () => {
      const view = this.#world.app.view.get(website.key)
      return { waits: view?.pending ?? [], shows: view === null ? {} : shownOf(view) }
    }
    const before = traceOf(this.#world.app, website.key, changes)
    await this.#do(
      (app) => app.outbox.update(website.key, changes),
      () => ledger.updated(website.key, changes, { ...seen, ...now() }, time.now),
      (app) => (isTaken(app, website.key, changes, before) ? true : undefined),
    )
  }

  async delete(index: number): Promise<void> {
    const { ledger, time } = this.#world
    const website = this.#pick(index)
    if (website === undefined) return
    // One that isn't created yet isn't deleted: the person lets it go.
    const unmade = this.#world.app.edits().some((edit) => edit.website === website.key && isUnmade(edit))
    await this.#do(
      (app) => app.outbox.delete(website.key),
      () => {
        // Given back in time, it's changed from what it is now: set back to that, it's as it was.
        ledger.goesBackTo(website.key, shownOf(website), website.pending, time.now)
        if (unmade) this.#adopt(website.key, new Set())
        else ledger.deleted(website.key, time.now)
      },
      (app) => {
        const edits = app.edits().filter(({ website: key }) => key === website.key)
        return edits.at(-1)?.kind === 'delete' || app.view.get(website.key) === null ? true : undefined
      },
    )
  }

  async correct(index: number, roll: number): Promise<void> {
    const { ledger, time } = this.#world
    const edit = this.#edit(index, isUnmade)
    if (edit === undefined) return
    const random = new Seeded(roll)
    const domain = random.chance(0.5) ? edit.domain : `site-${random.below(12)}.example`
    const draft = newDraft(domain, random, this.#newPassword)
    const before = traceOf(this.#world.app, edit.website, draft)
    await this.#do(
      (app) => app.outbox.correct(edit.website, draft),
      () => {
        ledger.created(edit.website, draft, time.now)
        // The form shows it: of a create that gives a website back, what was there.
        ledger.shown(edit.website, edit.settings, time.now)
      },
      (app) => (isTaken(app, edit.website, draft, before) ? true : undefined),
    )
  }

  async undo(index: number): Promise<void> {
    const edit = this.#edit(index, ({ can }) => can.undo)
    const undone = await this.#decide(
      edit,
      ({ id }) =>
        (app) =>
          app.outbox.undo(id),
    )
    // Refused, as with a full disk, or ended before it reached the disk, it's wanted as before.
    const { app, ledger, time } = this.#world
    const isAsBefore = app.edits().some(({ id, kind, can }) => id === edit?.id && kind === edit.kind && can.undo)
    if (!undone || isAsBefore || edit === undefined) return
    this.#spared(edit)
    if (edit.kind === 'update' && isSent(edit.state)) ledger.reversed(edit.website, edit.settings, time.now)
  }

  async discard(index: number): Promise<boolean> {
    const edit = this.#edit(index, ({ can }) => can.discard)
    const decided = await this.#decide(
      edit,
      ({ id }) =>
        (app) =>
          app.outbox.discard(id),
    )
    const { app, ledger, time } = this.#world
    // Asked about a website that is there, whichever wish of his has brought it, he has let it be.
    if (decided && edit?.kind === 'create' && edit.conflict !== null) {
      ledger.answered(edit, app.edits(), time.now, (key) => app.view.get(key) !== null)
    }
    return decided
  }

  async resolve(index: number, roll: number): Promise<boolean> {
    const random = new Seeded(roll)
    const edit = this.#edit(index, ({ ways }) => ways.length > 0)
    let typed: string | undefined
    let chosen = ''
    const decided = await this.#decide(
      edit,
      ({ id, ways, conflict, needsPassword, settings }) => {
        const way = random.pick(ways)
        chosen = way
        if (way === 'recreate') {
          const password = needsPassword || settings.privacy === 2 ? this.#newPassword() : undefined
          typed = password
          return (app) => app.outbox.resolve(id, { way, ...(password !== undefined && { password }) })
        }
        if (way !== 'units') return (app) => app.outbox.resolve(id, { way })
        const units = (conflict?.units ?? []).map(({ unit, choices }) => [unit, random.pick(choices)] as const)
        return (app) => app.outbox.resolve(id, { way, units: Object.fromEntries(units) })
      },
      () => typed,
    )
    const { app, ledger, time } = this.#world
    if (!decided || edit === undefined) return decided
    if (edit.kind === 'create' && (chosen === 'adopt' || chosen === 'delete')) {
      ledger.answered(edit, app.edits(), time.now, (key) => app.view.get(key) !== null)
    }
    // What is taken as it was shown, and set back to that, is as it was: what others make of it since is theirs.
    if (chosen === 'adopt' && !app.edits().some(({ id }) => id === edit.id)) {
      ledger.goesBackTo(edit.website, shownOf(edit.conflict?.theirs ?? {}), [], time.now)
    }
    // It's created with all that it had.
    if (chosen === 'recreate') ledger.givenBack(edit.website, edit.domain)
    return decided
  }

  sendNow(index: number | null): void {
    const { app } = this.#world
    const edit = index === null ? undefined : this.#edit(index, ({ can }) => can.sendNow)
    app.outbox.sendNow(edit?.id)
  }

  async revert(index: number, roll: number): Promise<void> {
    const { app } = this.#world
    const random = new Seeded(roll)
    const entries = app.history().filter(({ can }) => can.undo || can.putBack)
    const entry = entries[index % Math.max(1, entries.length)]
    if (entry === undefined) return
    const what = entry.can.putBack && (!entry.can.undo || random.chance(0.5)) ? 'putBack' : 'undo'
    const password = random.chance(0.5) || entry.before.privacy === 2 ? this.#newPassword() : undefined
    const before = new Set(app.edits().map(({ website }) => website))
    const key = entry.website
    const shown = key === null ? null : app.view.get(key)
    const answer = await this.#ask(() => app.outbox.revert(entry.id, what, password))
    if (answer?.ok === false && app.life.alive) return
    if (!app.life.alive) {
      await this.#world.restart(1_000)
      // It never reached the disk.
      if (this.#world.app.history().find(({ id }) => id === entry.id)?.can[what] === true) return
    }
    const { ledger, time } = this.#world
    if (key !== null && shown !== null) ledger.reverts(key, shownOf(shown), shown.pending, time.now)
    this.#adopt(key, before, password)
  }

  /** What a decision brought about is what is visible right after it; a website that is created again is a new one. */
  #adopt(website: string | null, before: ReadonlySet<string>, typed?: string, keeps = false): void {
    const { app, ledger, time } = this.#world
    const edits = app.edits()
    for (const edit of edits) {
      if (before.has(edit.website) || ledger.entries.has(edit.website)) continue
      ledger.givenBack(edit.website, edit.domain)
    }
    if (website !== null) ledger.decided(website, edits, { at: time.now, typed, keeps })
  }

  /** What is on its way, with nothing behind it. */
  #onTheWayAlone(key: string): string[] {
    const edits = this.#world.app.edits().filter(({ website }) => website === key)
    const [sent, behind] = [true, false].map((is) => edits.filter(({ state }) => isSent(state) === is))
    return (sent ?? [])
      .flatMap(({ fields }) => fields)
      .filter((name) => !behind?.some(({ fields }) => fields.includes(name)))
  }

  #lastSent(key: string, unit: SettingName): string | undefined {
    const of = this.#world.app.history().filter(({ website, became }) => website === key && became === 'sent')
    return JSON.stringify(of.find(({ settings }) => settings[unit] !== undefined)?.settings[unit])
  }

  /** A delete that is on its way and undone: whether it was in time isn't known yet. */
  #spared(edit: EditView): void {
    const entry = edit.kind === 'delete' ? this.#world.ledger.entries.get(edit.website) : undefined
    if (entry !== undefined) entry.wanted = 'unsure'
  }

  async #decide(
    edit: EditView | undefined,
    command: (edit: EditView) => Command<unknown>,
    typed: () => string | undefined = () => undefined,
  ): Promise<boolean> {
    if (edit === undefined) return false
    const { app, ledger, time } = this.#world
    const before = new Set(app.edits().map(({ website }) => website))
    const entry = ledger.entries.get(edit.website)
    if (entry !== undefined && edit.conflict !== null) {
      // All of it is before his eyes when he decides.
      for (const unit of settingNames) ledger.saw(entry, unit, edit.conflict.theirs[unit], time.now)
    }
    const waiting = this.#world.app.edits()
    const answer = await this.#ask(command(edit))
    if (answer?.ok === false && app.life.alive) return false
    if (!this.#world.app.life.alive) {
      await this.#world.restart(1_000)
      if (this.#isAskedStill(edit)) return false
    }
    this.#adopt(edit.website, before, typed(), edit.ways.includes('units'))
    ledger.overruled(edit, waiting)
    const { app: now } = this.#world
    ledger.decidedWith(edit, now.edits(), (key) => now.view.get(key) !== null)
    return true
  }

  /** The process ended before the person's word on what is parked had reached the disk. */
  #isAskedStill({ id, state, reason }: EditView): boolean {
    const now = this.#world.app.edits().find((edit) => edit.id === id)
    return state === 'parked' && now?.state === 'parked' && now.reason === reason
  }

  /** `foundAgain`: whether it reached the disk although its answer was lost with the process. */
  async #do<T, F>(
    command: Command<T>,
    taken: (value: T | F) => void,
    foundAgain: (app: World['app']) => F | undefined,
  ): Promise<void> {
    const world = this.#world
    const answer = await this.#ask(command)
    if (world.app.life.alive) {
      if (answer?.ok) taken(answer.value)
      return
    }
    await world.restart(1_000)
    const value = foundAgain(world.app)
    if (value !== undefined) taken(value)
  }

  /** Undefined: there was no answer, for the process had ended. */
  async #ask<T>(command: Command<T>): Promise<Result<T> | undefined> {
    const { app, time } = this.#world
    const asked: { answer?: Result<T> } = {}
    void Promise.resolve(command(app)).then((answer) => (asked.answer = answer))
    await time.run(time.now + 60_000, () => asked.answer !== undefined || !app.life.alive)
    return app.life.alive ? asked.answer : undefined
  }

  #pick(index: number): WebsiteView | undefined {
    const here = this.#world.app.websites().filter(({ state }) => state !== 'deleting')
    return here[index % Math.max(1, here.length)]
  }

  #edit(index: number, fits: (edit: EditView) => boolean): EditView | undefined {
    const fitting = this.#world.app.edits().filter(fits)
    return fitting[index % Math.max(1, fitting.length)]
  }
}

const isSent = (state: EditView['state']): boolean => state === 'sending' || state === 'inDoubt'

const isUnmade = ({ kind, state }: EditView): boolean => kind === 'create' && /queued|held|parked/.test(state)

type Command<T> = (app: World['app']) => Result<T> | Promise<Result<T>>
