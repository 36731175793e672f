import type { EditView } from '../../../src/shared/edit.ts'
import { settingNames, type SettingName, type WebsiteDraft, type WebsiteView } from '../../../src/shared/website.ts'
import type { CommandPart } from './run-command.ts'
import { isTaken, traceOf } from './trace.ts'
import { shownOf, type Changes } from '../ledger/intent.ts'
import type { World } from '../world/world.ts'

/** What the user wishes of one website, alone or among many; what is acknowledged goes into the ledger. */
export const creating = ({ ledger, time }: World, draft: WebsiteDraft): CommandPart<string> => ({
  taken: (key) => ledger.created(key, draft, time.now),
  // Its answer is lost with the process: the user finds it in the list, or doesn't.
  found(app) {
    const found = app.websites().find(({ domain, key }) => domain === draft.domain && !ledger.entries.has(key))
    return found?.id === null ? found.key : undefined
  },
})

/** `typed`: what was shown when that was typed, where it isn't what is shown now. */
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
  return {
    taken: () => ledger.updated(key, changes, { ...seen, ...now() }, time.now),
    found: (app) => (isTaken(app, key, changes, before) ? true : undefined),
  }
}

export function deleting(world: World, website: WebsiteView): CommandPart<unknown> {
  const { ledger, time } = world
  const { key } = website
  // One that isn't created yet isn't deleted: the user lets it go.
  const unsentCreate = world.app.edits().some((edit) => edit.website === key && isUnsentCreate(edit))
  return {
    taken() {
      // Given back in time, it's changed from what it is now: set back to that, it's as it was.
      ledger.goesBackTo(key, shownOf(website), website.pending, time.now)
      if (unsentCreate) adopt(world, key, new Set())
      else ledger.deleted(key, time.now)
    },
    found(app) {
      const edits = app.edits().filter((edit) => edit.website === key)
      return edits.at(-1)?.kind === 'delete' || app.view.get(key) === null ? true : undefined
    },
  }
}

/** What a decision brought about is what is visible right after it; a website that is created again is a new one. */
export function adopt(
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

/** The user is about to decide about an edit; returns what follows. `keeps`: the user chooses between values, which stay wanted. */
export function deciding(world: World, edit: EditView, keeps = edit.ways.includes('units')): (typed?: string) => void {
  const { app, ledger, time } = world
  const waiting = app.edits()
  const before = new Set(waiting.map(({ website }) => website))
  const entry = ledger.entries.get(edit.website)
  if (entry !== undefined && edit.conflict !== null) {
    for (const unit of settingNames) ledger.saw(entry, unit, edit.conflict.theirs[unit], time.now)
  }
  return (typed) => {
    adopt(world, edit.website, before, typed, keeps)
    ledger.overruled(edit, waiting)
    const { app: now } = world
    ledger.decidedWith(edit, now.edits(), (key) => now.view.get(key) !== null)
  }
}

/** Asked about a website that is there, whichever intent of his has brought it, he has let it be. */
export function leftAlone({ app, ledger, time }: World, edit: EditView): void {
  if (edit.kind !== 'create' || edit.conflict === null) return
  ledger.answered(edit, app.edits(), time.now, (key) => app.view.get(key) !== null)
}

/** A delete that is on its way and undone: whether it was in time isn't known yet. */
export function spared({ ledger }: World, edit: EditView): void {
  const entry = edit.kind === 'delete' ? ledger.entries.get(edit.website) : undefined
  if (entry !== undefined) entry.wanted = 'unsure'
}

export const isSent = (state: EditView['state']): boolean => state === 'sending' || state === 'inDoubt'

export const isUnsentCreate = ({ kind, state }: EditView): boolean =>
  kind === 'create' && /queued|held|parked/.test(state)

/** What is on its way, with nothing behind it. */
function onTheWayAlone({ app }: World, key: string): string[] {
  const edits = app.edits().filter(({ website }) => website === key)
  const [sent, behind] = [true, false].map((is) => edits.filter(({ state }) => isSent(state) === is))
  return (sent ?? [])
    .flatMap(({ fields }) => fields)
    .filter((name) => !behind?.some(({ fields }) => fields.includes(name)))
}

function lastSent({ app }: World, key: string, unit: SettingName): string | undefined {
  const of = app.history().filter(({ website, became }) => website === key && became === 'sent')
  return JSON.stringify(of.find(({ settings }) => settings[unit] !== undefined)?.settings[unit])
}
