import { fail, ok, type Result } from '../../../shared/result.ts'
import { isList } from '../../../shared/fields.ts'
import { checkChanges, checkDraft } from '../../../shared/validate.ts'
import {
  createDefaults,
  PRIVACY,
  settingNames,
  type FieldName,
  type SettingName,
  type WebsiteSettings,
} from '../../../shared/website.ts'
import { enqueue, newEdit, queueCreate, queueUndoOfCreate, baseOf, type Stamp } from './commands.ts'
import { isSame, meansSame, pickTouched } from '../model/compare.ts'
import type { Edit } from '../model/edit.ts'
import { isOfCreate } from '../history.ts'
import type { HistoryRecord } from '../model/history-record.ts'
import { isUndone, lastSaveOf, stillSets, valueBefore, withoutLastSave } from '../model/saves.ts'
import { overlay } from './overlay.ts'
import { lostPassword, parkedForPassword } from './undo-sent.ts'
import type { OutboxStore } from '../ports.ts'

/** Number of later records of a website that are compared with a record to be undone. */
const LATER_ENTRIES = 100

/** The reverts that a history record offers, the fields that they cannot restore, and those that an undo leaves as they are. */
export interface OfferedReverts {
  undo: boolean
  putBack: boolean
  lost: FieldName[]
  kept: FieldName[]
}

/** The action on an entry, and what it may need. */
export interface RevertInput {
  action: 'undo' | 'putBack'
  /** The password that the user typed, to check it. */
  password: string | undefined
  /** The same password encrypted, to store it. */
  sealed: Uint8Array | null
  /** The key for a website that is created again. */
  key: string
  /** True if a website that needs a password is created again as a parked create, which asks for it. */
  parks?: boolean
}

/** Returns the reverts that a history record offers. Write-only fields have no earlier value (docs/sync.md#undo). */
export function offeredRevertsOf(store: OutboxStore, historyRecord: HistoryRecord): OfferedReverts {
  const here =
    store.website(historyRecord.website) !== null && store.editsOf(historyRecord.website).at(-1)?.kind !== 'delete'
  const reverses: Record<HistoryRecord['kind'], boolean> = {
    create: here && historyRecord.became === 'sent',
    update:
      here && (isWritten(historyRecord) || isAllSetBack(historyRecord)) && hasAny(reverseOf(store, historyRecord)),
    delete: historyRecord.became === 'sent' && hasAny(historyRecord.before),
  }
  const undo = !isUndone(historyRecord) && reverses[historyRecord.kind]
  return {
    undo,
    kept: undo && historyRecord.kind === 'update' ? keptBy(store, historyRecord) : [],
    putBack: here && !historyRecord.putBack && hasAny(untouchedSince(store, historyRecord, historyRecord.overwritten)),
    lost: lostBy(historyRecord),
  }
}

const isWritten = ({ became }: HistoryRecord): boolean => became === 'sent' || became === 'adopted'

/** True if the user had set everything back before it was sent. */
const isAllSetBack = ({ became, settings, saves }: HistoryRecord): boolean =>
  became === 'undone' && !hasAny(settings) && saves !== undefined && saves.length > 0

/**
 * Queues the reverse of what was sent, or the values that it overwrote, each only once. Returns the key of the website. Errors:
 * `edit-gone`; `invalid-input`, on `password` if a website cannot be created again without one.
 */
export function revertHistoryRecord(store: OutboxStore, id: string, input: RevertInput, stamp: Stamp): Result<string> {
  const historyRecord = store.historyRecord(id)
  if (historyRecord === null || !offeredRevertsOf(store, historyRecord)[input.action]) return fail('edit-gone')
  const queued = queueReverse(store, historyRecord, input, stamp)
  if (!queued.ok) return queued
  store.saveHistoryRecord(
    input.action === 'undo' ? withoutLastSave(historyRecord) : { ...historyRecord, putBack: true },
  )
  return queued
}

