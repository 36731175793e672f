import type { EditView } from '../../../src/shared/edit.ts'
import { settingNames, type SettingName, type WebsiteDraft, type WebsiteView } from '../../../src/shared/website.ts'
import type { CommandPart } from './run-command.ts'
import { isTaken, traceOf } from './trace.ts'
import { shownOf, type Changes } from '../ledger/intent.ts'
import type { World } from '../world/world.ts'

/** Returns the part of a command that creates one website, alone or in bulk. An acknowledged create goes into the ledger. */
export const creating = ({ ledger, time }: World, draft: WebsiteDraft): CommandPart<string> => ({
  taken: (key) => ledger.created(key, draft, time.now),
  // If the answer is lost with the process, the user looks in the list.
  found(app) {
    const found = app.websites().find(({ domain, key }) => domain === draft.domain && !ledger.entries.has(key))
    return found?.id === null ? found.key : undefined
  },
})

/** Returns the part of a command that updates one website. `typed`: the values seen while typing that have changed since. */
export function updating(
  world: World,
  website: WebsiteView,
  changes: Changes,
  typed: Changes = {},
): CommandPart<unknown> {
  const { ledger, time } = world
  const { key } = website
  const sent = onTheWayAlone(world, key)
  const arrived = (unit: SettingName) => lastSent(world, key, unit)
  const seen = { ...shownOf(website), ...typed, waiting: website.pending, sent, arrived }
  const now = () => {
    const view = world.app.view.get(key)
    return { waits: view?.pending ?? [], shows: view === null ? {} : shownOf(view) }
  }
  const before = traceOf(world.app, key, changes)
  const answersCreate =
    website.id !== null &&
    world.app.edits().some((edit) => edit.website === key && edit.kind === 'create' && edit.state === 'parked')
  return {
    taken() {
      if (answersCreate) ledger.keptAsItIs(key)
      ledger.updated(key, changes, { ...seen, ...now() }, time.now)
    },
    found: (app) => (isTaken(app, key, changes, before) ? true : undefined),
  }
}

export function deleting(world: World, website: WebsiteView): CommandPart<unknown> {
  const { ledger, time } = world
  const { key } = website
  // Deleting a website that is not created yet discards its create.
  const unsentCreate = world.app.edits().some((edit) => edit.website === key && isUnsentCreate(edit))
  return {
    taken() {
      // If the user undoes the delete in time, edits start from the current values.
      ledger.goesBackTo(key, shownOf(website), website.pending, time.now)
      if (unsentCreate) recordDecision(world, key, new Set())
      else ledger.deleted(key, time.now)
    },
    found(app) {
      const edits = app.edits().filter((edit) => edit.website === key)
      return edits.at(-1)?.kind === 'delete' || app.view.get(key) === null ? true : undefined
    },
  }
}

/**
 * Records the outcome of a decision: what is visible right after it. A website that is created again is a new one. `before`: the
 * keys of the websites that had edits before the decision; `typed`: the password that the user typed for it.
 */
export function recordDecision(
  { app, ledger, time }: World,
  website: string | null,
  before: ReadonlySet<string>,
  typed?: string,
  keeps = false,
): void {
  const edits = app.edits()
  for (const edit of edits) {
    if (before.has(edit.website) || ledger.entries.has(edit.website)) continue
    ledger.givenBack(edit.website, edit.domain)
  }
  if (website !== null) ledger.decided(website, edits, { at: time.now, typed, keeps })
}

/** Returns a function that records a decision about an edit. `keeps`: the user chooses values, and earlier intents stay. */
export function deciding(world: World, edit: EditView, keeps = edit.ways.includes('units')): (typed?: string) => void {
  const { app, ledger, time } = world
  const waiting = app.edits()
  const before = new Set(waiting.map(({ website }) => website))
  const entry = ledger.entries.get(edit.website)
  if (entry !== undefined && edit.conflict !== null) {
    for (const unit of settingNames) ledger.saw(entry, unit, edit.conflict.theirs[unit], time.now)
  }
  return (typed) => {
    recordDecision(world, edit.website, before, typed, keeps)
    const { app: now } = world
    ledger.overruled(edit, waiting.flatMap(stillPending(now)))
    ledger.decidedWith(edit, now.edits(), (key) => now.view.get(key) !== null)
  }
}

/**
 * Returns a function that returns what is still pending of an edit: its current form, all of it if it was merged into another
 * edit, nothing if it was acknowledged.
 */
function stillPending(app: World['app']): (edit: EditView) => EditView[] {
  const current = new Map(app.edits().map((edit) => [edit.id, edit]))
  const acknowledged = new Set(app.history().flatMap(({ id, became }) => (became === 'sent' ? [id] : [])))
  return (edit) => {
    const now = current.get(edit.id)
    if (now !== undefined) return [now]
    return acknowledged.has(edit.id) ? [] : [edit]
  }
}

/** Records that the user dropped a create whose domain exists, which leaves the existing website as it is. */
export function recordLeftAlone({ app, ledger, time }: World, edit: EditView): void {
  if (edit.kind !== 'create' || edit.conflict === null) return
  ledger.answered(edit, app.edits(), time.now, (key) => app.view.get(key) !== null)
}

/** Records that a delete was undone while it was being sent: its outcome is not known yet. */
export function recordUndoneDelete({ ledger }: World, edit: EditView): void {
  const entry = edit.kind === 'delete' ? ledger.entries.get(edit.website) : undefined
  if (entry !== undefined) entry.expected = 'unsure'
}

export const isSent = (state: EditView['state']): boolean => state === 'sending' || state === 'inDoubt'

/** True for a create that is queued, held or parked, which the user can still correct. */
export const isUnsentCreate = ({ kind, state }: EditView): boolean =>
  kind === 'create' && /queued|held|parked/.test(state)

function onTheWayAlone({ app }: World, key: string): string[] {
  const edits = app.edits().filter(({ website }) => website === key)
  const [sent, behind] = [true, false].map((is) => edits.filter(({ state }) => isSent(state) === is))
  return (sent ?? [])
    .flatMap(({ fields }) => fields)
    .filter((name) => !behind?.some(({ fields }) => fields.includes(name)))
}

/** Returns the value of a setting in the website's latest history entry that was sent, as JSON, or undefined. */
function lastSent({ app }: World, key: string, unit: SettingName): string | undefined {
  const of = app.history().filter(({ website, became }) => website === key && became === 'sent')
  return JSON.stringify(of.find(({ settings }) => settings[unit] !== undefined)?.settings[unit])
}

/** True if the service has applied an update of a website that was sent since a time and carried this field. */
export const isCarried = ({ network }: World, { id }: WebsiteView, since: number, name: SettingName): boolean =>
  network.sent
    .filter(
      ({ at, method, handledWith }) => at >= since && method === 'PUT' && handledWith !== null && handledWith < 300,
    )
    .some(({ path, body }) => path.endsWith(`/${String(id)}`) && new URLSearchParams(body).has(name))
