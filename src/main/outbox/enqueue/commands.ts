import { m } from '../../../messages/index.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import {
  PRIVACY,
  settingNames,
  type SeenSettings,
  type SettingName,
  type WebsiteSettings,
} from '../../../shared/website.ts'
import { checkChanges } from '../../../shared/validate.ts'
import { coalesce, withAbsorbedIds, pruneUnchanged, staysBehind } from './coalesce.ts'
import { isSameIgnoringOrder, namesIn, pickNamed, pickCommon, pickSettings } from '../model/compare.ts'
import { domainAfterDecision, isOtherWebsite } from '../model/compare-with-record.ts'
import {
  editAfterUserChange,
  baseOf,
  hasTheirs,
  isSent,
  isUnreadable,
  isUnsent,
  MISSING_PASSWORD,
  requeued,
  type Edit,
  type Save,
  type SentNote,
  theirsOf,
} from '../model/edit.ts'
import { mergeLists } from '../model/merge-lines.ts'
import { isSavesEntry, recordHistory, recordStep, savesIdOf, savesRecordOf } from '../history.ts'
import { expectValuesLeftOut } from '../late-writes/accept.ts'
import { keepSavesThatCancelOut } from './keep-set-back.ts'
import { dropSave } from './drop-save.ts'
import { overlay } from './overlay.ts'
import type { OutboxStore, Website } from '../ports.ts'
import {
  missingPasswordForUndo,
  noteWithSaves,
  orderOf,
  saveOf,
  savesOf,
  valueAfterUndo,
  type SaveOrderRange,
} from '../model/saves.ts'
import {
  canUndoUnsent,
  isPossiblyCreated,
  isPossiblySent,
  possiblySentOf,
  sendsSameValues,
  markedForLookup,
  reverseOfPossiblySent,
} from '../model/possibly-sent.ts'

/** The id and the time of a new edit. */
export interface EditStamp {
  id: string
  changedAt: number
  /** The place of the save among all saves of the user; absent if the edit is no save. */
  order?: number
}

/** A website to create. `key`: its local key. `sealed`: its encrypted statistics password. */
export interface NewWebsite {
  key: string
  domain: string
  settings: WebsiteSettings
  sealed: Uint8Array | null
}

/** Errors: `invalid-input` if another website has the domain. */
export function queueCreate(store: OutboxStore, input: NewWebsite, stamp: EditStamp): Result<string> {
  const free = checkDomainIsFree(store, input.domain, { but: input.key })
  if (!free.ok) return free
  store.addWebsite(input.key, input.domain)
  const { key, settings, sealed } = input
  store.addEdit(withOrder(newEdit(key, stamp, { kind: 'create', settings, sealed, base: { settings: {} } }), stamp))
  return ok(input.key)
}

/** Returns the error for a domain that another website of the list has. */
export const domainListedError = (domain: string): Result<never> =>
  fail('invalid-input', { fields: { domain: [m.input_domain_listed({ domain })] } })

/** Ignores website `but` and websites that are being deleted. Errors: `invalid-input`. */
export function checkDomainIsFree(store: OutboxStore, domain: string, { but }: { but: string }): Result<void> {
  return isDomainTaken(store, domain, but) ? domainListedError(domain) : ok(undefined)
}

/** Ignores website `but` and websites that are being deleted. Compares domains regardless of their spelling. */
export const isDomainTaken = (store: OutboxStore, domain: string, but?: string): boolean =>
  isAnyOtherKept(store, store.websitesOfAnySpelling(domain), but)

/** True if any of the websites, apart from `but`, is not being deleted. */
const isAnyOtherKept = (store: OutboxStore, websites: readonly Website[], but: string | undefined): boolean =>
  websites.some(({ key }) => key !== but && store.editsOf(key).at(-1)?.kind !== 'delete')

