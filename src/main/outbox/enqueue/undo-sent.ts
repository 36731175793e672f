import { listNames } from '../../../shared/fields.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { createDefaults, PRIVACY, type SettingName, type WebsiteSettings } from '../../../shared/website.ts'
import { enqueue, isForFormerWebsite, newEdit, queueCreate, queueUndoOfCreate, type EditStamp } from './commands.ts'
import { isSame, namesIn, pickNamed, pickCommon } from '../model/compare.ts'
import { shownSettingsOf } from './overlay.ts'
import { isSent, isUnsent, PARKED_FOR_PASSWORD, type Edit } from '../model/edit.ts'
import {
  withSavesUndoableOnceSent,
  isAllUndone,
  lastSaveOf,
  missingPasswordForUndo,
  noteWithSaves,
  savesOf,
  stillSets,
  valueAfterUndo,
} from '../model/saves.ts'
import type { OutboxStore } from '../ports.ts'
import { isPossiblyCreated } from '../model/possibly-sent.ts'

/**
 * True if a sent edit can be undone by a new edit queued behind it. `whole`: a create is undone together with the saves merged
 * into it.
 */
export function canUndoSent(store: OutboxStore, sent: Edit, whole = false): boolean {
  const edit = withSavesUndoableOnceSent(sent)
  const isQueuedCreate = edit.standing.state === 'queued' && isPossiblyCreated(edit)
  if (!isSent(edit) && !isQueuedCreate) return false
  if (edit.kind === 'delete')
    return Object.keys(edit.base.settings).length > 0 && restoringCreateOf(store, edit) === null
  const edits = store.editsOf(edit.website)
  if (edits.at(-1)?.kind === 'delete') return false
  if (edit.kind === 'create' && (whole || savesOf(edit).length === 0)) return true
  return Object.keys(reverseOfSent(edit, edits, shownSettingsOf(store, edit.website))).length > 0
}

interface UndoSentInput {
  /** The key for a website that is created again. */
  key: string
  /** True if a create is undone together with the saves merged into it. */
  whole: boolean
}

/**
 * Queues the reverse of a sent edit, or of its last save, behind it, and keeps what was changed since (docs/sync.md#undo).
 * Returns the key of the website. Errors: `edit-gone`, `website-gone`, `invalid-input`.
 */
export function undoSent(
  store: OutboxStore,
  sent: Edit,
  { key, whole }: UndoSentInput,
  stamp: EditStamp,
): Result<string> {
  if (!canUndoSent(store, sent, whole)) return fail('edit-gone')
  const edit = withSavesUndoableOnceSent(sent)
  if (edit.kind === 'delete') return queueRestoringCreate(store, edit, key, stamp)
  if (edit.kind === 'create' && (whole || savesOf(edit).length === 0)) {
    const removal = queueUndoOfCreate(store, edit.website, stamp)
    return removal.ok ? ok(edit.website) : removal
  }
  const edits = store.editsOf(edit.website)
  const shown = shownSettingsOf(store, edit.website)
  const settings = reverseOfSent(edit, edits, shown)
  const last = savesOf(edit).at(-1)
  const after = { ...edit.settings, ...last?.after, ...pickNamed(shown, listNames) }
  const base = { ...edit.base, settings: pickCommon(after, settings) }
  const sealed = missingPasswordForUndo(edit.kind === 'create', savesOf(edit), settings)
  const reverse = newEdit(edit.website, stamp, { kind: 'update', settings, sealed, base })
  const takesBack = last === undefined ? [] : [{ edit: edit.id, save: last }]
  if (isForFormerWebsite(store, reverse)) return fail('website-gone')
  enqueue(store, edits, { ...reverse, note: { isUndo: true, takesBack } })
  const now = store.edit(edit.id)
  if (now?.note?.saves !== undefined)
    store.saveEdit({ ...now, note: noteWithSaves(now, savesOf(withSavesUndoableOnceSent(now)).slice(0, -1)) })
  return ok(edit.website)
}

/**
 * Queues a create that restores a deleted website. It is sent once the delete is known to be applied; if the delete turns out not
 * to be applied, neither is sent. The create is no save of the user, so it gets no `order`.
 */
