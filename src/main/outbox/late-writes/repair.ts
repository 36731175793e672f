import { PRIVACY, settingNames, type WebsiteRecord, type WebsiteSettings } from '../../../shared/website.ts'
import { newEdit, type Stamp } from '../enqueue/commands.ts'
import { pickTouched } from '../model/compare.ts'
import { isUnsent, type Standing, theirsOf } from '../model/edit.ts'
import type { OutboxStore } from '../ports.ts'
import { isOlder } from '../reconcile/settle.ts'
import { carriesOldPassword, hasLanded, isOther } from './remember.ts'
import type { LateWrite } from '../model/late-write.ts'

/**
 * Queues what puts right the fields that a late request has changed: only values that it carried, and once. It goes as any
 * other edit, and is told in the history, from where it can be put back. Of a website without edits: a repair that went
 * along with what the user does would be given up with it.
 */
export function repair(store: OutboxStore, key: string, all: LateWrite[], there: WebsiteRecord, stamp: Stamp): void {
  // A create or a delete changes no field of a website that is there.
  const lateWrites = all.filter(({ kind }) => kind === 'update')
  const settings = Object.assign(
    {},
    ...lateWrites.map((lateWrite) => valuesToRepair(lateWrite, there)),
  ) as Partial<WebsiteSettings>
  const sealed = lateWrites.findLast((lateWrite) => hasOldPassword(lateWrite, there, settings))?.newest ?? null
  if (sealed !== null) settings.privacy = PRIVACY.password
  if (Object.keys(settings).length === 0) return
  const overwrites = pickTouched(there, settings)
  const base = { settings: overwrites, ...(there.updated_at !== undefined && { updated_at: there.updated_at }) }
  const edit = newEdit(key, stamp, { kind: 'update', settings, sealed, base })
  store.addEdit({ ...edit, note: { repairs: true, overwrites } })
}

/** Its password may be the one that counts: not where the website should have none, or has none and gets none. */
const hasOldPassword = (
  lateWrite: LateWrite,
  there: WebsiteRecord,
  { privacy = there.privacy }: Partial<WebsiteSettings>,
): boolean =>
  carriesOldPassword(lateWrite) &&
  mayHaveLanded(lateWrite, there) &&
  [lateWrite.expected.privacy, privacy].every((one) => one === undefined || one === PRIVACY.password)

/** What the fields should be that have the value which this request carried, and no other should have. */
function valuesToRepair(lateWrite: LateWrite, there: WebsiteRecord): Partial<WebsiteSettings> {
  const landed = settingNames.filter((name) =>
    there[name] === undefined
      ? mayHaveLanded(lateWrite, there) && isOther(lateWrite, name)
      : hasLanded(lateWrite, there, name),
  )
  return Object.fromEntries(landed.map((name) => [name, lateWrite.expected[name]]))
}

/**
 * For what the service doesn't show: a request lands whole, so one field that it brought tells of the others, and a time that
 * has moved may. That it hasn't landed only a time tells which is finer than seconds and hasn't moved.
 */
const mayHaveLanded = (lateWrite: LateWrite, there: WebsiteRecord): boolean =>
  !isUnmoved(lateWrite, there) || settingNames.some((name) => hasLanded(lateWrite, there, name))

const isUnmoved = ({ updated_at, moved }: LateWrite, there: WebsiteRecord): boolean =>
  updated_at !== null && there.updated_at === updated_at && moved !== true && isFinerThanSeconds(updated_at)

/** Many hosts write a fraction that is always nought. */
const isFinerThanSeconds = (time: string): boolean => /\.\d*[1-9]/.test(time)

/** A delete that was taken for lost has landed: an edit that waits there says so, or a new one does. */
export function parkVanished(store: OutboxStore, key: string, stamp: Stamp): void {
  const website = store.website(key)
  const edits = store.editsOf(key)
  if (website === null || edits.some(({ kind }) => kind === 'delete')) return
  const standing: Standing = { state: 'parked', reason: 'vanished', error: null, theirs: null }
  const unsent = edits.find(isUnsent)
  if (unsent !== undefined) return store.saveEdit({ ...unsent, standing })
  const base = { settings: pickTouched(website.record ?? {}, website.record ?? {}) }
  store.addEdit({ ...newEdit(key, stamp, { kind: 'delete', settings: {}, sealed: null, base }), standing })
}

/** A create that was given up has come through: the user says whether it stays. */
export function parkAppeared(
  store: OutboxStore,
  lateWrite: LateWrite,
  there: WebsiteRecord,
  stamp: Stamp & { key: string },
): void {
  const { changedAt: theirsAt } = stamp
  const standing: Standing = { state: 'parked', reason: 'appeared', error: null, theirs: there, theirsAt }
  const given = store.editsOf(lateWrite.website)[0]
  const met = given === undefined ? null : theirsOf(given)
  // One that was there before is no doing of ours; another one may be, where it's known which one that was.
  if (lateWrite.sent?.before === 'present' && (met === null || met.id === there.id)) return
  if (isOlder(there, lateWrite)) return
  const here = store.websitesOfDomain(lateWrite.domain)
  // Made by another edit of ours, or in the user's hands already.
  if (here.some(({ id, key }) => id === there.id && isOurs(store, key))) return
  const website = store.website(lateWrite.website)
  // Corrected to another domain since, it's another website.
  if (given !== undefined && website?.domain === lateWrite.domain && website.id === null) {
    // One that waits to be sent finds out by itself.
    if (given.standing.state === 'parked') store.saveEdit({ ...given, standing })
    return
  }
  // One that is to be created there finds out by itself.
  if (here.some(({ id }) => id === null)) return
  const key = here.find(({ id }) => id === there.id)?.key ?? stamp.key
  if (key === stamp.key) {
    store.addWebsite(key, there.domain)
    store.acknowledge(key, there)
  }
  const { id, changedAt } = stamp
  const create = newEdit(key, { id, changedAt }, { kind: 'create', ...carried(lateWrite), base: { settings: {} } })
  store.addEdit({ ...create, standing })
}

const carried = ({ settings, sealed }: LateWrite) => ({ settings, sealed })

const isOurs = (store: OutboxStore, key: string): boolean =>
  store.editsOf(key).length > 0 || store.countHistoryRecords(key) > 0