/** An update to queue, with what the user was shown. */
export interface UpdateInput {
  key: string
  settings: Partial<WebsiteSettings>
  /** Only for validation; `sealed` is the same password, to be stored. */
  password: string | undefined
  sealed: Uint8Array | null
  /** The values that the user was shown. For a field that it lacks, the current value counts as shown. */
  seen: SeenSettings
  /** The `updated_at` of the record that the user was shown, if known. */
  seenAt?: string | undefined
  /** If this update only undoes an earlier save: the values that the save had set. */
  undone?: Partial<WebsiteSettings> | undefined
  /** The place of that save among all saves, if it set a write-only value. */
  undoneSave?: SaveOrderRange | undefined
  /** The website's domain when that save was made. */
  domain?: string | undefined
}

/**
 * Queues an update, or merges it into the unsent edit. Errors: `invalid-input`; `website-gone`, even if a delete is only
 * pending. A pending delete is no error if it superseded the save that the update undoes.
 */
export function queueUpdate(store: OutboxStore, input: UpdateInput, stamp: EditStamp): Result<void> {
  const website = store.website(input.key)
  const edits = store.editsOf(input.key)
  const last = edits.at(-1)
  if (last?.kind === 'delete' && input.undone !== undefined)
    return undoSaveInDelete(store, last, input.settings, input.undone)
  if (website === null || last?.kind === 'delete') return fail('website-gone')
  const shown = overlay(website, edits)
  const { password, sealed } = input
  // An undo may bring back a list that is longer than the current one, because the service had that list before.
  const current = input.undone === undefined ? shown.settings : { ...shown.settings, ...input.settings }
  const fields = checkChanges({ ...input.settings, ...(password && { password }) }, current)
  if (Object.keys(fields).length > 0) return fail('invalid-input', { fields })
  // A password is never sent without its privacy.
  const settings = sealed === null ? input.settings : { ...input.settings, privacy: PRIVACY.password }
  // `updated_at` matters only for values that the service doesn't show (docs/sync.md#write-only-fields).
  const setsWriteOnly = sealed !== null || namesIn(settings).some((name) => website.record?.[name] === undefined)
  const seenAt = (setsWriteOnly ? input.seenAt : undefined) ?? website.record?.updated_at
  const domain = domainIfCreated({ ...website, domain: input.domain ?? website.domain })
  const base = baseOf(pickCommon({ ...shown.settings, ...input.seen }, settings), seenAt, domain)
  const save = saveOf(shown.settings, settings, sealed !== null)
  const update = newEdit(input.key, stamp, { kind: 'update', settings, sealed, base })
  if (input.undone !== undefined) return queueUndoOfSave(store, update, input.undone, website)
  enqueue(
    store,
    edits,
    save === null ? update : { ...update, note: { saves: [{ ...save, at: stamp.changedAt, order: stamp.order }] } },
    website,
  )
  return ok(undefined)
}

/** Returns the domain if the service has the website; undefined if its create is still pending. */
export const domainIfCreated = ({ id, domain }: Pick<Website, 'id' | 'domain'>): string | undefined =>
  id === null ? undefined : domain

/**
 * If the website's last edit was made for another domain and the user was shown both (the edit is parked with the record), makes
 * it an edit of the record's domain. Call it before a save in the editor, which names both domains. A bulk edit and an undo name
 * only one.
 */
export function acceptShownDomain(store: OutboxStore, key: string): void {
  const last = store.editsOf(key).at(-1)
  const domain = last === undefined ? undefined : domainAfterDecision(last)
  if (last !== undefined && domain !== last.base.domain) store.saveEdit({ ...last, base: { ...last.base, domain } })
}

/**
 * Queues the reverse of a save that is undone together with others. "Undo the last change" no longer finds that save. Errors:
 * `website-gone` if {@link isForFormerWebsite}.
 */
