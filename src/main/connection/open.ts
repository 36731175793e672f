import type { Result } from '../../shared/result.ts'
import type { Recovery } from '../../shared/state.ts'
import type { BulkChanges } from '../bulk/bulk-changes.ts'
import type { Bulk } from '../bulk/bulk.ts'
import type { Outcome } from '../bulk/outcome.ts'
import type { Presets } from '../bulk/presets.ts'
import type { Outbox } from '../outbox/contract.ts'
import type { ReachMonitor } from '../connectivity/reach.ts'
import type { Refresh } from '../replica/refresh.ts'
import type { View } from '../replica/view.ts'
import type { StoredConnection } from '../storage/app.ts'
import type { ConnectionKey } from './key.ts'
import type { Identity } from './probe.ts'

/** One connection at work: its file is open, its outbox replays. Nothing of it is shared with another connection. */
export interface OpenConnection {
  readonly record: StoredConnection
  readonly key: ConnectionKey
  readonly outbox: Outbox
  readonly view: View
  readonly bulk: Bulk
  readonly bulkChanges: BulkChanges
  readonly outcome: Outcome
  readonly presets: Presets
  readonly refresh: Refresh
  readonly reach: ReachMonitor
  /** Its file is of a newer version: it's shown, and nothing of it is changed or sent. */
  readonly readOnly: boolean
  /** What was restored in the place of a damaged file, until the user has read it. */
  salvaged(): Recovery | null
  /** Errors: `disk-full`, `storage`. */
  dismissSalvage(): Result<void>
  /** How many changes came out otherwise than they were sent, until the person has looked at them. */
  mismatches(): number
  /** Errors: `disk-full`, `storage`. */
  mismatchesSeen(): Result<void>
  /** From here on what waits is sent. */
  start(): void
  /** Another key was given, or it came back: goes on with what waited for it. */
  keyChanged(): void
  /** The computer was asleep. */
  resumed(): void
  /** Nobody has looked for long: what is in memory for a quick answer goes. */
  letGo(): void
  close(): Promise<void>
}

const SOME = 3

/**
 * What an open connection is known by: the oldest of its websites, which others have had the longest time to see too,
 * and the newest, in case somebody has cleared up.
 */
export function identityOf({ record, view, outbox }: Pick<OpenConnection, 'record' | 'view' | 'outbox'>): Identity {
  const some = (sort: 'asc' | 'desc') => {
    const page = view.list({ search: '', search_by: 'domain', sort_by: 'id', sort, per_page: 100, page: 1 })
    const seen = page.ok ? page.value.websites : []
    return seen.flatMap(({ id, domain }) => (id === null ? [] : [{ id, domain }])).slice(0, SOME)
  }
  const websites = [...some('asc'), ...some('desc')]
  const { waiting, parked } = outbox.counts()
  return {
    accountId: record.accountId,
    websites: websites.filter(({ id }, at) => websites.findIndex((other) => other.id === id) === at),
    waiting: waiting + parked > 0,
  }
}