function queueRestoringCreate(
  store: OutboxStore,
  edit: Edit,
  key: string,
  { id, changedAt }: EditStamp,
): Result<string> {
  const domain = store.website(edit.website)?.domain
  if (domain === undefined) return fail('edit-gone')
  const settings = settingsBeforeDelete(edit)
  const queued = queueCreate(store, { key, domain, settings, sealed: null }, { id, changedAt })
  if (!queued.ok) return queued
  const create = store.edit(id)
  if (create === null) return fail('edit-gone')
  store.saveEdit(parkedIfPasswordNeeded({ ...create, note: { ...create.note, restores: edit.id } }))
  return queued
}

/** Parks a create that restores a website with a password, because the password was deleted with the website. */
export const parkedIfPasswordNeeded = (create: Edit): Edit =>
  create.settings.privacy === PRIVACY.password && create.sealed === null
    ? { ...create, standing: PARKED_FOR_PASSWORD }
    : create

/** Returns the unsent create that undoes this delete. */
function restoringCreateOf(store: OutboxStore, removal: Edit): Edit | null {
  const domain = store.website(removal.website)?.domain ?? ''
  const behind = store.websitesOfDomain(domain).flatMap(({ key }) => store.editsOf(key))
  return behind.find((edit) => edit.note?.restores === removal.id && isUnsent(edit)) ?? null
}

/** Marks the history record of an applied delete as undone if the create that undoes it is still unsent. */
export function markRestoredDelete(store: OutboxStore, removal: Edit): void {
  const [create, entry] = [restoringCreateOf(store, removal), store.historyRecord(removal.id)]
  if (create === null || entry === null) return
  store.saveHistoryRecord({ ...entry, undone: true })
  const takesBack = [{ edit: removal.id, save: lastSaveOf(entry) }]
  store.saveEdit({ ...create, note: { ...create.note, takesBack } })
}

/**
 * Drops a delete that was not applied and that the user has undone, together with the create that would follow it. Changes to
 * that create become changes to the website. Returns false if the delete was not undone.
 */
export function dropUndoneDelete(store: OutboxStore, removal: Edit): boolean {
  const create = removal.kind === 'delete' ? restoringCreateOf(store, removal) : null
  if (create === null) return false
  store.removeWebsite(create.website)
  store.removeEdit(removal.id)
  const was = settingsBeforeDelete(removal)
  const changed = namesIn(create.settings).filter((name) => !isSame(was, create.settings, name))
  const settings = { ...removal.settings, ...pickNamed(create.settings, changed) }
  const sealed = create.sealed ?? removal.sealed
  const { id, changedAt } = create
  const update = newEdit(removal.website, { id, changedAt }, { kind: 'update', settings, sealed, base: removal.base })
  const { also = [], overwrites, possiblySent } = removal.note ?? {}
  const note = { also: [removal.id, ...also], ...(overwrites && { overwrites }), ...(possiblySent && { possiblySent }) }
  enqueue(store, store.editsOf(removal.website), { ...update, note })
  return true
}

/** Includes the update that the delete has superseded. */
const settingsBeforeDelete = ({ base, settings }: Edit): WebsiteSettings => ({
  ...createDefaults,
  ...base.settings,
  ...settings,
})

/** Returns the values before the last save of an edit, or before the edit if it has no saves. Empty if all saves are undone. */
function valuesAfterUndo(edit: Edit, shown: Partial<WebsiteSettings>): Partial<WebsiteSettings> {
  if (isAllUndone(edit)) return {}
  const last = savesOf(edit).at(-1)
  if (last === undefined) return pickCommon(edit.base.settings, edit.settings)
  return Object.fromEntries(namesIn(last.before).map((name) => [name, valueAfterUndo(last, shown, name)]))
}

/** Like {@link valuesAfterUndo}, without fields that have these values now or that a later edit has set again. */
function reverseOfSent(edit: Edit, edits: readonly Edit[], shown: Partial<WebsiteSettings>): Partial<WebsiteSettings> {
  const later = edits.filter(({ seq }) => seq > edit.seq)
  const before = valuesAfterUndo(edit, shown)
  const isSetAgain = (name: SettingName) =>
    later.some(({ settings, note = {} }) => stillSets({ ...note, settings }, name, edit.note?.isUndo))
  return pickNamed(
    before,
    namesIn(before).filter((name) => !isSame(before, shown, name) && !isSetAgain(name)),
  )
}
