import type { WebsiteRecord } from '../../../shared/website.ts'
import { hasChangedSince, isOtherWebsite } from '../model/compare-with-record.ts'
import { requeued, theirsOf, type Edit } from '../model/edit.ts'
import { storeReadRecord } from '../late-writes/note-read.ts'
import { isStale } from '../remote/staleness.ts'
import type { OutboxPorts, OutboxStore } from '../ports.ts'
import { readOr } from '../read-or.ts'
import { conflictOf } from './conflict.ts'

/** A read that takes longer counts as failed. */
const MAX_WAIT_MS = 5_000

type Ports = Pick<OutboxPorts, 'store' | 'serviceForUser' | 'connectivity' | 'clock'>

/** Returns null if the edit is not parked because of a record, or the website cannot be read now. */
export async function readTheirs(ports: Ports, id: string): Promise<WebsiteRecord | null> {
  const { store, serviceForUser, connectivity, clock } = ports
  const edit = readOr(store, null, () => store.edit(id))
  const theirs = edit === null ? null : theirsOf(edit)
  if (theirs === null) return null
  const gate = connectivity.gate()
  // Reading goes on while sending is paused or waits for the rate limit.
  if (!gate.open && (gate.reason === 'connection' || gate.reason === 'key')) return null
  let stopWaiting = () => {}
  const late = new Promise<null>((resolve) => (stopWaiting = clock.after(MAX_WAIT_MS, () => resolve(null))))
  const read = await Promise.race([serviceForUser.get(theirs.id), late])
  stopWaiting()
  return read?.outcome === 'applied' ? read.value : null
}

/** Returns the newest known record that the user is asked about. Call it within `store.read` or `store.write`. */
export function newestTheirs(store: OutboxStore, edit: Edit, read: WebsiteRecord | null): WebsiteRecord | null {
  const theirs = theirsOf(edit)
  if (theirs === null) return null
  const records = [store.websiteOfId(theirs.id)?.record ?? null, read?.id === theirs.id ? read : null]
  return records.reduce<WebsiteRecord>(
    (newest, one) => (one === null || isOlderState(one, newest) ? newest : one),
    theirs,
  )
}

/** True if `theirs` has another domain than the create, now or when the user was asked: a refresh may have renamed its website. */
export const isForAnotherWebsite = (store: OutboxStore, edit: Edit, theirs: WebsiteRecord): boolean =>
  edit.kind === 'create' &&
  [store.website(edit.website), theirsOf(edit)].some((one) =>
    isOtherWebsite({ settings: {}, domain: one?.domain }, theirs),
  )

/** True if `one` shows an older state of the website than `other`. */
const isOlderState = (one: WebsiteRecord, other: WebsiteRecord): boolean =>
  isStale({ record: other, writtenFor: null }, one)

/** Queues the edit again if the record leaves nothing to ask. Returns false if nothing changes. Call it within `store.write`. */
export function updateTheirs(store: OutboxStore, id: string, read: WebsiteRecord, at: number): boolean {
  const edit = store.edit(id)
  if (edit === null || edit.standing.state !== 'parked') return false
  const theirs = newestTheirs(store, edit, read)
  if (theirs === null || isForAnotherWebsite(store, edit, theirs)) return false
  storeReadRecord(store, theirs, at)
  const shown: Edit = { ...edit, standing: { ...edit.standing, theirs, theirsAt: at } }
  store.saveEdit(isAnsweredByRecord(shown, theirs) ? requeued(shown) : shown)
  return true
}

/** True if the edit is parked for a conflict, and the record leaves nothing to ask about it. */
function isAnsweredByRecord(edit: Edit, theirs: WebsiteRecord): boolean {
  if (edit.standing.state !== 'parked' || edit.standing.reason !== 'conflict') return false
  if (isOtherWebsite(edit.base, theirs)) return false
  return edit.kind === 'delete' ? !hasChangedSince(edit.base, theirs) : conflictOf(edit) === null
}