function queueReverse(
  store: OutboxStore,
  historyRecord: HistoryRecord,
  input: RevertInput,
  stamp: Stamp,
): Result<string> {
  if (input.action === 'putBack') {
    return queueValues(
      store,
      historyRecord,
      untouchedSince(store, historyRecord, historyRecord.overwritten),
      input,
      stamp,
    )
  }
  if (historyRecord.kind === 'update') {
    return queueValues(store, historyRecord, reverseOf(store, historyRecord), { ...input, isUndo: true }, stamp)
  }
  if (historyRecord.kind === 'delete') return createAgain(store, historyRecord, input, stamp)
  const queued = queueUndoOfCreate(store, historyRecord.website, stamp)
  if (!queued.ok) return queued
  const removal = store.edit(queued.value ?? '')
  const takesBack = [{ edit: historyRecord.id, save: lastSaveOf(historyRecord) }]
  // A delete that has superseded an update becomes that update again when it is undone, and can't keep this note.
  if (removal !== null && Object.keys(removal.settings).length === 0)
    store.saveEdit({ ...removal, note: { ...removal.note, takesBack } })
  return ok(historyRecord.website)
}

function queueValues(
  store: OutboxStore,
  historyRecord: HistoryRecord,
  settings: Partial<WebsiteSettings>,
  { password, sealed, isUndo = false }: RevertInput & { isUndo?: boolean },
  stamp: Stamp,
): Result<string> {
  const website = store.website(historyRecord.website)
  if (website === null) return fail('edit-gone')
  const edits = store.editsOf(historyRecord.website)
  const shown = overlay(website, edits).settings
  const fields = checkChanges({ ...settings, ...(password && { password }) }, shown)
  if (Object.keys(fields).length > 0) return fail('invalid-input', { fields })
  // A password is sent with its privacy, which is compared with the current one like any other field.
  const sent = sealed === null ? settings : { ...settings, privacy: PRIVACY.password }
  const base = baseOf(
    website,
    pickTouched({ ...shown, ...(isUndo && pickTouched(asSent(shown, historyRecord), settings)) }, sent),
  )
  const lost = isUndo && isOfCreate(historyRecord) ? lostPassword('create', settings) : null
  const reverse = newEdit(historyRecord.website, stamp, {
    kind: 'update',
    settings: sent,
    sealed: sealed ?? lost,
    base,
  })
  const takesBack = [{ edit: historyRecord.id, save: lastSaveOf(historyRecord) }]
  enqueue(store, edits, isUndo ? { ...reverse, note: { isUndo, takesBack } } : reverse, website)
  return ok(historyRecord.website)
}

/** Creates the website again, without its statistics, which were deleted with it. */
function createAgain(
  store: OutboxStore,
  historyRecord: HistoryRecord,
  input: RevertInput,
  stamp: Stamp,
): Result<string> {
  const { domain } = historyRecord
  const settings = { ...createDefaults, ...historyRecord.before }
  const { password, sealed, key, parks = false } = input
  const fields = checkDraft({ ...settings, domain, ...(password && { password }) }, parks)
  if (Object.keys(fields).length > 0) return fail('invalid-input', { fields })
  const queued = queueCreate(store, { key, domain, settings, sealed }, stamp)
  const create = queued.ok && parks ? store.edit(stamp.id) : null
  if (create !== null) store.saveEdit(parkedForPassword(create))
  return queued
}

/** Returns the values as they were sent, but for lists: where another client has set another value since, the undo is a conflict. */
function asSent(shown: Partial<WebsiteSettings>, historyRecord: HistoryRecord): Partial<WebsiteSettings> {
  const { after } = lastSaveOf(historyRecord)
  const names = settingNames.filter((name) => !Array.isArray(after[name]) && after[name] !== undefined)
  return Object.fromEntries(names.filter((name) => shown[name] !== undefined).map((name) => [name, after[name]]))
}

/**
 * Returns the values before the last save of a sent entry, of the fields that the user has not set again since. A list is set back
 * line by line.
 */
