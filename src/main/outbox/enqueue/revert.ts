import { fail, ok, type Result } from '../../../shared/result.ts'
import { checkChanges, checkDraft } from '../../../shared/validate.ts'
import {
  createDefaults,
  PRIVACY,
  settingNames,
  type FieldName,
  type SettingName,
  type WebsiteSettings,
} from '../../../shared/website.ts'
import { enqueue, newEdit, queueCreate, queueDelete, baseOf, type Stamp } from './commands.ts'
import { isSame, meansSame, pickTouched } from '../model/compare.ts'
import type { Edit, Save } from '../model/edit.ts'
import type { Past } from '../model/past.ts'
import { setsStill, valueBefore } from '../model/saves.ts'
import { overlay } from './overlay.ts'
import type { OutboxStore } from '../ports.ts'

/** How many later entries of a website are compared with an entry that is to be undone. */
const LATER_ENTRIES = 100

/** What can be done about an entry of the history, and what its reverse can't bring back. */
export interface Reversal {
  undo: boolean
  putBack: boolean
  lost: FieldName[]
}

/** What the person types anew for a reverse, and the key of a website that is created again by it. */
export interface Asked {
  what: 'undo' | 'putBack'
  password: string | undefined
  sealed: Uint8Array | null
  key: string
}

/** Fields that the service doesn't show have no value to go back to (docs/sync.md#undo). */
export function reversalOf(store: OutboxStore, past: Past): Reversal {
  const here = store.website(past.website) !== null && store.editsOf(past.website).at(-1)?.kind !== 'delete'
  const reverses: Record<Past['kind'], boolean> = {
    create: here && past.became === 'sent',
    update: here && (isWritten(past) || isSetBack(past)) && hasAny(reverseOf(store, past)),
    delete: past.became === 'sent' && hasAny(past.before),
  }
  return {
    undo: !isUndone(past) && reverses[past.kind],
    putBack: here && !past.putBack && hasAny(untouchedSince(store, past, past.overwritten)),
    lost: lostBy(past),
  }
}

/** True if the user has undone an entry, or every save that went into it. */
export const isUndone = ({ undone, saves }: Past): boolean => undone || saves?.length === 0

const isWritten = ({ became }: Past): boolean => became === 'sent' || became === 'adopted'

/** True if the user had set everything back before it was sent. */
const isSetBack = ({ became, settings, saves }: Past): boolean =>
  became === 'undone' && !hasAny(settings) && saves !== undefined && saves.length > 0

/**
 * Queues the reverse of what was sent, or what it overwrote; neither is done twice. Answers the key of the website.
 * Errors: `edit-gone`; `invalid-input`, on `password` where a website can't be created again without one.
 */
export function revertPast(store: OutboxStore, id: string, asked: Asked, stamp: Stamp): Result<string> {
  const past = store.past(id)
  if (past === null || !reversalOf(store, past)[asked.what]) return fail('edit-gone')
  const queued = queueReverse(store, past, asked, stamp)
  if (!queued.ok) return queued
  store.savePast({ ...past, ...(asked.what === 'undo' ? oneLess(past) : { putBack: true }) })
  return queued
}

/** Without its last save; undone with the last one of them. */
function oneLess({ saves = [] }: Past): Partial<Past> {
  return saves.length > 1 ? { saves: saves.slice(0, -1) } : { undone: true }
}

function queueReverse(store: OutboxStore, past: Past, asked: Asked, stamp: Stamp): Result<string> {
  if (asked.what === 'putBack') {
    return queueValues(store, past, untouchedSince(store, past, past.overwritten), asked, stamp)
  }
  if (past.kind === 'update') {
    return queueValues(store, past, reverseOf(store, past), { ...asked, isUndo: true }, stamp)
  }
  if (past.kind === 'delete') return createAgain(store, past, asked, stamp)
  const queued = queueDelete(store, past.website, stamp)
  return queued.ok ? ok(past.website) : queued
}

function queueValues(
  store: OutboxStore,
  past: Past,
  settings: Partial<WebsiteSettings>,
  { password, sealed, isUndo = false }: Asked & { isUndo?: boolean },
  stamp: Stamp,
): Result<string> {
  const website = store.website(past.website)
  if (website === null) return fail('edit-gone')
  const edits = store.editsOf(past.website)
  const shown = overlay(website, edits).settings
  const fields = checkChanges({ ...settings, ...(password && { password }) }, shown)
  if (Object.keys(fields).length > 0) return fail('invalid-input', { fields })
  // A password goes with its privacy, which is held against what is there like any other field.
  const sent = sealed === null ? settings : { ...settings, privacy: PRIVACY.password }
  const base = baseOf(website, pickTouched({ ...shown, ...(isUndo && asSent(shown, past)) }, sent))
  const reverse = newEdit(past.website, stamp, { kind: 'update', settings: sent, sealed, base })
  enqueue(store, edits, isUndo ? { ...reverse, note: { isUndo } } : reverse, website)
  return ok(past.website)
}

