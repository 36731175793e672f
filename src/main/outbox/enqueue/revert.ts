import { fail, ok, type Result } from '../../../shared/result.ts'
import { isListField, listNames } from '../../../shared/fields.ts'
import { checkChanges, checkDraft } from '../../../shared/validate.ts'
import {
  createDefaults,
  PRIVACY,
  settingNames,
  type FieldName,
  type SettingName,
  type WebsiteSettings,
} from '../../../shared/website.ts'
import {
  enqueue,
  domainIfCreated,
  isForFormerWebsite,
  newEdit,
  queueCreate,
  queueUndoOfCreate,
  type EditStamp,
} from './commands.ts'
import { isSame, isSameIgnoringOrder, namesIn, pickNamed, pickCommon } from '../model/compare.ts'
import { isSavesEntry } from '../history.ts'
import { baseOf } from '../model/edit.ts'
import type { HistoryRecord } from '../model/history-record.ts'
import {
  isEntryUndone,
  lastSaveOf,
  missingPasswordForUndo,
  stillSets,
  valueAfterUndo,
  withoutLastSave,
} from '../model/saves.ts'
import { overlay, shownSettingsOf } from './overlay.ts'
import { parkedIfPasswordNeeded } from './undo-sent.ts'
import type { OutboxStore } from '../ports.ts'

/** Later changes are looked for only among so many records, so saves of older records cannot be undone. */
const MAX_COMPARED_RECORDS = 100

/** The reverts that the user is offered for a history record. */
export interface OfferedReverts {
  undo: boolean
  putBack: boolean
  /** Fields that no revert can restore. */
  lost: FieldName[]
  /** Fields that an undo leaves as they are, because the user has set them again. */
  kept: FieldName[]
}

/** The action of a revert, with the password and the key for a website that is created again. */
export interface RevertInput {
  action: 'undo' | 'putBack'
  /** Only for validation; `sealed` is the same password, to be stored. */
  password: string | undefined
  sealed: Uint8Array | null
  /** The key for a website that is created again. */
  key: string
  /** True if a website that needs a password is created again by a parked create, which asks for the password. */
  parks?: boolean
}

/** Write-only fields cannot be reverted, because their earlier value is unknown (docs/sync.md#undo). */
export function offeredRevertsOf(store: OutboxStore, entry: HistoryRecord): OfferedReverts {
  const here = store.website(entry.website) !== null && store.editsOf(entry.website).at(-1)?.kind !== 'delete'
  const reverses: Record<HistoryRecord['kind'], boolean> = {
    create: here && entry.became === 'sent',
    update: here && (isWritten(entry) || isAllSetBack(entry)) && hasAny(reverseOfLastSave(store, entry)),
    delete: entry.became === 'sent' && hasAny(entry.before),
  }
  const undo = !isEntryUndone(entry) && reverses[entry.kind]
  return {
    undo,
    kept: undo && entry.kind === 'update' ? fieldsKeptByUndo(store, entry) : [],
    putBack: here && !entry.putBack && hasAny(valuesToPutBack(store, entry, entry.overwritten)),
    lost: unrestorableFields(entry),
  }
}

/** True if the edit has left its values on the service: it was sent, or it adopted an existing website. */
const isWritten = ({ became }: HistoryRecord): boolean => became === 'sent' || became === 'adopted'

/** True if the user had set everything back before anything was sent. */
const isAllSetBack = ({ became, settings, saves }: HistoryRecord): boolean =>
  became === 'undone' && !hasAny(settings) && saves !== undefined && saves.length > 0

/**
 * Queues a revert that the history record offers, once. `undo`: the reverse of its create, of its delete, or of its last save
 * that is not undone yet. `putBack`: the values that the edit overwrote. Returns the key of the website, which is new if a
 * deleted website is created again. Errors: `edit-gone`; `invalid-input` (on `password` if the website cannot be created again
 * without one).
 */
export function revertHistoryRecord(
  store: OutboxStore,
  id: string,
  input: RevertInput,
  stamp: EditStamp,
): Result<string> {
  const entry = store.historyRecord(id)
  if (entry === null || !offeredRevertsOf(store, entry)[input.action]) return fail('edit-gone')
  const queued = queueReverse(store, entry, input, stamp)
  if (!queued.ok) return queued
  store.saveHistoryRecord(input.action === 'undo' ? withoutLastSave(entry) : { ...entry, putBack: true })
  return queued
}