function reverseOf(store: OutboxStore, historyRecord: HistoryRecord): Partial<WebsiteSettings> {
  const website = store.website(historyRecord.website)
  if (website === null) return {}
  const edits = store.editsOf(historyRecord.website)
  const shown = overlay(website, edits).settings
  const save = lastSaveOf(historyRecord)
  const names = settingNames.filter(
    (name) => save.before[name] !== undefined && !isSetAgain(store, historyRecord, edits, name),
  )
  const values = Object.fromEntries(names.map((name) => [name, valueBefore(save, shown, name)]))
  return Object.fromEntries(Object.entries(values).filter(([name]) => !isSame(shown, values, name as SettingName)))
}

/** True if the user has set this field again since, in an edit that is pending or sent, and has not undone that. */
function isSetAgain(
  store: OutboxStore,
  historyRecord: HistoryRecord,
  edits: readonly Edit[],
  name: SettingName,
): boolean {
  // An undo is itself undone only as long as no later undo has set the field.
  const withUndo = historyRecord.isUndo === true
  const entries = store.historyRecords(historyRecord.website, LATER_ENTRIES)
  const at = entries.findIndex(({ id }) => id === historyRecord.id)
  // It is older than all that are compared, so it is not known whether the field was set again.
  if (at === -1) return true
  const pending = edits.toReversed().map(({ settings, note = {} }) => ({ ...note, settings }))
  const sent = entries.slice(0, at).filter((entry) => entry.became === 'sent' && !isUndone(entry))
  const later = [...pending, ...sent]
  if (later.some((one) => stillSets(one, name, withUndo))) return true
  // The undo of a later save brings back what this save set. The undo of a bulk change may have set something else.
  const { after } = lastSaveOf(historyRecord)
  const undo = later.find(({ settings }) => settings[name] !== undefined)
  return undo !== undefined && !isList(name) && after[name] !== undefined && !meansSame(undo.settings, after, name)
}

/**
 * Returns those of `settings` that would change something, of fields that are still as this edit left them. Later changes of
 * the user or of other clients stay.
 */
function untouchedSince(
  store: OutboxStore,
  historyRecord: HistoryRecord,
  settings: Partial<WebsiteSettings>,
): Partial<WebsiteSettings> {
  const website = store.website(historyRecord.website)
  if (website === null) return {}
  const shown = overlay(website, store.editsOf(historyRecord.website)).settings
  // A host may return the lines of a list differently; any other value that we did not send is another client's.
  const lists =
    historyRecord.isRead === true ? {} : pickTouched(historyRecord.ignored, { exclude_ips: [], exclude_params: [] })
  const left = { ...historyRecord.settings, ...lists }
  const untouched = settingNames.filter(
    (name) =>
      settings[name] !== undefined &&
      !isSame(shown, settings, name) &&
      (shown[name] === undefined || left[name] === undefined || meansSame(shown, left, name)),
  )
  return Object.fromEntries(untouched.map((name) => [name, settings[name]]))
}

/** Returns the fields of the last save that the user has set again since, to another value than they had before it. */
function keptBy(store: OutboxStore, historyRecord: HistoryRecord): FieldName[] {
  const website = store.website(historyRecord.website)
  if (website === null) return []
  const edits = store.editsOf(historyRecord.website)
  const shown = overlay(website, edits).settings
  const { before } = lastSaveOf(historyRecord)
  return settingNames.filter(
    (name) =>
      before[name] !== undefined && !isSame(shown, before, name) && isSetAgain(store, historyRecord, edits, name),
  )
}

const hasAny = (settings: Partial<WebsiteSettings>): boolean => Object.keys(settings).length > 0

function lostBy(historyRecord: HistoryRecord): FieldName[] {
  if (historyRecord.kind === 'create') return []
  const mayBeLost: SettingName[] =
    historyRecord.kind === 'delete' ? ['exclude_params'] : (Object.keys(historyRecord.settings) as SettingName[])
  const lost: FieldName[] = mayBeLost.filter((name) => historyRecord.before[name] === undefined)
  const password = historyRecord.kind === 'delete' ? historyRecord.before.privacy === 2 : historyRecord.password
  return password ? [...lost, 'password'] : lost
}
