import type { Account } from '../../shared/account.ts'
import type { RemoteDetail, RemoteSummary } from '../../shared/activity.ts'
import type { WebsiteLocalData } from '../../shared/local-data.ts'
import type { Result } from '../../shared/result.ts'
import type { ListQuery, WebsiteRecord, WebsiteSettings } from '../../shared/website.ts'
import type { Edit } from '../outbox/model/edit.ts'
import type { OutboxStore, RunRead, Website } from '../outbox/ports.ts'

/** A website that another client has added or changed. */
export interface RemoteChange extends RemoteDetail {
  /** The number of the activity entry. */
  n: number
  website: string
  kind: 'added' | 'changed'
}

/** The remote changes of which the user has not been notified yet. */
export interface RemoteChangesReport {
  summary: RemoteSummary
  /** The earliest time of these changes, in milliseconds since 1970. */
  since: number
  /** The number of the last activity entry that was reported before. */
  after: number
  /** The number of the last entry that is reported now. */
  until: number
}

/** The stored activity, as far as a refresh needs it. */
export interface ActivityLog {
  /** Removes entries before a time, in milliseconds since 1970. Errors: `disk-full`, `storage`, `newer-version`. */
  pruneActivity(before: number): Result<void>
  /** Returns each remote change once, even over a restart. Errors: `disk-full`, `storage`, `newer-version`. */
  takeRemoteNews(): Result<RemoteChangesReport | null>
  /** Returns the first websites in activity entries with numbers above `after` and up to `until`. Errors: `storage`. */
  remoteChangesBetween(after: number, until: number, limit: number): Result<RemoteChange[]>
}

/** Reads happen inside {@link ReplicaStore.read}. */
export interface ReplicaStore extends ActivityLog {
  read: RunRead
  /** Returns a point in time that is compared with acknowledgments. Take it before a read begins. */
  mark(): number
  /** Begins a read of the whole list, and returns the number of this run. Errors: `disk-full`, `storage`. */
  beginRun(): Result<number>
  /**
   * Stores websites that were requested at `mark`. Skips those acknowledged after that. Returns the keys of those that changed.
   * `position`: the place of the first one in the service's order, or null to keep their places. `at`: the time of the remote
   * changes, in milliseconds since 1970. Errors: `disk-full`, `storage`.
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
   * Removes a website that another client has deleted, unless it was acknowledged or edited after `mark`. Returns true if it was
   * removed. `at`: the time of the remote change, in milliseconds since 1970. Errors: `disk-full`, `storage`.
   */
  removeMissing(key: string, mark: number, at?: number): Result<boolean>
  /** Marks the replica as complete, unless a later run has begun. `seenAt`: when it had read its first page, in milliseconds since 1970. */
  completeRun(run: number, seenAt: number): Result<void>
  /** Returns when the last complete run had read its first page, in milliseconds since 1970. */
  completeAt(): number | null

  /** `seenAt`: when the account was read, in milliseconds since 1970. */
  account(): { account: Account; seenAt: number } | null
  saveAccount(account: Account, seenAt: number): Result<void>
}

/** For the refresh, which reads the websites with pending edits first. */
export type EditedWebsitesStore = Pick<OutboxStore, 'website' | 'websiteOfId' | 'editsPage' | 'total'>

/** A field that the service doesn't show is absent. */
export type FilterableFields = Partial<WebsiteSettings> & Pick<WebsiteRecord, 'created_at'>

/** Reads happen inside {@link ViewStore.read}. */
export interface ViewStore extends Pick<OutboxStore, 'websiteOfId' | 'websitesOfAnySpelling'> {
  read: RunRead
  website(key: string): Website | null
  /** Websites that are not created yet count as the newest. */
  websites(query: Pick<ListQuery, 'search' | 'sort_by' | 'sort'>, offset: number, limit: number): Website[]
  keys(query: Pick<ListQuery, 'search' | 'sort_by' | 'sort'>): string[]
  /** `edited`: the website has pending edits, which are not in `facts`. */
  facts(key: string): { domain: string; facts: FilterableFields; edited: boolean } | null
  localOf(domain: string): WebsiteLocalData | null
  /** Returns a number that changes with each write. */
  changes(): number
  /** Returns the number of websites that match the search text. */
  matching(search: string): number
  /** Sorted by domain, without websites that have a delete, even a parked one. */
  domains(): { key: string; domain: string }[]
  total(): number
  editsOf(website: string): Edit[]
}
