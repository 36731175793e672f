import { m } from '../../../messages/index.ts'
import type { Resolution, ResolveWay, UnitChoice } from '../../../shared/edit.ts'
import { fail, ok, type FieldErrors, type Result } from '../../../shared/result.ts'
import type { SettingName, WebsiteRecord } from '../../../shared/website.ts'
import { adopt, deleteRebasedOnTheirs, isDeleteSent, takeOver } from './adopt.ts'
import { pruneUnchanged } from '../enqueue/coalesce.ts'
import {
  removeUnsent,
  restoreTakenBackSaves,
  restoreSupersededUpdate,
  queueDelete,
  type EditStamp,
} from '../enqueue/commands.ts'
import { isSameIgnoringOrder, pickNamed, pickCommon } from '../model/compare.ts'
import { domainAfterDecision } from '../model/compare-with-record.ts'
import { linesOfBothSides, choicesOf, resolveWaysOf } from './conflict.ts'
import { baseOf, isUnreadable, requeued, type Edit, theirsOf } from '../model/edit.ts'
import { recordHistory, recordStep } from '../history.ts'
import { storeReadRecord } from '../late-writes/note-read.ts'
import { merge, oursOf } from '../reconcile/merge.ts'
import type { OutboxStore } from '../ports.ts'
import { isPossiblySent, possiblySentOf } from '../model/possibly-sent.ts'
import { isForAnotherWebsite, newestTheirs } from './read-theirs.ts'
import { recreateWebsite } from './recreate.ts'

type UnitChoices = Partial<Record<SettingName, UnitChoice>>

interface Decision {
  resolution: Resolution
  ways: readonly ResolveWay[]
  sealed: Uint8Array | null
  read: WebsiteRecord | null
}

/**
 * Carries out the user's decision on a parked edit (docs/sync.md#answers-of-the-user). `ways`: the decisions that it offered when
 * the user decided. `sealed`: a password typed for it. `read`: the website as read since. Returns the website's key. Errors:
 * `edit-gone` (the edit is no longer parked, or offers other decisions now), `invalid-input` with `fields`, `storage`.
 */
export function resolveEdit(
  store: OutboxStore,
  id: string,
  { resolution, ways, sealed, read }: Decision,
  stamp: EditStamp,
): Result<string> {
  const edit = store.edit(id)
  if (edit === null || !ways.includes(resolution.way)) return fail('edit-gone')
  if (resolveWaysOf(store, edit).join() !== ways.join()) return fail('edit-gone')
  if (store.editsOf(edit.website).some(isUnreadable)) return fail('storage')
  const theirs = newestTheirs(store, edit, read)
  if (theirs !== null && isForAnotherWebsite(store, edit, theirs)) return fail('edit-gone')
  if (theirs !== null) storeReadRecord(store, theirs, stamp.changedAt)
  const done = carryOut(store, { edit, theirs, resolution, sealed }, stamp)
  // If the decision removed the edit, its result is already recorded.
  if (done.ok && store.edit(id) !== null)
    recordStep(store, edit, 'resolved', { at: stamp.changedAt, way: resolution.way })
  return done.ok ? ok(done.value ?? edit.website) : done
}

interface UserDecision {
  edit: Edit
  /** The newest known record that the decision is about. */
  theirs: WebsiteRecord | null
  resolution: Resolution
  sealed: Uint8Array | null
}

/** Returns the key of the website if it differs from that of the edit. */
function carryOut(
  store: OutboxStore,
  { edit, theirs, resolution, sealed }: UserDecision,
  stamp: EditStamp,
): Result<string | undefined> {
  if (resolution.way === 'recreate') {
    const created = recreateWebsite(store, edit, sealed)
    return created.ok ? ok(undefined) : created
  }
  if (resolution.way === 'keep') return ok(keepWebsite(store, withTheirs(edit, theirs), stamp))
  if (theirs === null || isDeleteSent(store, theirs)) return fail('edit-gone')
  if (resolution.way === 'units') return applyUnitChoices(store, edit, { theirs, units: resolution.units, stamp })
  if (resolution.way === 'adopt') return ok(adopt(store, edit, theirs, stamp))
  return deleteAnyway(store, edit, theirs, stamp)
}

/**
 * Applies the user's choices to the current record, which becomes the base, so that only later remote changes are asked about
 * again. A field that came into conflict after the user was asked is left to the next question.
 */
