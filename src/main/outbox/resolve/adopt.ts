import {
  createDefaults,
  settingNames,
  type SettingName,
  type WebsiteRecord,
  type WebsiteSettings,
} from '../../../shared/website.ts'
import { isListField } from '../../../shared/fields.ts'
import { isStale } from '../remote/staleness.ts'
import { differingFields } from '../model/compare-with-record.ts'
import {
  enqueue,
  restoreTakenBackSaves,
  restoreSupersededUpdate,
  newEdit,
  type EditStamp,
} from '../enqueue/commands.ts'
import { isSameIgnoringOrder, pickNamed, pickSettings, pickCommon } from '../model/compare.ts'
import { baseOf, isSent, isUnsent, theirsOf, type Edit, type EditNote } from '../model/edit.ts'
import { recordHistory } from '../history.ts'
import { saveOf } from '../model/saves.ts'
import { overlay } from '../enqueue/overlay.ts'
import { mergeLines, mergeLists } from '../model/merge-lines.ts'
import type { OutboxStore } from '../ports.ts'

/**
 * Uses an existing website in place of one to be created, and queues the differences that the user was shown. Values that
 * another client has changed after that stay. Returns its key.
 */
export function adopt(store: OutboxStore, create: Edit, theirs: WebsiteRecord, stamp: EditStamp): string {
  recordHistory(store, { ...create, settings: {}, sealed: null }, 'adopted', { at: stamp.changedAt })
  const key = takeOver(store, create, theirs)
  const removal = store.editsOf(key).find((edit) => edit.kind === 'delete' && isUnsent(edit))
  // The user has now decided to use the existing website, so an unsent delete of it is given up.
  if (removal !== undefined && !restoreSupersededUpdate(store, removal)) {
    restoreTakenBackSaves(store, removal)
    recordHistory(store, removal, 'discarded', { at: stamp.changedAt })
    store.removeEdit(removal.id)
  }
  const touchedByUser = settingsToAdopt(store.editsOf(key), create, theirsOf(create) ?? theirs)
  const settings = pickCommon(mergedWithExisting(create.settings, theirs), touchedByUser)
  const sealed = 'privacy' in settings ? create.sealed : null
  // Lists are merged by line, so no list is overwritten.
  const replaced = differingFields(settings, theirs).filter((name) => !isListField(name))
  const overwrites = pickNamed(theirs, replaced)
  const base = baseOf(pickCommon(theirs, settings), theirs.updated_at, theirs.domain)
  const update = newEdit(key, stamp, { kind: 'update', settings, sealed, base })
  enqueue(store, store.editsOf(key), { ...update, note: { overwrites, ...savesOfAdoption(store, update, stamp) } })
  return key
}

/** Makes the update of an adoption one save, which Undo takes back. */
function savesOfAdoption(
  store: OutboxStore,
  { website: key, settings, sealed }: Omit<Edit, 'seq'>,
  { changedAt: at, order }: EditStamp,
): Pick<EditNote, 'saves'> {
  const website = store.website(key)
  if (website === null) return {}
  const save = saveOf(overlay(website, store.editsOf(key)).settings, settings, sealed !== null)
  return save === null ? {} : { saves: [{ ...save, at, order }] }
}

/** The superseded update's lists, which Undo restores, are merged with `theirs`, so that they still change the same lines. */
export function deleteRebasedOnTheirs(removal: Edit, theirs: WebsiteRecord): Edit {
  const lists = mergeLists({ base: removal.base.settings, theirs, ours: removal.settings })
  return {
    ...removal,
    settings: { ...removal.settings, ...lists },
    base: baseOf(pickSettings(theirs), theirs.updated_at, theirs.domain),
  }
}

/** True if a delete of the website has been sent, so that the website cannot be adopted. */
export const isDeleteSent = (store: OutboxStore, { id }: WebsiteRecord): boolean => {
  const existing = store.websiteOfId(id)
  return existing !== null && store.editsOf(existing.key).some((edit) => edit.kind === 'delete' && isSent(edit))
}

/**
 * Gives the create's website the existing id. If the existing website has edits, removes the create's website instead. Returns
 * the key that is left.
 */
export function takeOver(store: OutboxStore, create: Edit, theirs: WebsiteRecord): string {
  const existing = store.websiteOfId(theirs.id)
  if (existing !== null && existing.key !== create.website && store.editsOf(existing.key).length > 0) {
    store.removeWebsite(create.website)
    return existing.key
  }
  store.removeEdit(create.id)
  store.acknowledge(create.website, latestOf(theirs, existing?.record ?? null))
  return create.website
}

/** Returns the newer of the record that the user was asked about and the one that a refresh has read since. */
const latestOf = (parkedTheirs: WebsiteRecord, read: WebsiteRecord | null): WebsiteRecord =>
  read === null || isStale({ record: parkedTheirs, writtenFor: null }, read) ? parkedTheirs : read

/**
 * Returns the settings of a create that differ from the existing website, and `privacy` with a new password. Leaves out fields in
 * `pending`, the edits of the existing website, because those are later.
 */
export function settingsToAdopt(
  pending: readonly Edit[],
  { settings, sealed }: Edit,
  theirs: WebsiteRecord,
): Partial<WebsiteSettings> {
  const merged = Object.entries(mergedWithExisting(settings, theirs))
  const differs = ([name, value]: [string, unknown]) =>
    !isSameIgnoringOrder(theirs, { [name]: value }, name as SettingName) || (name === 'privacy' && sealed !== null)
  const isLatest = ([name]: [string, unknown]) => pending.every((later) => !(name in later.settings))
  return Object.fromEntries(merged.filter((one) => differs(one) && isLatest(one)))
}

/** Keeps existing lines of lists, and leaves out write-only fields that have their default. */
export function mergedWithExisting(
  settings: Partial<WebsiteSettings>,
  theirs: WebsiteRecord,
): Partial<WebsiteSettings> {
  const defaults: WebsiteSettings = createDefaults
  const values = settingNames.flatMap((name) => {
    const [ours, remote] = [settings[name], theirs[name]]
    if (remote === undefined && JSON.stringify(ours) === JSON.stringify(defaults[name])) return []
    const lines = Array.isArray(ours) && Array.isArray(remote) ? mergeLines({ base: [], theirs: remote, ours }) : ours
    return [[name, lines]]
  })
  return Object.fromEntries(values) as Partial<WebsiteSettings>
}
