import type { Bulk } from '../bulk/bulk.ts'
import type { BulkOutcome } from '../bulk/outcome.ts'
import type { Presets } from '../bulk/presets.ts'
import type { Outbox } from '../outbox/contract.ts'
import type { ReachMonitor } from '../connectivity/reach.ts'
import type { LocalDataTransfer } from '../local/local-data.ts'
import type { SavedViews } from '../local/saved-views.ts'
import type { Tags } from '../local/tags.ts'
import type { Refresh } from '../replica/refresh.ts'
import type { View } from '../replica/view.ts'
import type { StoredConnection } from '../storage/app.ts'
import type { ConnectionStore } from '../storage/store.ts'
import type { AutoRefresh } from './auto-refresh.ts'
import type { ConnectionKey } from './key.ts'
import type { AccountFingerprint } from './probe.ts'

/** Members of the store that are passed through. */
type ExposedStoreMember =
  'readOnly' | 'salvaged' | 'dismissSalvage' | 'mismatches' | 'remoteChanges' | 'activitySeen' | 'write'

/** A connection whose file is open, with all parts that run for it. */
export interface OpenConnection extends Pick<ConnectionStore, ExposedStoreMember> {
  readonly record: StoredConnection
  readonly key: ConnectionKey
  readonly outbox: Outbox
  readonly view: View
  readonly bulk: Bulk
  readonly outcome: BulkOutcome
  readonly presets: Presets
  readonly savedViews: SavedViews
  readonly tags: Tags
  readonly localData: LocalDataTransfer
  readonly refresh: Refresh
  readonly reach: ReachMonitor
  readonly autoRefresh: AutoRefresh
  start(): void
  /** The key was loaded or replaced: continues with the edits that wait for it. */
  keyChanged(): void
  /** The computer has woken from sleep: continues sending, and refreshes the list. */
  resumed(): void
  /** Frees cached data. Called when the window has been hidden for long. */
  freeMemory(): void
  close(): Promise<void>
}

/** Returns the id of a connection's account, or null if the service has never shown the account. */
export const accountIdOf = ({ record, view }: Pick<OpenConnection, 'record' | 'view'>): string | null =>
  record.accountId ?? view.account()?.account.id ?? null

/** Number of the oldest websites, and of the newest ones, that identify an account. */
const IDENTIFYING_WEBSITES = 3

/** The newest websites are included in case the oldest ones were deleted. */
export function accountFingerprintOf(
  connection: Pick<OpenConnection, 'record' | 'view' | 'outbox'>,
): AccountFingerprint {
  const { view, outbox } = connection
  const firstOf = (sort: 'asc' | 'desc') => {
    const page = view.list({ search: '', search_by: 'domain', sort_by: 'id', sort, per_page: 100, page: 1 })
    const seen = page.ok ? page.value.websites : []
    return seen.flatMap(({ id, domain }) => (id === null ? [] : [{ id, domain }])).slice(0, IDENTIFYING_WEBSITES)
  }
  const websites = [...firstOf('asc'), ...firstOf('desc')]
  const { waiting, parked } = outbox.counts()
  return {
    accountId: accountIdOf(connection),
    websites: websites.filter(({ id }, at) => websites.findIndex((other) => other.id === id) === at),
    hasEdits: waiting + parked > 0,
  }
}
