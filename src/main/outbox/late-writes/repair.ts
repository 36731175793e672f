import { PRIVACY, settingNames, type WebsiteRecord, type WebsiteSettings } from '../../../shared/website.ts'
import { newEdit, type EditStamp } from '../enqueue/commands.ts'
import { pickNamed, pickCommon } from '../model/compare.ts'
import { isOtherWebsite } from '../model/compare-with-record.ts'
import { baseOf, isUnsent, type Standing, theirsOf } from '../model/edit.ts'
import type { OutboxPorts, OutboxStore } from '../ports.ts'
import { wasCreatedBeforeSend } from '../reconcile/settle.ts'
import { carriesOldPassword, hasLanded, carriesOtherThanExpected } from './remember.ts'
import type { LateWrite } from '../model/late-write.ts'

/**
 * Queues an edit that restores the fields that late writes have changed, or write-only fields that they may have changed. The
 * user can revert it in the history. Only for a website without pending edits: merged into one of them, the repair would be
 * discarded with it.
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
  const overwrites = pickCommon(remote, settings)
  const base = baseOf(overwrites, remote.updated_at, remote.domain)
  const edit = newEdit(key, stamp, { kind: 'update', settings, sealed, base })
  store.addEdit({ ...edit, note: { repairs: true, overwrites } })
}

/** True if the website may have a late write's outdated password although it should have our newest one. */
const mayHaveOldPassword = (
  lateWrite: LateWrite,
  remote: WebsiteRecord,
  { privacy = remote.privacy }: Partial<WebsiteSettings>,
): boolean =>
  carriesOldPassword(lateWrite) &&
  mayWriteOnlyValuesHaveLanded(lateWrite, remote) &&
  [lateWrite.expected.privacy, privacy].every((one) => one === undefined || one === PRIVACY.password)

/** Returns the expected values of the fields that the late write has changed, or may have changed. */
function valuesToRepair(lateWrite: LateWrite, remote: WebsiteRecord): Partial<WebsiteSettings> {
  const landed = settingNames.filter((name) =>
    remote[name] === undefined
      ? mayWriteOnlyValuesHaveLanded(lateWrite, remote) && carriesOtherThanExpected(lateWrite, name)
      : hasLanded(lateWrite, remote, name),
  )
  return pickNamed(lateWrite.expected, landed)
}

/**
 * True if the request's write-only values may have taken effect. A request applies as a whole, so one visible field of it proves
 * that, and a changed `updated_at` suggests it. Only an unchanged `updated_at` with a fraction of a second excludes it.
 */
const mayWriteOnlyValuesHaveLanded = (lateWrite: LateWrite, remote: WebsiteRecord): boolean =>
  !isUnchangedSinceAcknowledged(lateWrite, remote) || settingNames.some((name) => hasLanded(lateWrite, remote, name))

/** True if `updated_at` proves that nothing has changed the website since our last acknowledged edit. */
const isUnchangedSinceAcknowledged = ({ updated_at, moved }: LateWrite, remote: WebsiteRecord): boolean =>
  updated_at !== null && remote.updated_at === updated_at && moved !== true && isFinerThanSeconds(updated_at)

/** False for a fraction of zero, which many hosts always write. */
const isFinerThanSeconds = (time: string): boolean => /\.\d*[1-9]/.test(time)

/** Tells the user, by a parked edit, that a given-up delete has taken effect, unless a delete of the website is pending. */
export function parkForVanishedWebsite(store: OutboxStore, key: string, stamp: EditStamp): void {
  const website = store.website(key)
  const edits = store.editsOf(key)
  if (website === null || edits.some(({ kind }) => kind === 'delete')) return
  const standing: Standing = { state: 'parked', reason: 'vanished', error: null, theirs: null }
  const unsent = edits.find(isUnsent)
  if (unsent !== undefined) return store.saveEdit({ ...unsent, standing })
  const base = { settings: pickCommon(website.record ?? {}, website.record ?? {}) }
  store.addEdit({ ...newEdit(key, stamp, { kind: 'delete', settings: {}, sealed: null, base }), standing })
}

/**
 * Parks a given-up create that has taken effect: the user decides whether its website stays. Does nothing if the website cannot
 * come from that create, or if another edit of ours made it or will find it.
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
  // If a website of this domain existed before the request, the request can only have created a second one. Without the id of the
  // first, the two can't be told apart.
  if (lateWrite.sent?.before === 'present' && (existing === null || existing.id === remote.id)) return
  if (wasCreatedBeforeSend({ store, connectivity }, remote, lateWrite)) return
  const sameDomain = store.websitesOfDomain(lateWrite.domain)
  // Another edit of ours created the website, or the user deals with it already.
  if (sameDomain.some(({ id, key }) => id === remote.id && hasOurEdits(store, key))) return
  const website = store.website(lateWrite.website)
  // Not if the user has corrected the domain since: the create is then for another website.
  if (firstEdit !== undefined && website?.domain === lateWrite.domain && website.id === null) {
    // A queued create finds the website by itself.
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

const carriedValues = ({ settings, sealed }: LateWrite) => ({ settings, sealed })

/** True if the website has pending edits or results of edits. */
const hasOurEdits = (store: OutboxStore, key: string): boolean =>
  store.editsOf(key).length > 0 || store.countHistoryRecords(key) > 0
