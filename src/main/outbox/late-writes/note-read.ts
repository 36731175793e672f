import type { WebsiteRecord } from '../../../shared/website.ts'
import { pickSettings } from '../model/compare.ts'
import { isSent, type Edit } from '../model/edit.ts'
import type { OutboxStore, Website } from '../ports.ts'
import { isShown } from '../reconcile/settle.ts'
import { expectedAfter } from './remember.ts'

type LateWriteStore = Pick<OutboxStore, 'lateWritesOf' | 'saveLateWrite'>

/** Keeps a record as it was read for an edit, so that the user is shown what is there. Within a write. */
export function noteRead(store: OutboxStore, key: string, record: WebsiteRecord): void {
  const website = store.website(key)
  if (website !== null) noteReadOf(store, website, record)
}

/** The same of one that was read just now. */
export function noteReadOf(store: OutboxStore, { key, id, record: known }: Website, record: WebsiteRecord): void {
  if (id !== record.id || JSON.stringify(known) === JSON.stringify(record)) return
  store.acknowledge(key, record)
  noteForLateWrites(store, key, record)
}

/**
 * What a list shows of a website, other than it was, to those requests of ours that may have brought it: the one that is out,
 * and those that were given up. False: there's none, so others have. Within a write.
 */
export function noteListed(
  store: LateWriteStore & Pick<OutboxStore, 'editsOf' | 'saveEdit'>,
  key: string,
  record: WebsiteRecord,
): boolean {
  const out = store.editsOf(key).find(isSent)
  if (out !== undefined) store.saveEdit(withShown(out, record))
  return noteForLateWrites(store, key, record) || out !== undefined
}

/** Whether there are any. */
function noteForLateWrites(store: LateWriteStore, key: string, record: WebsiteRecord): boolean {
  const lateWrites = store.lateWritesOf(key)
  for (const lateWrite of lateWrites) {
    store.saveLateWrite({ ...lateWrite, expected: expectedAfter(lateWrite, record, lateWrites) })
  }
  return lateWrites.length > 0
}

/** Once a list has shown all of it, others may change it before it's settled: what a later read shows is theirs then. */
const withShown = (edit: Edit, record: WebsiteRecord): Edit =>
  edit.kind === 'update' && edit.sent !== null && edit.sent.shown === undefined && isShown(edit, record)
    ? { ...edit, sent: { ...edit.sent, shown: { ...pickSettings(record), updated_at: record.updated_at } } }
    : edit