/** Without its statistics, which went with it. */
function createAgain(store: OutboxStore, past: Past, asked: Asked, stamp: Stamp): Result<string> {
  const { domain } = past
  const settings = { ...createDefaults, ...past.before }
  const { password, sealed, key } = asked
  const fields = checkDraft({ ...settings, domain, ...(password && { password }) })
  if (Object.keys(fields).length > 0) return fail('invalid-input', { fields })
  return queueCreate(store, { key, domain, settings, sealed }, stamp)
}

/** Returns the values as they were sent, but for lists: where another client has set another value since, the undo is a conflict. */
function asSent(shown: Partial<WebsiteSettings>, past: Past): Partial<WebsiteSettings> {
  const { after } = lastSaveOf(past)
  const names = settingNames.filter((name) => !Array.isArray(after[name]) && after[name] !== undefined)
  return Object.fromEntries(names.filter((name) => shown[name] !== undefined).map((name) => [name, after[name]]))
}

/** The last save that went into an entry and was not undone; an entry without such notes counts as one save. */
function lastSaveOf({ saves = [], before, settings, ignored, isRead }: Past): Save {
  const last = saves.at(-1) ?? { before: pickTouched(before, settings), after: settings, password: false }
  if (saves.length > 1 || isRead === true) return last
  // A host may answer the lines of a list in its own way; any other value that nobody here has sent is another client's.
  const lists = pickTouched(pickTouched(ignored, last.after), { exclude_ips: [], exclude_params: [] })
  return { ...last, after: { ...last.after, ...lists } }
}

/**
 * Returns the values before the last save of a sent entry, of the fields that the user has not set again since. A list is set back
 * line by line.
 */
function reverseOf(store: OutboxStore, past: Past): Partial<WebsiteSettings> {
  const website = store.website(past.website)
  if (website === null) return {}
  const edits = store.editsOf(past.website)
  const shown = overlay(website, edits).settings
  const save = lastSaveOf(past)
  const names = settingNames.filter((name) => save.before[name] !== undefined && !isSetAgain(store, past, edits, name))
  const values = Object.fromEntries(names.map((name) => [name, valueBefore(save, shown, name)]))
  return Object.fromEntries(Object.entries(values).filter(([name]) => !isSame(shown, values, name as SettingName)))
}

/** True if the user has set this field again since, in an edit that is pending or sent, and has not undone that. */
function isSetAgain(store: OutboxStore, past: Past, edits: readonly Edit[], name: SettingName): boolean {
  if (edits.some(({ settings, note = {} }) => setsStill({ ...note, settings }, name))) return true
  const entries = store.pasts(0, LATER_ENTRIES, past.website)
  const later = entries.slice(
    0,
    Math.max(
      0,
      entries.findIndex(({ id }) => id === past.id),
    ),
  )
  return later.some((entry) => entry.became === 'sent' && !isUndone(entry) && setsStill(entry, name))
}

/**
 * Of these values, those that would change anything, of fields that are still as this edit left them: whoever has changed
 * one since, the person or somebody else, keeps their word.
 */
function untouchedSince(store: OutboxStore, past: Past, settings: Partial<WebsiteSettings>): Partial<WebsiteSettings> {
  const website = store.website(past.website)
  if (website === null) return {}
  const shown = overlay(website, store.editsOf(past.website)).settings
  // A host may answer the lines of a list in its own way; any other value that nobody here has sent is somebody else's.
  const lists = past.isRead === true ? {} : pickTouched(past.ignored, { exclude_ips: [], exclude_params: [] })
  const left = { ...past.settings, ...lists }
  const untouched = settingNames.filter(
    (name) =>
      settings[name] !== undefined &&
      !isSame(shown, settings, name) &&
      (shown[name] === undefined || left[name] === undefined || meansSame(shown, left, name)),
  )
  return Object.fromEntries(untouched.map((name) => [name, settings[name]]))
}

const hasAny = (settings: Partial<WebsiteSettings>): boolean => Object.keys(settings).length > 0

function lostBy(past: Past): FieldName[] {
  if (past.kind === 'create') return []
  const touched: SettingName[] =
    past.kind === 'delete' ? ['exclude_params'] : (Object.keys(past.settings) as SettingName[])
  const lost: FieldName[] = touched.filter((name) => past.before[name] === undefined)
  const password = past.kind === 'delete' ? past.before.privacy === 2 : past.password
  return password ? [...lost, 'password'] : lost
}