function queueUndoOfSave(
  store: OutboxStore,
  reverse: Omit<Edit, 'seq'>,
  undone: Partial<WebsiteSettings>,
  website: Website,
): Result<void> {
  if (isForFormerWebsite(store, reverse)) return fail('website-gone')
  const takesBack = dropSave(store, website.key, undone, reverse.settings)
  const edits = store.editsOf(website.key)
  const unsent = edits.findLast(isUnsent)
  const isWithout = reverse.settings.privacy === PRIVACY.password && website.record?.password === false
  const sealed = isWithout ? MISSING_PASSWORD : missingPasswordForDroppedSave(store, takesBack[0], reverse.settings)
  enqueue(store, edits, { ...reverse, sealed, note: { isUndo: true, takesBack } }, website)
  if (unsent?.kind !== 'update' || store.edit(unsent.id) !== null) return ok(undefined)
  // If saves are left, or the service has applied a part, keepSavesThatCancelOut has kept them.
  if (savesOf(unsent).length === 0 && store.historyRecord(unsent.id) === null)
    recordHistory(store, unsent, 'undone', { at: reverse.changedAt })
  return ok(undefined)
}

/**
 * Returns MISSING_PASSWORD if the undo of `dropped`, a save that {@link dropSave} has removed, needs a password that is no longer
 * known. Otherwise returns null.
 */
function missingPasswordForDroppedSave(
  store: OutboxStore,
  dropped: { edit: string; save: Save } | undefined,
  settings: Partial<WebsiteSettings>,
): Edit['sealed'] {
  if (dropped === undefined) return null
  const [edit, record] = [store.edit(dropped.edit), store.historyRecord(dropped.edit)]
  const isOfCreate = edit?.kind === 'create' || (record !== null && isSavesEntry(record))
  const earlier = edit === null ? (record?.saves ?? []) : savesOf(edit)
  return missingPasswordForUndo(isOfCreate, [...earlier, dropped.save], settings)
}

/**
 * Undoes a save that an unsent delete has superseded, so that undoing the delete does not bring the save back. `former`: the
 * values before the save. `undone`: the values that it set. Errors: `website-gone` if the delete has none of these, or if they
 * were sent already (they are in its base, or in an earlier edit).
 */
function undoSaveInDelete(
  store: OutboxStore,
  removal: Edit,
  former: Partial<WebsiteSettings>,
  undone: Partial<WebsiteSettings>,
): Result<void> {
  const listsOf = ({ settings }: Pick<Edit, 'settings'>) => mergeLists({ base: undone, theirs: settings, ours: former })
  /** Returns the fields that still have the values of the save. */
  const namesOf = (edit: Pick<Edit, 'settings'>): SettingName[] => {
    const { settings } = edit
    const lists = listsOf(edit)
    const isStill = (name: SettingName) =>
      lists[name] === undefined
        ? isSameIgnoringOrder(settings, undone, name)
        : !isSameIgnoringOrder(settings, lists, name)
    return namesIn(former).filter((name) => settings[name] !== undefined && isStill(name))
  }
  const names = namesOf(removal)
  // The base also lacks a line that was added and removed again before anything was sent, so it proves nothing about a save that
  // the delete still contains.
  const isUndoneSave = ({ after }: Save): boolean =>
    namesIn(after).length > 0 && namesIn(after).every((name) => isSameIgnoringOrder(after, undone, name))
  const isInBase = !savesOf(removal).some(isUndoneSave) && namesOf(removal.base).some((name) => names.includes(name))
  const isSentBefore = store.editsOf(removal.website).some((edit) => edit.id !== removal.id && namesOf(edit).length > 0)
  if (!isUnsent(removal) || names.length === 0 || isInBase || isSentBefore) return fail('website-gone')
  const values = pickNamed({ ...former, ...listsOf(removal) }, names)
  dropSave(store, removal.website, undone, values)
  const { note } = store.edit(removal.id) ?? removal
  const sealed = removal.sealed ?? missingPasswordForUndo(false, savesOf(removal), values)
  store.saveEdit({ ...removal, settings: { ...removal.settings, ...values }, sealed, ...(note && { note }) })
  return ok(undefined)
}

/**
 * Queues a delete, or queues a parked one again. Removes the website instead if its create was never sent. Returns the id of the
 * delete, or null if there is none to send. Errors: `website-gone`.
 */
