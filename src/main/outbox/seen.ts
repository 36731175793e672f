import type { WebsiteRecord } from '../../shared/website.ts'
import type { OutboxStore } from './ports.ts'
import { expectedAfter } from './strays.ts'

/** Keeps a record as it was read for an edit, so that the person is shown what is there. Within a write. */
export function noteSeen(store: OutboxStore, key: string, record: WebsiteRecord): void {
  const website = store.website(key)
  if (website?.id !== record.id) return
  if (JSON.stringify(website.record) === JSON.stringify(record)) return
  store.acknowledge(key, record)
  const strays = store.straysOf(key)
  for (const stray of strays) {
    store.saveStray({ ...stray, expected: expectedAfter(stray, record, strays) })
  }
}
