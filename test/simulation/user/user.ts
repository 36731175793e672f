import type { EditView, Resolution } from '../../../src/shared/edit.ts'
import type { Result } from '../../../src/shared/result.ts'
import type { SettingName, WebsiteView } from '../../../src/shared/website.ts'
import type { Action, BulkAction } from '../world/actions.ts'
import { answering, previewOf } from './answers.ts'
import { pickCommon } from '../../../src/main/outbox/model/compare.ts'
import { ask, give, giveBulk } from './run-command.ts'
import { takeAround, asResults, takeBackBulk } from './bulk.ts'
import {
  creating,
  deciding,
  deleting,
  isSent,
  isUnsentCreate,
  recordDecision,
  recordLeftAlone,
  recordUndoneDelete,
  updating,
} from './parts.ts'
import { Seeded, seedOf } from '../machine/random.ts'
import { saveNew } from './save-new.ts'
import { isTaken, traceOf } from './trace.ts'
import { newChanges, newDraft, overtaken, type NewPassword } from './input.ts'
import { BulkChange } from './bulk-change.ts'
import { UndoSaves } from './undo-saves.ts'
import type { World } from '../world/world.ts'
import { shownOf, type Changes } from '../ledger/intent.ts'

export class User {
  #world: World
  #typed = 0
  /** The readable values that the last change of each website replaced. */
  #before = new Map<string, Changes>()
  #lastExport: string | null = null
  readonly undoSaves: UndoSaves
  readonly bulkChange: BulkChange
  #newPassword: NewPassword = () => `pw-canary-${String(++this.#typed)}`

