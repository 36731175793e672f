import type { WebsiteRecord } from '../../../shared/website.ts'
import { pickSettings } from '../model/compare.ts'
import { isSent, type Edit } from '../model/edit.ts'
import type { OutboxStore } from '../ports.ts'
import { areVisibleValuesShown } from '../reconcile/settle.ts'
import { expectedAfter } from './remember.ts'

type LateWriteUpdateStore = Pick<OutboxStore, 'lateWritesOf' | 'saveLateWrite'>

/**
 * Stores a record that was read for an edit, so that the user sees current values. Finds the website by the record's id, because
 * a create may ask about a website with another key, and does nothing if there is none. `at`: milliseconds since 1970; if given,
 * a change by another client is recorded with this time. Call it within `store.write`.
 */
export function storeReadRecord(store: OutboxStore, record: WebsiteRecord, at?: number): void {
  const website = store.websiteOfId(record.id)
  if (website === null || JSON.stringify(website.record) === JSON.stringify(record)) return
  const { key, record: stored } = website
  const isRemote = stored !== null && store.hasCompleteSnapshot() && !mayBeChangedByUs(store, key)
  if (isRemote && at !== undefined) store.noteRemote(key, stored, record, at)
  store.acknowledge(key, record)
  updateExpectedOfLateWrites(store, key, record)
}

const mayBeChangedByUs = (store: OutboxStore, key: string): boolean =>
  store.lateWritesOf(key).length > 0 ||
  store.editsOf(key).some(({ sent, note }) => sent !== null || note?.possiblySent !== undefined)

/**
 * Updates our requests that may have caused a change seen in the list: the one in flight and the late writes. Returns false if
 * there are none, so that another client has made the change. Call it within `store.write`.
 */
export function noteListedRecord(
  store: LateWriteUpdateStore & Pick<OutboxStore, 'editsOf' | 'saveEdit'>,
  key: string,
  record: WebsiteRecord,
): boolean {
  const out = store.editsOf(key).find(isSent)
  if (out !== undefined) store.saveEdit(withFirstShown(out, record))
  return updateExpectedOfLateWrites(store, key, record) || out !== undefined
}

/** Returns false if there are no late writes. */
function updateExpectedOfLateWrites(store: LateWriteUpdateStore, key: string, record: WebsiteRecord): boolean {
  const lateWrites = store.lateWritesOf(key)
  for (const lateWrite of lateWrites) {
    store.saveLateWrite({ ...lateWrite, expected: expectedAfter(lateWrite, record, lateWrites) })
  }
  return lateWrites.length > 0
}

/**
 * Returns the edit with `record` as its `shown`, if it is the first record with all visible values of the edit: later differences
 * are remote changes.
 */
export const withFirstShown = (edit: Edit, record: WebsiteRecord): Edit =>
  edit.kind === 'update' && edit.sent !== null && edit.sent.shown === undefined && areVisibleValuesShown(edit, record)
    ? { ...edit, sent: { ...edit.sent, shown: { ...pickSettings(record), updated_at: record.updated_at } } }
    : edit