function queueReverse(store: OutboxStore, entry: HistoryRecord, input: RevertInput, stamp: EditStamp): Result<string> {
  if (input.action === 'putBack')
    return queueValues(store, entry, valuesToPutBack(store, entry, entry.overwritten), input, stamp)
  if (entry.kind === 'update')
    return queueValues(store, entry, reverseOfLastSave(store, entry), { ...input, isUndo: true }, stamp)
  if (entry.kind === 'delete') return createAgain(store, entry, input, stamp)
  const queued = queueUndoOfCreate(store, entry.website, stamp)
  if (!queued.ok) return queued
  const removal = store.edit(queued.value ?? '')
  if (removal === null) return ok(entry.website)
  const takesBack = [{ edit: entry.id, save: lastSaveOf(entry) }]
  // A delete that has superseded an update becomes that update again when it is undone, and must not have this note then.
  const note = Object.keys(removal.settings).length === 0 ? { ...removal.note, takesBack } : removal.note
  // The user has agreed to delete the website with the entry's domain. The id may belong to another website since.
  const base = { ...removal.base, ...(removal.base.domain !== undefined && { domain: entry.domain }) }
  store.saveEdit({ ...removal, base, ...(note && { note }) })
  return ok(entry.website)
}

/**
 * Queues an update that sets these values, for `undo` and for `putBack`. Returns the key of the website. Errors: `edit-gone` if
 * the website no longer exists; `website-gone`; `invalid-input`.
 */
function queueValues(
  store: OutboxStore,
  entry: HistoryRecord,
  settings: Partial<WebsiteSettings>,
  { password, sealed, isUndo = false }: RevertInput & { isUndo?: boolean },
  stamp: EditStamp,
): Result<string> {
  const website = store.website(entry.website)
  if (website === null) return fail('edit-gone')
  const edits = store.editsOf(entry.website)
  const shown = overlay(website, edits).settings
  // The service had these values before, so a list may be longer than the current one.
  const fields = checkChanges({ ...settings, ...(password && { password }) }, { ...shown, ...settings })
  if (Object.keys(fields).length > 0) return fail('invalid-input', { fields })
  // A password is sent with its privacy, which needs a base like any other field.
  const sent = sealed === null ? settings : { ...settings, privacy: PRIVACY.password }
  const seen = { ...shown, ...(isUndo && pickCommon(valuesSentByLastSave(shown, entry), settings)) }
  const base = baseOf(
    pickCommon(seen, sent),
    website.record?.updated_at,
    domainIfCreated({ ...website, domain: entry.domain }),
  )
  const lost = isUndo ? missingPasswordForUndo(isSavesEntry(entry), entry.saves ?? [], settings) : null
  const content = { kind: 'update', settings: sent, sealed: sealed ?? lost, base } as const
  const reverse = newEdit(entry.website, stamp, content)
  const takesBack = [{ edit: entry.id, save: lastSaveOf(entry) }]
  if (isForFormerWebsite(store, reverse)) return fail('website-gone')
  enqueue(store, edits, isUndo ? { ...reverse, note: { isUndo, takesBack } } : reverse, website)
  return ok(entry.website)
}

/** The create is no save of the user. If it is undone before it is sent, the delete counts as the save again. */
function createAgain(store: OutboxStore, entry: HistoryRecord, input: RevertInput, stamp: EditStamp): Result<string> {
  const { domain } = entry
  const settings = { ...createDefaults, ...entry.before }
  const { password, sealed, key, parks = false } = input
  const fields = checkDraft({ ...settings, domain, ...(password && { password }) }, parks)
  if (Object.keys(fields).length > 0) return fail('invalid-input', { fields })
  const { id, changedAt } = stamp
  const queued = queueCreate(store, { key, domain, settings, sealed }, { id, changedAt })
  const create = queued.ok ? store.edit(id) : null
  if (create === null) return queued
  const takesBack = [{ edit: entry.id, save: lastSaveOf(entry) }]
  store.saveEdit({ ...(parks ? parkedIfPasswordNeeded(create) : create), note: { takesBack } })
  return queued
}

