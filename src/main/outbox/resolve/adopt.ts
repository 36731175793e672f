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
  queueDelete,
  type EditStamp,
} from '../enqueue/commands.ts'
import { meansSame, pickNamed, pickSettings, pickTouched } from '../model/compare.ts'
import { baseOf, isSent, isUnsent, theirsOf, type Edit, type EditNote } from '../model/edit.ts'
import { recordHistory } from '../history.ts'
import { saveOf } from '../model/saves.ts'
import { overlay } from '../enqueue/overlay.ts'
import { mergeLines, mergeLists } from '../model/merge-lines.ts'
import type { OutboxStore } from '../ports.ts'

/**
 * Takes over an existing website in place of one to be created, and queues the differences that the user was shown. What another
 * client has changed since stays. If the user has deleted the new website since, the existing one is deleted. Returns its key.
 */
export function adopt(store: OutboxStore, create: Edit, theirs: WebsiteRecord, stamp: EditStamp): string {
  const isUnwanted = store.editsOf(create.website).at(-1)?.kind === 'delete'
  recordHistory(store, { ...create, settings: {}, sealed: null }, 'adopted', { at: stamp.changedAt })
  const key = takeOver(store, create, theirs)
  const removal = store.editsOf(key).find((edit) => edit.kind === 'delete' && isUnsent(edit))
  if (isUnwanted) {
    if (removal === undefined) queueDelete(store, key, stamp)
    else store.saveEdit(deleteRebasedOnTheirs(removal, theirs))
    return key
  }
  // An unsent delete of the existing website is given up, because the user has now decided to adopt the website.
  if (removal !== undefined && !restoreSupersededUpdate(store, removal)) {
    restoreTakenBackSaves(store, removal)
    recordHistory(store, removal, 'discarded', { at: stamp.changedAt })
    store.removeEdit(removal.id)
  }
  const touchedByUser = settingsToAdopt(store.editsOf(key), create, theirsOf(create) ?? theirs)
  const settings = pickTouched(mergedWithExisting(create.settings, theirs), touchedByUser)
  const sealed = 'privacy' in settings ? create.sealed : null
  // Lists are merged line by line, so adopting overwrites no list.
  const replaced = differingFields(settings, theirs).filter((name) => !isListField(name))
  const overwrites = pickNamed(theirs, replaced)
  const base = baseOf(pickTouched(theirs, settings), theirs.updated_at, theirs.domain)
  const update = newEdit(key, stamp, { kind: 'update', settings, sealed, base })
  enqueue(store, store.editsOf(key), { ...update, note: { overwrites, ...savesOfAdoption(store, update, stamp) } })
  return key
}

/** Returns the update of an adoption as one save, which Undo takes back. Empty if the update changes nothing. */
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

/**
 * Returns the delete with the record that the user was shown (`theirs`) as its base. The lists of the superseded update, which
 * Undo restores, are merged with it, so that they still change the same lines.
 */
export function deleteRebasedOnTheirs(removal: Edit, theirs: WebsiteRecord): Edit {
  const lists = mergeLists({ base: removal.base.settings, theirs, ours: removal.settings })
  return {
    ...removal,
    settings: { ...removal.settings, ...lists },
    base: baseOf(pickSettings(theirs), theirs.updated_at, theirs.domain),
  }
}

/** True if a delete of the website has been sent, so that it cannot be adopted. A delete that is still unsent does not count. */
export const isDeleteSent = (store: OutboxStore, { id }: WebsiteRecord): boolean => {
  const existing = store.websiteOfId(id)
  return existing !== null && store.editsOf(existing.key).some((edit) => edit.kind === 'delete' && isSent(edit))
}

/**
 * Gives the website of a create the id of the existing website. If the existing website has a key and edits of its own, the
 * website of the create is removed instead. Returns the key that is left.
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

/** Returns the newer one of the record that the user was asked about and the record that a refresh has read since. */
const latestOf = (parkedTheirs: WebsiteRecord, read: WebsiteRecord | null): WebsiteRecord =>
  read === null || isStale({ record: parkedTheirs, writtenFor: null }, read) ? parkedTheirs : read

/**
 * Returns the settings of a create that are sent if an existing website is used instead: those that differ. A new password goes
 * with its privacy. `pending` are the edits of the existing website: later changes win over the values of the create.
 */
export function settingsToAdopt(
  pending: readonly Edit[],
  { settings, sealed }: Edit,
  theirs: WebsiteRecord,
): Partial<WebsiteSettings> {
  const merged = Object.entries(mergedWithExisting(settings, theirs))
  const differs = ([name, value]: [string, unknown]) =>
    !meansSame(theirs, { [name]: value }, name as SettingName) || (name === 'privacy' && sealed !== null)
  const isLatest = ([name]: [string, unknown]) => pending.every((later) => !(name in later.settings))
  return Object.fromEntries(merged.filter((one) => differs(one) && isLatest(one)))
}

/**
 * Returns the settings of a create over those of an existing website. The existing lines of a list stay, and write-only fields
 * that were left at their default are left out.
 */
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
