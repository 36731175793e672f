import type { Account } from '../../shared/account.ts'
import type { BulkWebsiteResult } from '../../shared/bulk-change.ts'
import type { Result } from '../../shared/result.ts'
import type { ListQuery, SomeDomains, WebsiteRecord, WebsiteSettings } from '../../shared/website.ts'
import type { Edit } from '../outbox/model/edit.ts'
import type { OutboxStore, Read, Website } from '../outbox/ports.ts'

/** The local copy of what the service has. Reads happen within {@link ReplicaStore.read}. */
export interface ReplicaStore {
  read: Read
  /** A point in time to compare acknowledgements with: take it before a read begins. */
  mark(): number
  /** Begins a run of reading the whole list; answers its number. Errors: `disk-full`, `storage`. */
  beginRun(): Result<number>
  /**
   * Keeps one page of a run that was asked for at `mark`; `position` is that of its first website in the service's own
   * order, null: each stays where it is. What others did by it is noted, `at` milliseconds since 1970. Answers the keys of the websites that changed. Errors: `disk-full`, `storage`.
   */
  savePage(page: {
    run: number
    mark: number
    position: number | null
    at?: number
    websites: WebsiteRecord[]
  }): Result<string[]>
  /** Websites of the service that this run hasn't seen, and that have no edit waiting. */
  missing(run: number): { key: string; id: string }[]
  /** Removes a website that the service proved not to have, unless it was acknowledged or edited since `mark`: others did it. */
  removeMissing(key: string, mark: number): Result<boolean>
  /** A run came to its end: the snapshot is complete. */
  completeRun(run: number, seenAt: number): Result<void>
  /** When the last complete run ended; null: never, or nobody knows any more. */
  completeAt(): number | null

  /** The person has looked at what others did to it. Errors: `disk-full`, `storage`, `newer-version`. */
  lookedAt(key: string): Result<void>
  /** The same of all websites, also of those that others deleted, in one. Errors: as there. */
  allLookedAt(): Result<void>
  /** Those that others deleted since; null: none. */
  deletedRemotely(): SomeDomains | null

  account(): { account: Account; seenAt: number } | null
  saveAccount(account: Account, seenAt: number): Result<void>
}

/** Which websites have edits waiting, for the refresh to read first. Reads happen within {@link ReplicaStore.read}. */
export type EditedWebsites = Pick<OutboxStore, 'website' | 'websiteOfId' | 'editsPage' | 'total'>

/** Of a website's record, what the list is filtered by; a field that is absent isn't shown by the service. */
export type Facts = Partial<WebsiteSettings>

/** What has come of each of those that were last changed, made or deleted as one, by their keys. */
export type BulkWebsiteResults = ReadonlyMap<string, { domain: string; is: BulkWebsiteResult }>

/** What the view reads, within {@link ViewStore.read}. */
export interface ViewStore {
  read: Read
  website(key: string): Website | null
  /** Websites in the asked order; not yet created ones are the newest. */
  websites(query: Pick<ListQuery, 'search' | 'sort_by' | 'sort'>, offset: number, limit: number): Website[]
  /** The keys of all that match, in the asked order. */
  keys(query: Pick<ListQuery, 'search' | 'sort_by' | 'sort'>): string[]
  /** How many of all websites that is so of. */
  countRemoteChanges(): number
  /** Null: no such website. `edited`: edits of it wait, which the facts are without. `remoteChange`: others did something to it. */
  facts(key: string): { facts: Facts; edited: boolean; remoteChange: boolean } | null
  /** A number that differs once anything was written. */
  changes(): number
  matching(search: string): number
  total(): number
  editsOf(website: string): Edit[]
}