export function queueDelete(store: OutboxStore, key: string, stamp: EditStamp): Result<string | null> {
  const website = store.website(key)
  if (website === null) return fail('website-gone')
  const edits = store.editsOf(key)
  const last = edits.at(-1)
  if (last?.kind === 'delete') {
    if (last.standing.state === 'parked') store.saveEdit({ ...requeued(last), attempts: 0 })
    return ok(last.id)
  }
  const base = baseOf(overlay(website, edits).settings, website.record?.updated_at, domainIfCreated(website))
  // Only without a request under way, which may change what the user has seen.
  if (edits.length === 1 && last?.kind === 'update' && isUnsent(last))
    base.seen = baseOf(pickCommon(theirsOf(last) ?? {}, last.settings), website.record?.updated_at)
  const removal = newEdit(key, stamp, { kind: 'delete', settings: {}, sealed: null, base })
  enqueue(store, edits, withOrder(removal, stamp), website)
  return ok(store.editsOf(key).at(-1)?.id ?? null)
}

/** Unlike {@link queueDelete}, does not count as a save of the user. */
export const queueUndoOfCreate = (
  store: OutboxStore,
  key: string,
  { id, changedAt }: EditStamp,
): Result<string | null> => queueDelete(store, key, { id, changedAt })

/**
 * Undoes an unsent edit and returns it. A delete restores the update that it superseded; an update that may have been applied
 * becomes its reverse. `at`: milliseconds since 1970. `whole`: true undoes all saves, false the last one. Errors: `edit-gone` (also
 * unless {@link canUndoUnsent}), `storage`, `domain-listed` if the undo would bring back a domain that another website has now.
 */
export function undoUnsentEdit(store: OutboxStore, id: string, at: number, whole = false): Result<Edit> {
  const edit = store.edit(id)
  if (edit === null || !canUndoUnsent(edit)) return fail('edit-gone')
  if (edit.kind === 'create' && hasUnreadableEdit(store, edit)) return fail('storage')
  if (edit.kind === 'delete' && isDomainReused(store, edit)) return fail('domain-listed')
  const domain = whole ? undefined : savesOf(edit).at(-1)?.domain
  if (domain !== undefined && !checkDomainIsFree(store, domain, { but: edit.website }).ok) return fail('domain-listed')
  if (restoreSupersededUpdate(store, edit)) return ok(edit)
  if (!whole && edit.kind !== 'delete' && savesOf(edit).length > 0) return ok(undoLastSave(store, edit, at))
  const reverse = reverseOfPossiblySent(whole ? { ...edit, note: noteWithSaves(edit, []) } : edit, {
    discarding: whole,
  })
  if (reverse !== null) return ok(saveWithChangeTime(store, reverse, at))
  restoreTakenBackSaves(store, edit)
  recordHistory(store, edit, 'undone', { at })
  removeUnsent(store, edit)
  return ok(edit)
}

/** Restores the saves that an undo took back. Call it when an undo that was not applied is removed. */
export function restoreTakenBackSaves(store: OutboxStore, { note }: Pick<Edit, 'note'>): void {
  for (const { edit: id, save } of note?.takesBack?.toReversed() ?? []) {
    const edit = store.edit(id)
    const own = store.historyRecord(id)
    const isWhole = own?.kind !== 'create' || own.undone
    const record = isWhole ? own : store.historyRecord(savesIdOf(id))
    if (edit !== null) store.saveEdit({ ...edit, note: { ...edit.note, saves: insertSave(savesOf(edit), save) } })
    else if (record?.undone === true) store.saveHistoryRecord({ ...record, undone: false })
    else if (record !== null) store.saveHistoryRecord({ ...record, saves: insertSave(record.saves ?? [], save) })
    // The create has no entry for its saves, because all of them were undone before it was sent.
    else if (own !== null) store.addHistoryRecord(savesRecordOf(own, [save]))
  }
}

