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
import type { Past } from '../model/past.ts'
import { overlay } from './overlay.ts'
import type { OutboxStore } from '../ports.ts'

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
    update: here && (past.became === 'sent' || past.became === 'adopted') && hasAny(reverseOf(store, past)),
    delete: past.became === 'sent' && hasAny(past.before),
  }
  return {
    undo: !past.undone && reverses[past.kind],
    putBack: here && !past.putBack && hasAny(untouchedSince(store, past, past.overwritten)),
    lost: lostBy(past),
  }
}

/**
 * Queues the reverse of what was sent, or what it overwrote; neither is done twice. Answers the key of the website.
 * Errors: `edit-gone`; `invalid-input`, on `password` where a website can't be created again without one.
 */
export function revertPast(store: OutboxStore, id: string, asked: Asked, stamp: Stamp): Result<string> {
  const past = store.past(id)
  if (past === null || !reversalOf(store, past)[asked.what]) return fail('edit-gone')
  const queued = queueReverse(store, past, asked, stamp)
  if (!queued.ok) return queued
  store.savePast({ ...past, ...(asked.what === 'undo' ? { undone: true } : { putBack: true }) })
  return queued
}

function queueReverse(store: OutboxStore, past: Past, asked: Asked, stamp: Stamp): Result<string> {
  if (asked.what === 'putBack') {
    return queueValues(store, past, untouchedSince(store, past, past.overwritten), asked, stamp)
  }
  if (past.kind === 'update') return queueValues(store, past, reverseOf(store, past), asked, stamp)
  if (past.kind === 'delete') return createAgain(store, past, asked, stamp)
  const queued = queueDelete(store, past.website, stamp)
  return queued.ok ? ok(past.website) : queued
}

function queueValues(
  store: OutboxStore,
  past: Past,
  settings: Partial<WebsiteSettings>,
  { password, sealed }: Asked,
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
  const base = baseOf(website, pickTouched(shown, sent))
  enqueue(store, edits, newEdit(past.website, stamp, { kind: 'update', settings: sent, sealed, base }), website)
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

/** Of what was sent, the values before. */
const reverseOf = (store: OutboxStore, past: Past): Partial<WebsiteSettings> =>
  untouchedSince(store, past, pickTouched(past.before, past.settings))

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