function applyUnitChoices(
  store: OutboxStore,
  edit: Edit,
  { theirs, units, stamp }: { theirs: WebsiteRecord; units: UnitChoices; stamp: EditStamp },
): Result<undefined> {
  const parkedConflicts = merge(edit.base, theirsOf(edit) ?? theirs, oursOf(edit)).conflicts
  const { settings, password, conflicts } = merge(edit.base, theirs, oursOf(edit))
  const open = conflicts.filter((name) => !parkedConflicts.includes(name))
  const fields: FieldErrors = {}
  const overwrites = { ...edit.note?.overwrites }
  let sealed = password ? edit.sealed : null
  for (const name of parkedConflicts) {
    const choice = units[name]
    if (choice === undefined || !choicesOf(edit, theirs, name).includes(choice)) fields[name] = [m.input_undecided()]
    if (choice === 'theirs') {
      Reflect.deleteProperty(settings, name)
      if (name === 'privacy') sealed = null
      if (isPossiblySent(possiblySentOf(edit), name))
        Object.assign(settings, pickCommon(theirs, { [name]: edit.settings[name] }))
      continue
    }
    Object.assign(settings, { [name]: choice === 'both' ? linesOfBothSides(edit, theirs, name) : edit.settings[name] })
    if (name === 'privacy') sealed = edit.sealed
    if (theirs[name] !== undefined && !isSameIgnoringOrder(theirs, settings, name)) {
      Object.assign(overwrites, { [name]: theirs[name] })
    }
  }
  if (Object.keys(fields).length > 0) return fail('invalid-input', { fields })
  const base = {
    ...baseOf({ ...edit.base.settings, ...pickCommon(theirs, settings) }, theirs.updated_at),
    domain: domainAfterDecision(edit),
  }
  const decided = pruneUnchanged(
    requeued({ ...edit, settings, sealed, base, note: { ...edit.note, overwrites, answered: true } }),
  )
  if (open.length > 0) store.saveEdit(parkedWithOpenUnits(edit, decided, open, theirs))
  else if (decided === null) {
    restoreTakenBackSaves(store, edit)
    recordHistory(store, edit, 'discarded', { at: stamp.changedAt })
    removeUnsent(store, edit)
  } else store.saveEdit(decided)
  return ok(undefined)
}

/** Parks the edit again, with the fields that the user was not asked about. */
function parkedWithOpenUnits(edit: Edit, decided: Edit | null, open: SettingName[], theirs: WebsiteRecord): Edit {
  const left = pickNamed(edit.settings, open)
  const { settings, base, sealed, note } = decided ?? { ...edit, settings: {}, sealed: null }
  // If an open field is in conflict only because of the base's `updated_at`, keep that. Otherwise take the current one, or the
  // answered fields would be asked about again.
  const needsTime = open.some(
    (name) =>
      edit.base.settings[name] === undefined || theirs[name] === undefined || (name === 'privacy' && edit.sealed),
  )
  return {
    ...withTheirs(edit, theirs),
    settings: { ...settings, ...left },
    sealed: open.includes('privacy') ? edit.sealed : sealed,
    base: {
      ...edit.base,
      settings: { ...base.settings, ...pickCommon(edit.base.settings, left) },
      updated_at: needsTime ? edit.base.updated_at : theirs.updated_at,
    },
    ...(note && { note }),
  }
}

/** Changes nothing in an edit that is not parked. */
const withTheirs = (edit: Edit, theirs: WebsiteRecord | null): Edit =>
  edit.standing.state === 'parked' ? { ...edit, standing: { ...edit.standing, theirs } } : edit

/** Removes a delete, and restores the update that it superseded. */
function keepWebsite(store: OutboxStore, edit: Edit, stamp: EditStamp): undefined {
  if (restoreSupersededUpdate(store, edit)) return
  restoreTakenBackSaves(store, edit)
  recordHistory(store, edit, 'discarded', { at: stamp.changedAt })
  removeUnsent(store, edit)
}

/** Queues a delete although the website has changed, or the delete of an existing website in place of its create. */
function deleteAnyway(store: OutboxStore, edit: Edit, theirs: WebsiteRecord, stamp: EditStamp): Result<string> {
  if (edit.kind === 'delete') {
    const shown = deleteRebasedOnTheirs(edit, theirs)
    const base = { ...shown.base, domain: domainAfterDecision(edit) }
    store.saveEdit({ ...requeued(shown), attempts: 0, base, note: { ...shown.note, answered: true } })
    return ok(edit.website)
  }
  // The edit is a create, and the user wants neither its website nor the existing one.
  recordHistory(store, edit, 'discarded', { at: stamp.changedAt })
  const key = takeOver(store, edit, theirs)
  const removal = queueDelete(store, key, stamp)
  if (!removal.ok) return removal
  // The delete may have the base of an edit behind the create, which was not made for the existing website.
  const queued = store.editsOf(key).find(({ id }) => id === removal.value)
  if (queued !== undefined) store.saveEdit(deleteRebasedOnTheirs(queued, theirs))
  return ok(key)
}