  constructor(world: World) {
    this.#world = world
    this.undoSaves = new UndoSaves(world)
    this.bulkChange = new BulkChange(world, this.#newPassword)
  }

  create(domain: number, roll: number): Promise<void> {
    const draft = newDraft(`site-${domain}.example`, new Seeded(roll), this.#newPassword)
    return give(this.#world, (app) => app.outbox.create(draft), creating(this.#world, draft))
  }

  async update(index: number, roll: number): Promise<void> {
    const website = this.#pick(index)
    if (website === undefined) return
    const changes = newChanges(website, new Seeded(roll), this.#newPassword)
    this.#before.set(website.key, valuesBefore(website, changes))
    const hasCreate = this.#world.app.edits().some((edit) => edit.website === website.key && edit.kind === 'create')
    const part = updating(this.#world, website, changes)
    const taken = () => {
      part.taken(undefined)
      this.undoSaves.saved(website, changes, hasCreate)
    }
    await give<unknown>(this.#world, (app) => app.outbox.update(website.key, changes), { ...part, taken })
  }

  async regret(index: number, how: 'undo' | 'set back'): Promise<void> {
    const world = this.#world
    const website = this.#pick(index)
    if (website === undefined) return
    const position = world.app
      .edits()
      .filter(({ can }) => can.undo)
      .findLastIndex((edit) => edit.website === website.key)
    const changes = this.#before.get(website.key)
    if (how === 'undo' && position !== -1) await this.undo(position)
    if (how === 'undo' || changes === undefined || Object.keys(changes).length === 0) return
    await give<unknown>(world, (app) => app.outbox.update(website.key, changes), updating(world, website, changes))
  }

  async type({ website, roll, for: ms, remoteChange }: Extract<Action, { do: 'type' }>): Promise<void> {
    const world = this.#world
    const opened = this.#pick(website)
    if (opened === undefined) return
    const changes = newChanges(opened, new Seeded(roll), this.#newPassword)
    if (remoteChange) {
      await world.pass(ms)
      const index = world.service
        .present('1')
        .findIndex(({ id, number }) => [id, String(number)].includes(`${opened.id}`))
      const remote = { do: 'remote', change: 'update', website: index, roll } as const
      if (index !== -1) await world.step(remote, () => world.remote('update', index, roll))
      await world.step({ do: 'refresh' }, () => void world.app.refresh.run())
    }
    await world.pass(ms)
    const now = world.app.view.get(opened.key)
    if (now === null) return
    const typed = overtaken(changes, opened, now)
    await give<unknown>(
      world,
      (app) => app.outbox.update(now.key, changes, typed),
      updating(world, now, changes, typed),
    )
  }

  async delete(index: number): Promise<void> {
    const website = this.#pick(index)
    if (website === undefined) return
    await give<unknown>(this.#world, (app) => app.outbox.delete(website.key), deleting(this.#world, website))
  }

  bulk({ kind, first, count, roll }: BulkAction): Promise<void> {
    const world = this.#world
    const random = new Seeded(roll)
    if (kind === 'create') {
      const drafts = Array.from({ length: count }, (_, n) =>
        newDraft(`site-${(first + n) % 12}.example`, random, this.#newPassword),
      )
      const parts = drafts.map((draft) => creating(world, draft))
      const create = async (app: World['app']) => {
        const written = await app.outbox.writeBulk({ drafts })
        return written.ok ? written.value.created : drafts.map(() => written)
      }
      return giveBulk(world, create, parts)
    }
    if (kind === 'takeBack') return takeBackBulk(world, random.pick(['create', 'delete']), count)
    const websites = takeAround(this.#here(), first, count)
    if (kind === 'delete') {
      const keys = websites.map(({ key }) => key)
      const parts = websites.map((website) => deleting(world, website))
      return giveBulk(world, async (app) => asResults(await app.outbox.deleteBulk(keys)), parts)
    }
    const updates = websites.map((website) => {
      const changes = newChanges(website, random, this.#newPassword)
      return { key: website.key, changes, part: updating(world, website, changes) }
    })
    const parts = updates.map(({ part }) => part)
    const update = async (app: World['app']) => {
      const written = await app.outbox.writeBulk({ updates })
      return asResults(written.ok ? written.value.updated : updates.map(() => written.error))
    }
    return giveBulk(world, update, parts)
  }

  changeBulk({ first, count, roll }: Extract<Action, { do: 'changeBulk' }>): Promise<void> {
    return this.bulkChange.change(takeAround(this.#here(), first, count), roll)
  }

  async export(): Promise<void> {
    const exported = await ask(this.#world, (app) => app.outbox.exportQueue())
    if (exported?.ok) this.#lastExport = exported.value.text
    else if (!this.#world.app.appRun.alive) await this.#world.restart(1_000)
  }

  /** Imports the last export. Undone and discarded edits are wanted again, except deletes whose undo is in the file. */
  async import(): Promise<void> {
    const world = this.#world
    const text = this.#lastExport
    if (text === null) return
    const before = world.app.edits()
    await ask(world, (app) => app.outbox.importQueue(text))
    if (!world.app.appRun.alive) await world.restart(1_000)
    const came = world.app.edits().filter(({ id }) => before.every((edit) => edit.id !== id))
    for (const { id } of came) world.ledger.imported.add(id)
    const websites = new Set(before.map(({ website }) => website))
    for (const key of new Set(came.map(({ website }) => website))) recordDecision(world, key, websites)
    const { edits } = JSON.parse(text) as { edits: { note?: { restores?: string } }[] }
    const undone = new Set(edits.map(({ note }) => note?.restores))
    for (const edit of came) if (undone.has(edit.id)) recordUndoneDelete(world, edit)
  }

  async correct(index: number, roll: number): Promise<void> {
    const { undoSaves } = this
    const { ledger, time } = this.#world
    const edit = this.#edit(index, isUnsentCreate)
    const website = edit === undefined ? null : this.#world.app.view.get(edit.website)
    // For a website that the service has, the form saves changes instead.
    if (edit === undefined || website === null || website.id !== null) return
    const random = new Seeded(roll)
    const domain = random.chance(0.5) ? edit.domain : `site-${random.below(12)}.example`
    const draft = newDraft(domain, random, this.#newPassword)
    const before = traceOf(this.#world.app, edit.website, draft)
    const world = this.#world
    const correct = async (app: World['app']) => {
      const saved = await app.outbox.correct(edit.website, draft)
      const isListed = !saved.ok && saved.error.fields?.['domain'] !== undefined
      if (isListed && domain === edit.domain)
        world.refused.push(`${domain}: a save of it was refused as listed already`)
      return saved
    }
    await give<unknown>(world, correct, {
      taken() {
        ledger.created(edit.website, draft, time.now)
        // The form has shown the settings of the create, even if the create restores a deleted website.
        ledger.shown(edit.website, edit.settings, time.now)
        undoSaves.saved(website, draft, true, domain)
      },
      found: (app) => (isTaken(app, edit.website, draft, before) ? true : undefined),
    })
  }

  async undoSave(which: number | 'last', after: number): Promise<void> {
    const last = this.undoSaves.last()
    const website = which === 'last' ? this.#here().find(({ key }) => key === last) : this.#pick(which)
    if (website !== undefined) await this.undoSaves.undo(website, after)
  }

  async saveNew(index: number, roll: number, ms: number): Promise<void> {
    const opened = this.#here().filter(({ id }) => id === null)
    const website = opened[index % Math.max(1, opened.length)]
    const { undoSaves } = this
    if (website === undefined) return
    await saveNew(this.#world, website, { roll, ms, newPassword: this.#newPassword, undoSaves })
  }

  async undo(index: number): Promise<void> {
    const edit = this.#edit(index, ({ can }) => can.undo)
    const undone = await this.#decide(
      edit,
      ({ id }) =>
        (app) =>
          app.outbox.undo(id, true),
    )
    // The undo was refused, for example because the disk is full, or did not reach the disk, so the edit is still wanted.
    const { app, ledger, time } = this.#world
    const isAsBefore = app.edits().some(({ id, kind, can }) => id === edit?.id && kind === edit.kind && can.undo)
    if (!undone || isAsBefore || edit === undefined) return
    recordUndoneDelete(this.#world, edit)
    if (edit.kind === 'update' && isSent(edit.state)) ledger.reversed(edit.website, edit.settings, time.now)
  }

  async discard(index: number): Promise<void> {
    const edit = this.#edit(index, ({ can }) => can.discard)
    const decided = await this.#decide(
      edit,
      ({ id }) =>
        (app) =>
          app.outbox.discard(id),
    )
    if (decided && edit !== undefined) recordLeftAlone(this.#world, edit)
  }

  async resolve(index: number, roll: number): Promise<void> {
    const random = new Seeded(roll)
    const asked = this.#edit(index, ({ ways }) => ways.length > 0)
    // Some users open the item, look at it for a while, and answer what they see then.
    const looks = new Seeded(seedOf(roll, 1))
    if (asked !== undefined && looks.chance(0.5)) {
      await ask(this.#world, (app) => app.outbox.readAgain(asked.id))
      await this.#world.pass(looks.between(1, 20_000))
    }
    const edit = this.#world.app.edits().find(({ id, ways }) => id === asked?.id && ways.length > 0)
    const answered = edit && answering(this.#world, edit)
    const preview = edit && previewOf(this.#world, edit)
    let typed: string | undefined
    let chosen = ''
    let resolution: Resolution | undefined
    const givenUp: SettingName[] = []
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
        if (way !== 'units') {
          resolution = { way }
          return (app) => app.outbox.resolve(id, { way })
        }
        const units = (conflict?.units ?? []).map(({ unit, choices }) => [unit, random.pick(choices)] as const)
        givenUp.push(...units.filter(([, choice]) => choice === 'theirs').map(([unit]) => unit))
        const choice: Resolution = { way, units: Object.fromEntries(units) }
        resolution = choice
        return (app) => app.outbox.resolve(id, choice)
      },
      () => typed,
    )
    const { app, ledger, time } = this.#world
    if (!decided || edit === undefined) return
    if (resolution !== undefined) answered?.(resolution)
    if (chosen === 'adopt' && preview) this.#world.previews.push({ ...preview, at: time.now })
    for (const unit of givenUp) ledger.entries.get(edit.website)?.intents.delete(unit)
    if (edit.kind === 'create' && (chosen === 'adopt' || chosen === 'delete')) {
      ledger.answered(edit, app.edits(), time.now, (key) => app.view.get(key) !== null)
    }
    // An adopted website keeps its shown values. If the user sets a field back to its shown value, later remote changes stay.
    if (chosen === 'adopt' && !app.edits().some(({ id }) => id === edit.id)) {
      ledger.goesBackTo(edit.website, shownOf(edit.conflict?.theirs ?? {}), [], time.now)
    }
    // A recreated website gets all its settings again.
    if (chosen === 'recreate') ledger.givenBack(edit.website, edit.domain)
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
    const action = entry.can.putBack && (!entry.can.undo || random.chance(0.5)) ? 'putBack' : 'undo'
    const password = random.chance(0.5) || entry.before.privacy === 2 ? this.#newPassword() : undefined
    const before = new Set(app.edits().map(({ website }) => website))
    const key = entry.website
    const shown = key === null ? null : app.view.get(key)
    const settingsOf = ({ edits }: World['app']) =>
      JSON.stringify(edits().flatMap(({ website, id, settings }) => (website === key ? [id, settings] : [])))
    const waiting = settingsOf(app)
    const answer = await ask(this.#world, () => app.outbox.revert(entry.id, action, password))
    if (answer?.ok === false && app.appRun.alive) return
    if (!app.appRun.alive) {
      await this.#world.restart(1_000)
      // The undo never reached the disk. Another save of the same entry may still be undone.
      const canStill = this.#world.app.history().find(({ id }) => id === entry.id)?.can[action] === true
      if (canStill && settingsOf(this.#world.app) === waiting) return
    }
    const { ledger, time } = this.#world
    if (key !== null && shown !== null) ledger.reverts(key, shownOf(shown), shown.pending, time.now)
    recordDecision(this.#world, key, before, password)
    if (key !== null && entry.kind === 'create') ledger.undoneByDelete(key, time.now)
  }

  /** Makes a decision about an edit and records it. Returns false if there is no edit or the decision had no effect. */
  async #decide(
    edit: EditView | undefined,
    command: (edit: EditView) => Command<unknown>,
    typed?: () => string | undefined,
  ): Promise<boolean> {
    if (edit === undefined) return false
    // Undo and Discard choose no value.
    const decided = deciding(this.#world, edit, typed !== undefined && edit.ways.includes('units'))
    const answer = await ask(this.#world, command(edit))
    if (answer?.ok === false && this.#world.app.appRun.alive) return false
    if (!this.#world.app.appRun.alive) {
      await this.#world.restart(1_000)
      if (this.#isAskedStill(edit)) return false
    }
    decided(typed?.())
    return true
  }

  /** True if the process ended before the decision about a parked edit reached the disk. */
  #isAskedStill({ id, state, reason }: EditView): boolean {
    const now = this.#world.app.edits().find((edit) => edit.id === id)
    return state === 'parked' && now?.state === 'parked' && now.reason === reason
  }

  #pick(index: number): WebsiteView | undefined {
    const here = this.#here()
    return here[index % Math.max(1, here.length)]
  }

  #here(): WebsiteView[] {
    return this.#world.app.websites().filter(({ state }) => state !== 'deleting')
  }

  #edit(index: number, fits: (edit: EditView) => boolean): EditView | undefined {
    const fitting = this.#world.app.edits().filter(fits)
    return fitting[index % Math.max(1, fitting.length)]
  }
}

/** Returns the shown values of the fields that are about to change, except a privacy that needs a password. */
function valuesBefore(website: WebsiteView, changes: Changes): Changes {
  const before = pickCommon(website, changes)
  if (before.privacy === 2) delete before.privacy
  return before
}

type Command<T> = (app: World['app']) => Result<T> | Promise<Result<T>>