const insertSave = (saves: readonly Save[], save: Save): Save[] =>
  [...saves, save].toSorted((a, b) => (orderOf(a) ?? 0) - (orderOf(b) ?? 0))

/**
 * Takes the last save out of an unsent edit, but keeps values that earlier saves set or that may have been sent. Returns the edit
 * as it was before.
 */
function undoLastSave(store: OutboxStore, edit: Edit, at: number): Edit {
  const [earlier, last] = [savesOf(edit).slice(0, -1), savesOf(edit).at(-1)]
  if (last === undefined) return edit
  const requests = possiblySentOf(edit)
  // If only the rest of an edit is sent again, the service already has these values.
  const arrived = edit.note?.resent?.settings ?? {}
  const mayBeSent = (name: keyof WebsiteSettings) => isPossiblySent(requests, name) || arrived[name] !== undefined
  const hasOther = edit.kind === 'create' || edit.note?.hasOther === true
  const settings = { ...edit.settings }
  const former = { ...edit.base.settings }
  const shown = theirsOf(edit) ?? store.website(edit.website)?.record ?? {}
  for (const name of settingNames) {
    if (last.after[name] === undefined) continue
    const before = earlier.findLast(({ after }) => after[name] !== undefined)
    const isKept = before !== undefined || hasOther || mayBeSent(name)
    const value = valueAfterUndo(last, { ...arrived, ...settings }, name) ?? before?.after[name]
    // The save set the field back, so nothing of it is left to send. Its undo changes the service's current value, even to the base.
    const isSetBack = edit.settings[name] === undefined && isSameIgnoringOrder(shown, last.after, name)
    if (isSetBack && value !== undefined && isSameIgnoringOrder({ [name]: value }, former, name))
      Object.assign(former, pickNamed(shown, [name]))
    if (isKept && value !== undefined) Object.assign(settings, { [name]: value })
    else if (!mayBeSent(name)) Reflect.deleteProperty(settings, name)
    // The base of the last save is a pending value of an earlier save, and that value still has to be sent.
    const earlierBase = last.base?.[name]
    if (earlierBase !== undefined && isSameIgnoringOrder(settings, former, name))
      Object.assign(former, { [name]: earlierBase })
  }
  const keepsPassword = !last.password || [...earlier, ...requests].some(({ password }) => password)
  const base = { ...edit.base, settings: { ...pickCommon(arrived, settings), ...former } }
  const sealed = needsLostPassword(edit, earlier, settings) ? MISSING_PASSWORD : keepsPassword ? edit.sealed : null
  const left = { ...editAfterUndo(store, edit, last), settings: pickSettings(settings), base, sealed }
  const note = noteWithSaves(edit, earlier)
  const became = pruneUnchanged({ ...left, note, changedAt: edit.kind === 'create' ? edit.changedAt : at })
  // The earlier saves cancel each other out, but each of them can still be undone.
  if (became === null && earlier.length > 0)
    keepSavesThatCancelOut(
      store,
      { ...edit, note: { ...edit.note, saves: [] } },
      { note: { saves: earlier }, changedAt: at },
    )
  else if (became === null) recordHistory(store, edit, 'undone', { at })
  replaceUnsent(store, edit, became)
  if (last.domain !== undefined && became !== null) renameBack(store, became, last.domain)
  return edit
}

/**
 * Returns the edit, queued again, after a save of it was undone. A create with an unchanged domain that asks the user, or is
 * looked up first, is returned unchanged.
 */
const editAfterUndo = (store: OutboxStore, edit: Edit, { domain }: Save): Edit =>
  domain === undefined ? editAfterUserChange(edit) : { ...requeued(edit), sent: sentNoteForDomain(store, edit, domain) }

