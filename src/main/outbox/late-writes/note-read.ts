import type { WebsiteRecord } from '../../../shared/website.ts'
import { pickSettings } from '../model/compare.ts'
import { isSent, type Edit } from '../model/edit.ts'
import type { OutboxStore } from '../ports.ts'
import { areVisibleValuesShown } from '../reconcile/settle.ts'
import { expectedAfter } from './remember.ts'

type LateWriteUpdateStore = Pick<OutboxStore, 'lateWritesOf' | 'saveLateWrite'>

/**
 * Stores a record that was read for an edit, so that the user sees the current values. The website may have another key than the
 * edit, if a create asks about it. Does nothing if no website has the id of the record. `at`, in milliseconds since 1970, is the
 * time of the remote change that it may show; without it, none is noted. Call it within a write.
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

/** True if a request of ours may have changed the website: a late write, or one of an edit that was sent. */
const mayBeChangedByUs = (store: OutboxStore, key: string): boolean =>
  store.lateWritesOf(key).length > 0 ||
  store.editsOf(key).some(({ sent, note }) => sent !== null || note?.possiblySent !== undefined)

/**
 * Notes a changed record from a list for the requests of ours that may have caused the change: the one in flight and the late
 * writes. Returns false if there are none, so that another client has made the change. Call it within a write.
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

/** Updates the expected values of late writes, and returns true if there are any. */
function updateExpectedOfLateWrites(store: LateWriteUpdateStore, key: string, record: WebsiteRecord): boolean {
  const lateWrites = store.lateWritesOf(key)
  for (const lateWrite of lateWrites) {
    store.saveLateWrite({ ...lateWrite, expected: expectedAfter(lateWrite, record, lateWrites) })
  }
  return lateWrites.length > 0
}

/**
 * Returns the edit with this record as its `shown`, if it is the first to show all visible values of the edit: a later read that
 * differs from it shows a remote change.
 */
export const withFirstShown = (edit: Edit, record: WebsiteRecord): Edit =>
  edit.kind === 'update' && edit.sent !== null && edit.sent.shown === undefined && areVisibleValuesShown(edit, record)
    ? { ...edit, sent: { ...edit.sent, shown: { ...pickSettings(record), updated_at: record.updated_at } } }
    : edit