/**
 * Returns the values that the last save has sent, as the base of the undo: whatever another client has set after the save is
 * then a conflict. Excludes lists.
 */
function valuesSentByLastSave(shown: Partial<WebsiteSettings>, entry: HistoryRecord): Partial<WebsiteSettings> {
  const { after } = lastSaveOf(entry)
  const names = settingNames.filter((name) => !isListField(name) && shown[name] !== undefined)
  return pickNamed(after, names)
}

/** Returns the values before the last save, except fields that the user has set again. Lists are set back line by line. */
function reverseOfLastSave(store: OutboxStore, entry: HistoryRecord): Partial<WebsiteSettings> {
  const shown = shownSettingsOf(store, entry.website)
  const save = lastSaveOf(entry)
  const names = namesIn(save.before).filter((name) => !isSetAgain(store, entry, name))
  const values = Object.fromEntries(names.map((name) => [name, valueAfterUndo(save, shown, name)]))
  return pickNamed(
    values,
    names.filter((name) => !isSame(shown, values, name)),
  )
}

/** True if a later edit of the user that is not undone has set this field again, or if the entry is too old to tell. */
function isSetAgain(store: OutboxStore, entry: HistoryRecord, name: SettingName): boolean {
  // For an entry that is an undo itself, later undos count too.
  const withUndo = entry.isUndo === true
  const entries = store.historyRecords(entry.website, MAX_COMPARED_RECORDS)
  const at = entries.findIndex(({ id }) => id === entry.id)
  // The entry is older than all that are compared, so whether the field was set again is unknown.
  if (at === -1) return true
  const edits = store.editsOf(entry.website).toReversed()
  const pending = edits.map(({ settings, note = {} }) => ({ ...note, settings }))
  const sent = entries.slice(0, at).filter((one) => one.became === 'sent' && !isEntryUndone(one))
  const later = [...pending, ...sent]
  if (later.some((one) => stillSets(one, name, withUndo))) return true
  // The undo of a later save brings back what this save set. The undo of a bulk change may have set something else.
  const { after } = lastSaveOf(entry)
  const undo = later.find(({ settings }) => settings[name] !== undefined)
  return (
    undo !== undefined &&
    !isListField(name) &&
    after[name] !== undefined &&
    !isSameIgnoringOrder(undo.settings, after, name)
  )
}

/** Leaves out fields that no longer have the value of this edit: later changes of the user or of other clients stay. */
function valuesToPutBack(
  store: OutboxStore,
  entry: HistoryRecord,
  settings: Partial<WebsiteSettings>,
): Partial<WebsiteSettings> {
  const shown = shownSettingsOf(store, entry.website)
  // A host may return the lines of a list differently. Any other value that we did not send is another client's.
  const lists = entry.isRead === true ? {} : pickNamed(entry.ignored, listNames)
  const left = { ...entry.settings, ...lists }
  const untouched = namesIn(settings).filter(
    (name) =>
      !isSame(shown, settings, name) &&
      (shown[name] === undefined || left[name] === undefined || isSameIgnoringOrder(shown, left, name)),
  )
  return pickNamed(settings, untouched)
}

/**
 * Returns the fields of the last save that an undo doesn't restore, because the user has set them again. Leaves out fields that
 * have the same value as before the save.
 */
function fieldsKeptByUndo(store: OutboxStore, entry: HistoryRecord): FieldName[] {
  const shown = shownSettingsOf(store, entry.website)
  const { before } = lastSaveOf(entry)
  return namesIn(before).filter((name) => !isSame(shown, before, name) && isSetAgain(store, entry, name))
}

const hasAny = (settings: Partial<WebsiteSettings>): boolean => Object.keys(settings).length > 0

/** Returns the fields that no revert can restore, because their former values are unknown. */
function unrestorableFields(entry: HistoryRecord): FieldName[] {
  if (entry.kind === 'create') return []
  const mayBeLost: SettingName[] = entry.kind === 'delete' ? ['exclude_params'] : namesIn(entry.settings)
  const lost: FieldName[] = mayBeLost.filter((name) => entry.before[name] === undefined)
  const password = entry.kind === 'delete' ? entry.before.privacy === 2 : entry.password
  return password ? [...lost, 'password'] : lost
}