/** Returns null if no earlier request for `domain` may have created the website. Requests for other domains prove nothing. */
export function sentNoteForDomain(store: OutboxStore, edit: Edit, domain: string): SentNote | null {
  const isPossible =
    savesOf(edit).some((save) => save.domain === domain && save.possiblyCreated === true) ||
    store
      .lateWritesOf(edit.website)
      .some((lateWrite) => lateWrite.kind === 'create' && lateWrite.edit === edit.id && lateWrite.domain === domain)
  return isPossible ? { before: 'unknown', date: null, accepted: false, doubted: true, unclear: true } : null
}

/** Pending deletes of the former domain must be sent before the create, so the create becomes the last edit. */
function renameBack(store: OutboxStore, create: Edit, domain: string): void {
  store.renameWebsite(create.website, domain)
  store.removeEdit(create.id)
  store.addEdit(create)
}

/**
 * True if the undo of the last save needs a password that is no longer stored, because the save replaced it, dropped it, or
 * encrypted it for another domain.
 */
function needsLostPassword(edit: Edit, earlier: readonly Save[], { privacy }: Partial<WebsiteSettings>): boolean {
  const last = savesOf(edit).at(-1)
  const isReplaced = last?.password === true || edit.sealed === null || last?.domain !== undefined
  const isTouched = last?.password === true || last?.after.privacy !== undefined
  // A privacy that no save has set comes from an undo or an import, which may have left its password for the user to enter.
  const isLeftToUser = isTouched && edit.note?.hasOther === true && edit.base.settings.privacy !== PRIVACY.password
  const hadPassword = edit.kind === 'create' || isLeftToUser || earlier.some(({ password }) => password)
  return privacy === PRIVACY.password && isReplaced && hadPassword
}

/**
 * True if the domain of a website that is being deleted is used by a new website that isn't created yet, so that the delete can't be
 * undone. Another website that exists on the service doesn't count, because the undo leaves both as they are.
 */
function isDomainReused(store: OutboxStore, { website: key }: Edit): boolean {
  const website = store.website(key)
  if (website === null) return false
  const others = store.websitesOfAnySpelling(website.domain)
  return isAnyOtherKept(
    store,
    others.filter(({ id }) => id === null),
    key,
  )
}

/** Returns false if the delete has superseded no update. */
export function restoreSupersededUpdate(store: OutboxStore, edit: Edit): boolean {
  const before = edit.kind === 'delete' ? pruneUnchanged(requeued(supersededUpdateOf(edit))) : null
  if (before === null) return false
  const earlier = store.editsOf(edit.website).find((other) => other.seq < edit.seq && isUnsent(other))
  if (earlier === undefined) store.saveEdit(before)
  else {
    // The earlier edit is a create that may have been applied: no other edit stays unsent before a delete.
    store.removeEdit(edit.id)
    const became = coalesce(earlier, before)
    replaceUnsent(store, earlier, became === null ? null : withAbsorbedIds(edit, became))
  }
  return true
}

/** Its settings are empty if the delete has superseded no update. */
function supersededUpdateOf(removal: Edit): Edit {
  const { base, settings } = removal
  const theirs = theirsOf(removal)
  const shown = theirs === null ? {} : { shown: pickCommon(theirs, settings) }
  return { ...removal, kind: 'update', base: { ...base, ...shown, settings: pickCommon(base.settings, settings) } }
}

/** Stores the edit with another change time. Returns the edit with its former time. */
function saveWithChangeTime(store: OutboxStore, edit: Edit, changedAt: number): Edit {
  store.saveEdit({ ...edit, changedAt })
  return edit
}

/**
 * Gives up a parked or unreadable edit and returns it; keeps a copy of an unreadable one. Sets back what may have been applied
 * of an update, deletes a website that may have been created, and restores the update that a delete superseded. Queues nothing
 * for an edit that is such a reverse itself, for a create or update parked as `unread`, and for a create that asks about an
 * existing website. A website that is gone is removed with the edit. Errors: `edit-gone`, `storage`.
 */
