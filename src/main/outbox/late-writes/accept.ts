import { settingNames, type SettingName, type WebsiteRecord, type WebsiteSettings } from '../../../shared/website.ts'
import { differingFields, remoteChangeTest } from '../model/compare-with-record.ts'
import { isSameIgnoringOrder, namesIn, pickNamed, pickCommon } from '../model/compare.ts'
import type { Edit } from '../model/edit.ts'
import type { OutboxStore } from '../ports.ts'
import type { LateWrite } from '../model/late-write.ts'

/**
 * Accepts values that a late write of ours has brought and no other client has set (docs/sync.md#late-writes). Returns the edit
 * with a base as if the user had seen these values, and with the overwritten values in its note. Stores nothing. For a delete,
 * the record must show all values of the late write: otherwise another client has changed some of them.
 */
export function acceptLateWrites(store: OutboxStore, edit: Edit, remote: WebsiteRecord): Edit {
  const lateWrites = store
    .lateWritesOf(edit.website)
    .filter(
      ({ kind, settings }) => kind === 'update' && (edit.kind !== 'delete' || !isChangedByOthers(settings, remote)),
    )
  const late = settingNames.filter(
    (name) =>
      isNeitherSeenNorWanted(edit, remote, name) &&
      lateWrites.some((lateWrite) => carriesValueOf(remote, lateWrite, name)),
  )
  if (late.length === 0) return edit
  const values = pickNamed(remote, late)
  const base = { ...edit.base, settings: { ...edit.base.settings, ...values } }
  if (edit.kind === 'delete') return { ...edit, base }
  return { ...edit, base, note: { ...edit.note, overwrites: { ...values, ...edit.note?.overwrites } } }
}

/** True if the record has other values than a late write sets, and only another client can have set them. */
const isChangedByOthers = (settings: Partial<WebsiteSettings>, remote: WebsiteRecord): boolean =>
  differingFields(settings, remote).some(remoteChangeTest(settings))

/** True if the record has the value that the late write sets. */
const carriesValueOf = (remote: WebsiteRecord, { settings }: LateWrite, name: SettingName): boolean =>
  settings[name] !== undefined && isSameIgnoringOrder(settings, remote, name)

/** True if the record's value is neither the one that the user saw nor the one that the edit sets. */
function isNeitherSeenNorWanted({ kind, base, settings }: Edit, remote: WebsiteRecord, name: SettingName): boolean {
  if (remote[name] === undefined || base.settings[name] === undefined) return false
  if (isSameIgnoringOrder(base.settings, remote, name)) return false
  return kind === 'delete' || (settings[name] !== undefined && !isSameIgnoringOrder(settings, remote, name))
}

/**
 * Stores values as the expected ones of the late writes, so that they stay if a late write takes effect: those that a merge left
 * out of an edit because the service has them already, and fields that the user has set back to the current value. Call it within
 * `store.write`.
 */
export function expectValuesAlreadySet(store: OutboxStore, edit: Edit, prepared: Edit, remote: WebsiteRecord): void {
  if (edit.kind !== 'update') return
  const values = { ...edit.base.settings, ...edit.settings }
  const found = namesIn(values).filter(
    (name) => prepared.settings[name] === undefined && isSameIgnoringOrder(values, remote, name),
  )
  expectValues(store, edit.website, pickNamed(remote, found))
}

/** Stores the values as expected in each late write of the website that sets the same fields. */
function expectValues(store: OutboxStore, website: string, values: Partial<WebsiteSettings>): void {
  if (Object.keys(values).length === 0) return
  for (const lateWrite of store.lateWritesOf(website)) {
    store.saveLateWrite({
      ...lateWrite,
      expected: { ...lateWrite.expected, ...pickCommon(values, lateWrite.settings) },
    })
  }
}

/** Stores as expected those values of a later edit that are no longer in the edit it was merged into. */
export function expectValuesLeftOut(
  store: OutboxStore,
  website: string,
  values: Partial<WebsiteSettings>,
  became: Edit | null,
): void {
  const left = settingNames.filter((name) => became?.settings[name] === undefined)
  expectValues(store, website, pickNamed(values, left))
}
