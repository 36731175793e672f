import { PRIVACY, settingNames, type WebsiteRecord, type WebsiteSettings } from '../../../shared/website.ts'
import { newEdit, type EditStamp } from '../enqueue/commands.ts'
import { pickNamed, pickTouched } from '../model/compare.ts'
import { isOtherWebsite } from '../model/compare-with-record.ts'
import { baseOf, isUnsent, type Standing, theirsOf } from '../model/edit.ts'
import type { OutboxPorts, OutboxStore } from '../ports.ts'
import { wasCreatedBeforeSend } from '../reconcile/settle.ts'
import { carriesOldPassword, hasLanded, carriesOtherThanExpected } from './remember.ts'
import type { LateWrite } from '../model/late-write.ts'

/**
 * Queues an edit that restores the fields that late writes have changed, or may have changed if the service does not show them.
 * Other fields are left as they are. The edit is sent like any other and appears in the history, where the user can revert it.
 * Only for a website without pending edits: merged into one of them, the repair would be discarded with it.
 */
export function queueRepair(
  store: OutboxStore,
  key: string,
  all: LateWrite[],
  remote: WebsiteRecord,
  stamp: EditStamp,
): void {
  // Creates and deletes do not change a field of an existing website, and the id may belong to another website since.
  const lateWrites = all.filter(
    ({ kind, domain }) => kind === 'update' && !isOtherWebsite({ settings: {}, domain }, remote),
  )
  const settings = Object.assign(
    {},
    ...lateWrites.map((lateWrite) => valuesToRepair(lateWrite, remote)),
  ) as Partial<WebsiteSettings>
  const sealed = lateWrites.findLast((lateWrite) => mayHaveOldPassword(lateWrite, remote, settings))?.newest ?? null
  if (sealed !== null) settings.privacy = PRIVACY.password
  if (Object.keys(settings).length === 0) return
  const overwrites = pickTouched(remote, settings)
  const base = baseOf(overwrites, remote.updated_at, remote.domain)
  const edit = newEdit(key, stamp, { kind: 'update', settings, sealed, base })
  store.addEdit({ ...edit, note: { repairs: true, overwrites } })
}

/** True if the website may have the outdated password that a late write carried, and should have our newest one. */
const mayHaveOldPassword = (
  lateWrite: LateWrite,
  remote: WebsiteRecord,
  { privacy = remote.privacy }: Partial<WebsiteSettings>,
): boolean =>
  carriesOldPassword(lateWrite) &&
  mayHiddenValuesHaveLanded(lateWrite, remote) &&
  [lateWrite.expected.privacy, privacy].every((one) => one === undefined || one === PRIVACY.password)

/** Returns the expected values of the fields that show what this request carried. */
function valuesToRepair(lateWrite: LateWrite, remote: WebsiteRecord): Partial<WebsiteSettings> {
  const landed = settingNames.filter((name) =>
    remote[name] === undefined
      ? mayHiddenValuesHaveLanded(lateWrite, remote) && carriesOtherThanExpected(lateWrite, name)
      : hasLanded(lateWrite, remote, name),
  )
  return pickNamed(lateWrite.expected, landed)
}

/**
 * True if the write-only values of the request may have taken effect. A request applies as a whole, so one visible field of it is
 * a proof, and a changed time a sign. Only an unchanged time with a fraction of a second excludes it.
 */
const mayHiddenValuesHaveLanded = (lateWrite: LateWrite, remote: WebsiteRecord): boolean =>
  !isUnchangedSinceAcknowledged(lateWrite, remote) || settingNames.some((name) => hasLanded(lateWrite, remote, name))

/** True if `updated_at` proves that nothing has changed the website since an edit of ours was acknowledged. */
const isUnchangedSinceAcknowledged = ({ updated_at, moved }: LateWrite, remote: WebsiteRecord): boolean =>
  updated_at !== null && remote.updated_at === updated_at && moved !== true && isFinerThanSeconds(updated_at)

/** True if the time has a real fraction: many hosts always write zero. */
const isFinerThanSeconds = (time: string): boolean => /\.\d*[1-9]/.test(time)

/**
 * Parks an edit of the website, or adds a parked edit, to tell the user that a delete which was given up has taken effect. Does
 * nothing if a delete of the website is pending.
 */
export function parkForVanishedWebsite(store: OutboxStore, key: string, stamp: EditStamp): void {
  const website = store.website(key)
  const edits = store.editsOf(key)
  if (website === null || edits.some(({ kind }) => kind === 'delete')) return
  const standing: Standing = { state: 'parked', reason: 'vanished', error: null, theirs: null }
  const unsent = edits.find(isUnsent)
  if (unsent !== undefined) return store.saveEdit({ ...unsent, standing })
  const base = { settings: pickTouched(website.record ?? {}, website.record ?? {}) }
  store.addEdit({ ...newEdit(key, stamp, { kind: 'delete', settings: {}, sealed: null, base }), standing })
}

/**
 * Parks a create that was given up and has taken effect: the user decides whether the website stays. Does nothing if the website
 * cannot come from that create, or if another edit of ours made it or will find it.
 */
export function parkForAppearedWebsite(
  { store, connectivity }: Pick<OutboxPorts, 'store' | 'connectivity'>,
  lateWrite: LateWrite,
  remote: WebsiteRecord,
  stamp: EditStamp & { key: string },
): void {
  const { changedAt: theirsAt } = stamp
  const standing: Standing = { state: 'parked', reason: 'appeared', error: null, theirs: remote, theirsAt }
  const firstEdit = store.editsOf(lateWrite.website)[0]
  const existing = firstEdit === undefined ? null : theirsOf(firstEdit)
  // If a website of this domain existed before the request, only one with another id can be ours: the id must be known.
  if (lateWrite.sent?.before === 'present' && (existing === null || existing.id === remote.id)) return
  if (wasCreatedBeforeSend({ store, connectivity }, remote, lateWrite)) return
  const sameDomain = store.websitesOfDomain(lateWrite.domain)
  // Another edit of ours created it, or the user deals with it already.
  if (sameDomain.some(({ id, key }) => id === remote.id && hasOurEdits(store, key))) return
  const website = store.website(lateWrite.website)
  // If the user has corrected the domain since, the create is now for another website than the one that has appeared.
  if (firstEdit !== undefined && website?.domain === lateWrite.domain && website.id === null) {
    // A create that is to be sent finds the website by itself.
    if (firstEdit.standing.state === 'parked') store.saveEdit({ ...firstEdit, standing })
    return
  }
  // A pending create of the domain finds the website by itself.
  if (sameDomain.some(({ id }) => id === null)) return
  const key = sameDomain.find(({ id }) => id === remote.id)?.key ?? stamp.key
  if (key === stamp.key) {
    store.addWebsite(key, remote.domain)
    store.acknowledge(key, remote)
  }
  const { id, changedAt } = stamp
  const create = newEdit(
    key,
    { id, changedAt },
    { kind: 'create', ...carriedValues(lateWrite), base: { settings: {} } },
  )
  store.addEdit({ ...create, standing })
}

/** Returns the settings and the sealed password that a late write carries. */
const carriedValues = ({ settings, sealed }: LateWrite) => ({ settings, sealed })

/** True if this app has an edit of the website, either pending or in the history. */
const hasOurEdits = (store: OutboxStore, key: string): boolean =>
  store.editsOf(key).length > 0 || store.countHistoryRecords(key) > 0
