import type { SettingName, WebsiteRecord, WebsiteSettings } from '../../../shared/website.ts'
import { isSameIgnoringOrder, namesIn, pickNamed, pickSettings, pickCommon } from '../model/compare.ts'
import { type Base, type Edit } from '../model/edit.ts'
import type { LateWrite } from '../model/late-write.ts'
import type { OutboxStore } from '../ports.ts'

/**
 * Remembers a request in doubt that may still take effect (docs/sync.md#late-writes): its edit was settled as not applied, was
 * parked, or counts as applied only by values that another client or an earlier request may have set. `edit`: with the values
 * that the request contained. `base`: the current values as far as a read has shown them. Call it in the transaction that stores
 * the outcome.
 */
export function rememberLateWrite(store: OutboxStore, edit: Edit, base: Base = edit.base): void {
  const website = store.website(edit.website)
  const found = pickCommon(base.settings, edit.settings)
  // Values that a read has shown as applied become the expected values of the website's other late writes.
  const arrivedNames = namesIn(edit.settings).filter((name) => isSameIgnoringOrder(base.settings, edit.settings, name))
  const arrived = pickNamed(edit.settings, arrivedNames)
  // If the same request was given up before, its earlier late write is removed: one look covers both.
  for (const other of store.lateWritesOf(edit.website)) {
    if (isSameRequest(other, edit)) store.removeLateWrite(other.n)
    else store.saveLateWrite({ ...other, expected: { ...other.expected, ...pickCommon(arrived, other.settings) } })
  }
  store.addLateWrite({
    edit: edit.id,
    website: edit.website,
    domain: edit.base.domain ?? website?.domain ?? '',
    kind: edit.kind,
    settings: edit.kind === 'delete' ? {} : edit.settings,
    sealed: edit.kind === 'delete' ? null : edit.sealed,
    sent: edit.sent,
    expected: found,
    newest: null,
    updated_at: website?.record?.updated_at ?? null,
    // Values that a read has shown count as acknowledged, because a later stale read may still show the values before them.
    acknowledged: arrivedNames,
  })
}

/** True if the late write is a request of this edit with the same values. */
const isSameRequest = (lateWrite: LateWrite, { id, settings, sealed }: Edit): boolean =>
  lateWrite.edit === id &&
  JSON.stringify(lateWrite.settings) === JSON.stringify(settings) &&
  isSameSealing(lateWrite.sealed, sealed)

/** Compares the bytes. Sealing the same password again gives other bytes. */
export const isSameSealing = (a: Uint8Array | null, b: Uint8Array | null): boolean =>
  a === null || b === null ? a === b : Buffer.compare(a, b) === 0

/**
 * Updates a website's late writes after an edit was acknowledged: the edit's values become the expected ones, and values of the
 * record that no late write contains count as set by other clients. Call it in the transaction of the acknowledgment.
 */
export function updateLateWrites(store: OutboxStore, edit: Edit, record: WebsiteRecord): void {
  const lateWrites = store.lateWritesOf(edit.website).filter(({ kind }) => kind === 'update')
  // If the record has a late write's value instead of ours, the late write has taken effect, and ours stays the expected one. Not
  // for an edit from a backup: the value may come from a later edit that was lost with the damaged file.
  const changedNames = namesIn(edit.settings).filter(
    (name) =>
      edit.sent?.restored !== true &&
      !isSameIgnoringOrder(edit.settings, record, name) &&
      lateWrites.some(({ settings }) => isSameIgnoringOrder(record, settings, name)),
  )
  const changedValues = pickNamed(edit.settings, changedNames)
  const ours = pickCommon({ ...edit.settings, ...pickSettings(record), ...changedValues }, edit.settings)
  for (const lateWrite of lateWrites) {
    const expected = expectedAfter(lateWrite, record, lateWrites, edit.standing.state === 'sending')
    store.saveLateWrite({
      ...lateWrite,
      expected: { ...expected, ...pickCommon(ours, lateWrite.settings) },
      newest: lateWrite.sealed !== null && edit.sealed !== null ? edit.sealed : lateWrite.newest,
      updated_at: record.updated_at ?? null,
      moved: mayHaveLandedSince(lateWrite, edit, record),
      acknowledged: [...new Set([...(lateWrite.acknowledged ?? []), ...namesIn(ours)])],
    })
  }
}

/**
 * True if a write-only value of the late write may have taken effect since an edit of ours was acknowledged. The response to
 * `edit` excludes that if the edit contained all these fields. A later read excludes it only if it was excluded before and
 * `updated_at` has not changed.
 */
function mayHaveLandedSince(lateWrite: LateWrite, edit: Edit, record: WebsiteRecord): boolean {
  if (edit.standing.state !== 'sending') return lateWrite.moved === true || record.updated_at !== lateWrite.updated_at
  const writeOnly = namesIn(lateWrite.settings).filter((name) => record[name] === undefined)
  const isCarried = writeOnly.every((name) => edit.settings[name] !== undefined)
  return !isCarried || (lateWrite.sealed !== null && edit.sealed === null)
}

/**
 * Returns the values that a late write's fields should have after a read. Values that no late write of the website can have
 * brought were set by other clients. Ignores a stale read: one with an older `updated_at`, or without `updated_at` one that
 * contradicts acknowledged values. `answered`: the record is the response to a write of ours, which is never stale.
 */
export function expectedAfter(
  lateWrite: LateWrite,
  record: WebsiteRecord,
  lateWrites: LateWrite[],
  answered = false,
): Partial<WebsiteSettings> {
  const { settings, expected, updated_at, acknowledged = [] } = lateWrite
  if (Date.parse(record.updated_at ?? '') < Date.parse(updated_at ?? '')) return expected
  const remoteNames = namesIn(pickCommon(record, settings)).filter(
    (name) =>
      !isSameIgnoringOrder(record, settings, name) &&
      !lateWrites.some((other) => other.kind === 'update' && hasLanded(other, record, name)) &&
      (answered || record.updated_at !== undefined || !acknowledged.includes(name)),
  )
  return { ...expected, ...pickNamed(record, remoteNames) }
}

/** True if the late write sets the field to another value than the website should have. */
export const carriesOtherThanExpected = ({ settings, expected }: LateWrite, name: SettingName): boolean =>
  settings[name] !== undefined && expected[name] !== undefined && !isSameIgnoringOrder(expected, settings, name)

/** True if the record shows a value of this request that is not the expected one. */
export const hasLanded = (lateWrite: LateWrite, remote: WebsiteRecord, name: SettingName): boolean =>
  carriesOtherThanExpected(lateWrite, name) &&
  remote[name] !== undefined &&
  isSameIgnoringOrder(remote, lateWrite.settings, name)

/** True if another password of ours was acknowledged since the request was given up. */
export const carriesOldPassword = ({ sealed, newest }: LateWrite): boolean =>
  sealed !== null && newest !== null && Buffer.compare(sealed, newest) !== 0
