import type { WebsiteRecord } from '../../../shared/website.ts'
import type { Edit, SentNote } from '../model/edit.ts'
import { expectValuesAlreadySet } from '../late-writes/accept.ts'
import type { OutboxPorts, OutboxStore, Website } from '../ports.ts'
import { storeReadRecord } from '../late-writes/note-read.ts'

/**
 * Stores the edit as `sending`, and the record that was read, before the first byte leaves (docs/sync.md#edit-states). Returns
 * the stored edit. Call it within `store.write`.
 */
export function markSending(
  { store, connectivity, clock }: OutboxPorts,
  { edit, website, prepared, remote }: { edit: Edit; website: Website; prepared: Edit; remote: WebsiteRecord | null },
): Edit {
  const sent: SentNote =
    edit.sent === null
      ? {
          before: domainPresence(store, website),
          date: connectivity.serviceDate(),
          accepted: false,
          doubted: false,
        }
      : {
          ...edit.sent,
          before: domainPresenceBeforeResend(store, edit.sent, website),
          accepted: false,
          unclear: false,
          shown: undefined,
        }
  const sending: Edit = { ...prepared, standing: { state: 'sending' }, attempts: edit.attempts + 1, sent }
  if (remote !== null) {
    storeReadRecord(store, remote, clock.wall())
    expectValuesAlreadySet(store, edit, prepared, remote)
  }
  store.saveEdit(sending)
  return sending
}

/**
 * Returns whether the service had the domain before the first send. If that was unknown, a later complete list without the
 * domain proves `absent`.
 */
const domainPresenceBeforeResend = (store: OutboxStore, { before }: SentNote, website: Website): SentNote['before'] =>
  before === 'unknown' && domainPresence(store, website) === 'absent' ? 'absent' : before

/** Returns whether a website on the service has the domain, judged by the stored records. */
function domainPresence(store: OutboxStore, { id, domain }: Website): SentNote['before'] {
  if (id !== null || store.websitesOfDomain(domain).some((other) => other.id !== null)) return 'present'
  return store.hasCompleteSnapshot() ? 'absent' : 'unknown'
}
