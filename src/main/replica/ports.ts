import type { Account } from '../../shared/account.ts'
import type { RemoteDetail, RemoteSummary } from '../../shared/activity.ts'
import type { WebsiteLocalData } from '../../shared/local-data.ts'
import type { Result } from '../../shared/result.ts'
import type { ListQuery, WebsiteRecord, WebsiteSettings } from '../../shared/website.ts'
import type { Edit } from '../outbox/model/edit.ts'
import type { OutboxStore, RunRead, Website } from '../outbox/ports.ts'

/** A website that another client has added or changed. */
export interface RemoteChange extends RemoteDetail {
  /** The number of the entry in the activity. */
  n: number
  website: string
  kind: 'added' | 'changed'
}

/** The remote changes that are reported together. */
export interface RemoteChangesReport {
  summary: RemoteSummary
  /** The earliest time of these changes, in milliseconds since 1970. */
  since: number
  /** The number of the last entry of the activity that was reported before. */
  after: number
  /** The number of the last entry that is reported now. */
  until: number
}

/** The limits of the activity, and the remote changes that were not reported yet. */
export interface ActivityLog {
  /** Removes the entries before a time, in milliseconds since 1970. Errors: `disk-full`, `storage`, `newer-version`. */
  pruneActivity(before: number): Result<void>
  /**
   * Returns the remote changes since the last call, each counted once, even if the app restarts. Null if there are none. Errors:
   * `disk-full`, `storage`, `newer-version`.
   */
  takeRemoteNews(): Result<RemoteChangesReport | null>
  /** Returns the first websites that were added or changed after one entry and until another. Errors: `storage`. */
  remoteChangesBetween(after: number, until: number, limit: number): Result<RemoteChange[]>
}

/** Storage of the local copy. Reads happen inside {@link ReplicaStore.read}. */
export interface ReplicaStore extends ActivityLog {
  read: RunRead
  /** Returns a point in time that is compared with acknowledgements. Take it before a read begins. */
  mark(): number
  /** Begins a read of the whole list. Returns the number of the run. Errors: `disk-full`, `storage`. */
  beginRun(): Result<number>
  /**
   * Stores websites that were requested at `mark`, except those acknowledged since, and returns the keys of those that
   * changed. `position` is the place of the first one in the service's order; null leaves them where they are. Remote
   * changes are recorded with the time `at` (milliseconds since 1970). Errors: `disk-full`, `storage`.
   */
  savePage(page: {
    run: number
    mark: number
    position: number | null
    at?: number
    websites: WebsiteRecord[]
  }): Result<string[]>
  /** Returns the websites that this run has not seen and that have no pending edit; none if a later run has begun. */
  missing(run: number): { key: string; id: string }[]
  /**
   * Removes a website that another client deleted, unless it was acknowledged or edited after `mark`. Returns true if it was
   * removed. The remote change is recorded with the time `at` (milliseconds since 1970). Errors: `disk-full`, `storage`.
   */
  removeMissing(key: string, mark: number, at?: number): Result<boolean>
  /**
   * Marks the replica as complete, unless a later run has begun. `seenAt` is the start of the run, in milliseconds since 1970.
   */
  completeRun(run: number, seenAt: number): Result<void>
  /** Returns the start of the last complete run in milliseconds since 1970, or null if there was none. */
  completeAt(): number | null

  /** Returns the account and the time when it was read, in milliseconds since 1970; null if it was never read. */
  account(): { account: Account; seenAt: number } | null
  saveAccount(account: Account, seenAt: number): Result<void>
}

/** Access to the websites with pending edits, which the refresh reads first. Reads happen inside {@link ReplicaStore.read}. */
export type EditedWebsitesStore = Pick<OutboxStore, 'website' | 'websiteOfId' | 'editsPage' | 'total'>

/** The fields of a website's record that filters test. A field that the service doesn't show is absent. */
export type FilterableFields = Partial<WebsiteSettings> & Pick<WebsiteRecord, 'created_at'>

/** The reads of the view. They happen inside {@link ViewStore.read}. */
export interface ViewStore extends Pick<OutboxStore, 'websiteOfId' | 'websitesOfAnySpelling'> {
  read: RunRead
  website(key: string): Website | null
  /** Returns websites in the given order. Those that are not created yet count as the newest. */
  websites(query: Pick<ListQuery, 'search' | 'sort_by' | 'sort'>, offset: number, limit: number): Website[]
  /** Returns the keys of all matching websites in the given order. */
  keys(query: Pick<ListQuery, 'search' | 'sort_by' | 'sort'>): string[]
  /**
   * Returns the stored settings of a website, or null if it does not exist. `edited`: it has pending edits, which are not
   * in `facts`.
   */
  facts(key: string): { domain: string; facts: FilterableFields; edited: boolean } | null
  /** Returns the tags and the note of a domain, or null if it has none. */
  localOf(domain: string): WebsiteLocalData | null
  /** Returns a number that changes with each write. */
  changes(): number
  /** Returns the number of websites that match the search text. */
  matching(search: string): number
  /** Returns the domains of all websites without a delete, even a parked one, sorted. */
  domains(): { key: string; domain: string }[]
  /** Returns the number of websites in the list. */
  total(): number
  editsOf(website: string): Edit[]
}