export function discardEdit(store: OutboxStore, id: string, stamp: EditStamp): Result<Edit> {
  const at = stamp.changedAt
  const edit = store.edit(id)
  if (edit !== null && isUnreadable(edit)) return ok(discardUnreadable(store, edit, at))
  if (edit?.standing.state !== 'parked') return fail('edit-gone')
  // The service no longer has the website, so it is removed with its last edit.
  const isGone = edit.standing.reason === 'gone' || edit.standing.reason === 'vanished'
  if ((isGone || edit.kind === 'create') && hasUnreadableEdit(store, edit)) return fail('storage')
  const isUnread = edit.standing.reason === 'unread'
  if (!isGone && !isUnread && !hasTheirs(edit.standing) && isPossiblyCreated(edit))
    return deletePossiblyCreated(store, edit, stamp)
  const reverse = isGone || isUnread ? null : reverseOfPossiblySent(edit, { theirs: theirsOf(edit), discarding: true })
  if (reverse !== null && !sendsSameValues(reverse, edit)) {
    restoreTakenBackSaves(store, edit)
    return ok(saveWithChangeTime(store, { ...reverse, note: { ...reverse.note, takesBack: undefined } }, at))
  }
  if (!isGone && restoreSupersededUpdate(store, edit)) {
    // The restored update keeps the delete's id, so a history record of it would replace one of the delete.
    recordStep(store, edit, 'resolved', { at, way: 'keep' })
    return ok(edit)
  }
  recordHistory(store, edit, isUnread ? 'unknown' : 'discarded', { at })
  restoreTakenBackSaves(store, edit)
  if (isGone) store.removeWebsite(edit.website)
  else removeUnsent(store, edit)
  return ok(edit)
}

/** Discards an unreadable edit. Behind a create that was never applied, discards all edits, because they have no website. */
function discardUnreadable(store: OutboxStore, edit: Edit, at: number): Edit {
  const wasNeverCreated = edit.kind === 'create' && store.website(edit.website)?.id == null
  for (const discarded of wasNeverCreated ? store.editsOf(edit.website) : [edit]) {
    if (isUnreadable(discarded)) store.setAside(discarded.id)
    recordHistory(store, discarded, isUnreadable(discarded) ? 'unknown' : 'discarded', { at })
  }
  removeUnsent(store, edit)
  return edit
}

/** True if the website cannot be removed, because it has unreadable edits, which only the user may discard. */
const hasUnreadableEdit = (store: OutboxStore, { website }: Edit): boolean => store.editsOf(website).some(isUnreadable)

/**
 * Undoes an unsent create or delete of a website, and returns it. Deletes a website that may have been created; discards a parked
 * edit. Errors: `edit-gone` (also for a delete parked as `unread`) and those of {@link undoUnsentEdit}.
 */
export function undoUnsentCreateOrDelete(
  store: OutboxStore,
  key: string,
  kind: 'create' | 'delete',
  stamp: EditStamp,
): Result<Edit> {
  const edit = store.editsOf(key).findLast((one) => one.kind === kind)
  if (edit === undefined || isSent(edit)) return fail('edit-gone')
  if (edit.standing.state === 'parked' && edit.standing.reason !== 'unread') {
    if (kind === 'delete' && isDomainReused(store, edit)) return fail('domain-listed')
    return discardEdit(store, edit.id, stamp)
  }
  if (!isPossiblyCreated(edit)) return undoUnsentEdit(store, edit.id, stamp.changedAt, true)
  return deletePossiblyCreated(store, edit, stamp)
}

/** Queues a delete behind a create that may have been applied. The website is looked up first. */
function deletePossiblyCreated(store: OutboxStore, create: Edit, stamp: EditStamp): Result<Edit> {
  if (store.editsOf(create.website).at(-1)?.kind === 'delete') store.saveEdit(markedForLookup(create))
  const removal = queueUndoOfCreate(store, create.website, stamp)
  return removal.ok ? ok(create) : removal
}

/** Removes an unsent edit. For a create that was never applied, removes the website with all its edits. */
export function removeUnsent(store: OutboxStore, edit: Edit): void {
  if (edit.kind === 'create' && store.website(edit.website)?.id == null) store.removeWebsite(edit.website)
  else store.removeEdit(edit.id)
}

