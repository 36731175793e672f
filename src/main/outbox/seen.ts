import type { WebsiteRecord } from '../../shared/website.ts'
import type { OutboxStore } from './ports.ts'
import { expectedAfter, hasCome } from './strays.ts'

/** Keeps a record as it was read for an edit, so that the person is shown what is there. Within a write. */
export function noteSeen(store: OutboxStore, key: string, record: WebsiteRecord): void {
  const website = store.website(key)
  if (website?.id !== record.id) return
  const strays = store.straysOf(key)
  // A refresh may have shown it already, but asks nothing of late requests.
  for (const stray of strays) if (hasCome(stray, record)) store.saveStray({ ...stray, come: true })
  if (JSON.stringify(website.record) === JSON.stringify(record)) return
  store.acknowledge(key, record)
  for (const stray of store.straysOf(key)) {
    store.saveStray({ ...stray, expected: expectedAfter(stray, record, strays) })
  }
}