/**
 * True if an undo was offered for a former website of this id, and an edit of the present one is pending. The undo must not be
 * merged with that edit.
 */
export function isForFormerWebsite(store: OutboxStore, { website: key, base }: Omit<Edit, 'seq'>): boolean {
  const [website, last] = [store.website(key), store.editsOf(key).at(-1)]
  if (website === null || last === undefined || !isUnsent(last)) return false
  return isOtherWebsite(base, website) && !isOtherWebsite(last.base, website)
}

/** Adds an edit behind those of its website, or merges it into the unsent one among them. */
export function enqueue(
  store: OutboxStore,
  edits: Edit[],
  added: Omit<Edit, 'seq'>,
  current: Website | null = store.website(added.website),
): void {
  const last = edits.at(-1)
  let base = added.base
  if (last?.kind === 'create' && isUnsent(last) && current !== null && current.id !== null) {
    // The create is parked because its website exists already. Changing that website is the user's answer.
    recordHistory(store, last, 'discarded', { at: added.changedAt })
    store.removeEdit(last.id)
    // The existing website's values of write-only fields are unknown: those that the user saw were the create's. So the base
    // leaves these fields out.
    base = { ...base, settings: pickCommon(base.settings, current.record ?? {}) }
  } else if (last !== undefined && isUnsent(last) && !staysBehind(last, added)) {
    const became = coalesce(last, added, currentValuesForCoalesce(last, edits.length === 1, current?.record ?? {}))
    expectValuesLeftOut(store, added.website, added.settings, became)
    if (became === null) keepSavesThatCancelOut(store, last, added)
    return replaceUnsent(store, last, became)
  } else if (last !== undefined && isUnsent(last)) store.saveEdit(markedForLookup(last))
  const pruned = pruneUnchanged({ ...added, base, seq: 0 })
  expectValuesLeftOut(store, added.website, added.settings, pruned)
  if (pruned !== null) store.addEdit(pruned)
}

/**
 * Returns the service's values of fields that a later edit may set back, for {@link coalesce}. For an edit that was in doubt: all
 * values of the record, because the edit may have brought them. Otherwise, and only if no edit of the website is being sent
 * (`alone`): lists, values that another client also set, and fields set by an undo, whose base the user has not seen.
 */
export function currentValuesForCoalesce(
  edit: Edit,
  alone: boolean,
  record: Partial<WebsiteSettings>,
): Partial<WebsiteSettings> {
  if (edit.sent?.doubted === true) return record
  if (!alone) return {}
  const names = settingNames.filter(
    (name) =>
      Array.isArray(record[name]) || isSameIgnoringOrder(record, edit.settings, name) || isFromUndoOrRepair(edit, name),
  )
  return Object.fromEntries(names.map((name) => [name, record[name]]))
}

/** True if the field comes only from an undo or a repair, and from no save of the user. */
const isFromUndoOrRepair = ({ note }: Edit, name: SettingName): boolean =>
  (note?.isUndo === true || note?.hasOther === true) && !note.saves?.some(({ after }) => after[name] !== undefined)

/** Stores what an unsent edit has become, or removes the edit if `became` is null. */
export function replaceUnsent(store: OutboxStore, unsent: Edit, became: Edit | null): void {
  if (became === null) removeUnsent(store, unsent)
  else store.saveEdit(became)
}

/** The store assigns `seq`. */
export const newEdit = (
  website: string,
  { id, changedAt }: EditStamp,
  content: Pick<Edit, 'kind' | 'settings' | 'sealed' | 'base'>,
): Omit<Edit, 'seq'> => ({ ...content, id, website, standing: { state: 'queued' }, attempts: 0, sent: null, changedAt })

/** An edit without an `order` counts as no save. */
const withOrder = (edit: Omit<Edit, 'seq'>, { order }: EditStamp): Omit<Edit, 'seq'> =>
  order === undefined ? edit : { ...edit, note: { ...edit.note, order } }
