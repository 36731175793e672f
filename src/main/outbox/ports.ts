import type { ActivityQuery, EditStep } from '../../shared/activity.ts'
import type { EditKind, WaitReason } from '../../shared/edit.ts'
import type { AppError, Result } from '../../shared/result.ts'
import type { WebsiteChanges, WebsiteDraft, WebsiteRecord } from '../../shared/website.ts'
import type { Service } from '../service/port.ts'
import type { Edit } from './model/edit.ts'
import type { ConnectionIdentity } from './transfer/export-file.ts'
import type { ActivityFacts, StoredActivityPage } from './model/activity.ts'
import type { HistoryRecord } from './model/history-record.ts'
import type { ImportFile } from './transfer/import-read.ts'
import type { LateWrite } from './model/late-write.ts'

/**
 * A website of this connection under its permanent local key. `record` is as last read or acknowledged; null if there is none
 * yet, or it cannot be read from disk.
 */
export interface Website {
  key: string
  /** The service's id, or null until the service is known to have the website. */
  id: string | null
  domain: string
  record: WebsiteRecord | null
}

/** The first edit of a website, with the fields that decide whether it may be sent. */
export interface FirstEdit {
  id: string
  website: string
  seq: number
  kind: Edit['kind']
  attempts: number
  /** True if it creates a domain that an earlier edit still has to delete. */
  depends: boolean
}

/** Runs reads, and returns a failure of the disk as an error. Errors: those of `work`, `storage`. */
export type RunRead = <T>(work: () => Result<T>) => Result<T>

/** Stores the websites that edits belong to. */
export interface WebsiteStore {
  website(key: string): Website | null
  /** Returns the websites whose stored domain has exactly this spelling. */
  websitesOfDomain(domain: string): Website[]
  /**
   * Returns the websites of a domain, also those that have it in another spelling, such as `WWW.Shop.Example`
   * (docs/service.md#domains).
   */
  websitesOfAnySpelling(domain: string): Website[]
  websiteOfId(id: string): Website | null
  /** Adds a website that is not on the service yet. */
  addWebsite(key: string, domain: string): void
  /** Changes the domain of a website that is not on the service yet. */
  renameWebsite(key: string, domain: string): void
  /** Removes a website with all its edits. */
  removeWebsite(key: string): void
  /** Returns the number of websites in the list, those that are not created yet included. */
  total(): number
}

/** Stores the edits. */
export interface EditStore {
  /**
   * Returns a number above all that it has returned before, and at least `wall`, a time in milliseconds since 1970. It gives
   * saves an order that does not depend on the clock.
   */
  nextOrder(wall: number): number
  /** Returns the `order` of the newest save, which {@link EditStore.nextOrder} has returned last, or 0. */
  lastOrder(): number

  edit(id: string): Edit | null
  /** Returns the edits of a website in order. */
  editsOf(website: string): Edit[]
  /** Returns a page of all edits: the parked edits first, then the other edits, each group in order. */
  editsPage(offset: number, limit: number): Edit[]
  /** Returns at most `limit` edits in order, from the position `seq` on. */
  editsFrom(seq: number, limit: number): Edit[]
  /**
   * Iterates over the first edit of each website, in order from the position `from` on. A website whose first edit is parked is
   * left out. Don't write while iterating.
   */
  firstEdits(from: number): Iterable<FirstEdit>
  /** True if the edit creates a domain that an earlier edit still has to delete. */
  dependsOnDelete(edit: Edit): boolean
  /** True if a delete is pending that is not parked and does not wait behind a parked edit of its website. */
  hasDeletes(): boolean
  /** Returns the edits that are parked because of the plan's website limit. */
  limited(): Edit[]
  /** Counts the parked edits, and as `waiting` all other edits. */
  counts(): { waiting: number; parked: number }
  /** Counts the pending edits of each kind, parked ones excluded. */
  waitingKinds(): Record<EditKind, number>
  /**
   * Checks whether the edits of the next slice can be read. {@link counts} adds unreadable edits to the parked ones. Returns
   * false once all are checked.
   */
  inspect(): boolean

  /** Adds an edit as the last one and gives it its number. */
  addEdit(edit: Omit<Edit, 'seq'>): void
  /** Saves an edit. Its id, number and website cannot change. */
  saveEdit(edit: Edit): void
  removeEdit(id: string): void
  /** Removes an unreadable edit that the user gives up, and keeps a copy of it apart from the edits. */
  setAside(id: string): void
  /** Marks the edits that were `sending` when the process ended as in doubt, and returns their number. */
  markInterruptedInDoubt(): number
}

/** Stores the results of edits, which are the user's own part of the activity. */
export interface HistoryStore {
  /**
   * Adds a record to the activity, replacing an earlier one of the same edit, and removes the oldest entries above the limit.
   * `also` are the ids of edits that were applied with it.
   */
  addHistoryRecord(historyRecord: HistoryRecord, also?: readonly string[]): void
  /** Returns the stored result of the edit with this id, or null. */
  historyRecord(id: string): HistoryRecord | null
  saveHistoryRecord(historyRecord: HistoryRecord): void
  /** Returns the latest records of a website, the last one first. */
  historyRecords(website: string, limit: number): HistoryRecord[]
  countHistoryRecords(website: string): number
  /** True if an edit is known to have been applied. */
  wasApplied(id: string): boolean
  /** Adds a step of an edit to the activity. */
  addStep(record: ActivityFacts, step: EditStep): void
  /** Returns a page of the activity, the latest entry first. Unreadable entries are left out. */
  activity(query: ActivityQuery): StoredActivityPage
}

/** Stores the requests that may still take effect after the outbox gave them up (docs/sync.md#late-writes). */
export interface LateWriteStore {
  /** Adds a request that may still take effect. The late writes of a website are returned with the oldest first. */
  addLateWrite(lateWrite: Omit<LateWrite, 'n'>): void
  saveLateWrite(lateWrite: LateWrite): void
  removeLateWrite(n: number): void
  lateWritesOf(website: string): LateWrite[]
  /** Returns each website that has late writes, with the number of its latest one. */
  lateWriteWebsites(): { website: string; latest: number }[]
}

/** Stores what the answers of the service have shown: its records, and its time zone. */
export interface AcknowledgementStore {
  /**
   * Stores the record as the service acknowledged it, and maps its id to the key. Reads that began earlier no longer change it.
   */
  acknowledge(key: string, record: WebsiteRecord): void
  /**
   * Notes for the user which fields other clients have changed from `before` to `after`. `at` is in milliseconds since 1970, for
   * display only.
   */
  noteRemote(key: string, before: WebsiteRecord, after: WebsiteRecord, at: number): void
  /** Removes a website that the service has deleted, with all its edits. Reads that began earlier do not bring it back. */
  acknowledgeDelete(key: string): void
  /** True if the list has been read completely at least once. */
  hasCompleteSnapshot(): boolean

  /**
   * Returns how far the service's times without a zone are ahead of UTC, in milliseconds, or null if nothing has shown it yet.
   */
  timeOffset(): number | null
  saveTimeOffset(offset: number): void
}

/**
 * The store of an outbox. Writes are allowed only within {@link OutboxStore.write}, and survive a power cut once it has returned
 * `ok`. Reads are allowed within {@link OutboxStore.read} or a write; elsewhere a failing disk throws.
 */
export interface OutboxStore extends WebsiteStore, EditStore, HistoryStore, LateWriteStore, AcknowledgementStore {
  /** True if a newer version wrote the file: it is only read, and nothing in it is sent. */
  readonly readOnly: boolean
  read: RunRead
  /** One transaction, all or nothing. Errors: those of `work`, `disk-full`, `storage`; `newer-version` if read-only. */
  write<T>(work: () => Result<T>): Result<T>
}

/** Seals passwords. A password can only be unsealed for the domain that it was sealed for. */
export interface Sealer {
  /** Without a keychain, the password can only be unsealed until the app ends. Errors: `keychain-locked`, `keychain-timeout`. */
  seal(plain: string, domain: string): Promise<Result<Uint8Array>>
  /** Errors: `keychain-*`; `password-missing` if the data key is gone or the password was sealed for another domain. */
  unseal(sealed: Uint8Array, domain: string): Promise<Result<string>>
}

/** Clocks in milliseconds. `wall` is for display only; every delay uses `monotonic`. */
export interface Clock {
  wall(): number
  monotonic(): number
  /** Calls once after `ms`. The returned function cancels the call. */
  after(ms: number, call: () => void): () => void
  /** Calls once the current task is done and its answer has been sent. The returned function cancels the call. */
  soon(call: () => void): () => void
}

/** Random ids and numbers. */
export interface Random {
  id(): string
  /** Returns a number n with 0 ≤ n < 1. */
  fraction(): number
}

/**
 * The answer to whether a request may be sent now, with the reason if not. `until` is by the monotonic clock; null means until
 * something happens.
 */
export type Gate =
  | { open: true }
  | {
      open: false
      reason: Extract<WaitReason, 'paused' | 'connection' | 'key' | 'rate'>
      error: AppError | null
      until: number | null
    }

/** Number of requests of one step: a write must not have to wait for the rate limit after the read before it. */
export const REQUESTS_PER_STEP = 2

/** Says whether requests may be sent now, and what is known of the service's clock and speed. */
export interface Connectivity {
  /** Returns whether this many requests (default one) may be sent now, and if not, why. */
  gate(requests?: number): Gate
  /**
   * Makes an authenticated read to check that this address and key reach the service, and opens or closes the gate by the result.
   * Returns true if the read has succeeded.
   */
  probe(): Promise<boolean>
  /**
   * Estimates the milliseconds until this many further requests are answered, once online, from the rate budget, its pauses and
   * earlier answer times. Null before the first answer.
   */
  timeFor(requests: number): number | null
  /** Tries again at once if the gate is closed. */
  retryNow(): void
  /** Notes whether `owner` has work for the service. While no owner has any, nothing is retried in the background. */
  setWaiting(owner: string, waiting: boolean): void
  /** True if the service has answered since the start or the last sleep, so that its clock is known if it sends one. */
  hasAnswered(): boolean
  /**
   * Estimates the time of the service's clock in milliseconds since 1970, from the Date header of its last quick answer, or of a slow
   * one if there was no quick one.
   */
  serviceDate(): number | null
  onChange(listener: () => void): () => void
}

/**
 * A write as it will be sent, for the user to read. The service client builds it, so that it cannot differ from the real request.
 */
export interface DescribedRequest {
  method: string
  path: string
  form?: [string, string][]
}
/** Builds the description of a write. Sends nothing. */
interface RequestDescriber {
  buildCreateRequest(draft: WebsiteDraft): DescribedRequest
  buildUpdateRequest(id: string, changes: WebsiteChanges): DescribedRequest
  buildDeleteRequest(id: string): DescribedRequest
}

/** Reads and checks a file of exported edits outside the main thread. Errors: `bad-file`, `newer-version`. */
export type ReadImport = (
  text: string,
  onProgress: (done: number, total: number) => void,
) => Promise<Result<ImportFile>>

/** Everything that the outbox uses of the rest of the app. */
export interface OutboxPorts {
  /** The connection that the outbox belongs to. */
  identity: ConnectionIdentity
  store: OutboxStore
  service: Service
  /** The service for reads that the user waits for, which may use the whole rate limit. */
  serviceForUser: Pick<Service, 'get'>
  requests: RequestDescriber
  sealer: Sealer
  clock: Clock
  random: Random
  connectivity: Connectivity
  readCache: ReadCache
  readImport: ReadImport
}

/**
 * The maximum age of a read (docs/sync.md#reading-before-a-write). `single`: 2 s. `pages`: 15 s if the record was read by page.
 * `delayed`: one minute, for a write that was delayed after two reads.
 */
export type ReadAgeLimit = 'single' | 'pages' | 'delayed'

/**
 * The records that were read within the last minute by any part of the app. They are kept in memory only; after a restart each is
 * read again.
 */
export interface ReadCache {
  /**
   * Wraps the service and notes its answers. A read of a single record that shows the state before our last write, or contradicts
   * a newer read, is returned as in doubt. Wrap the service next to the network, behind everything that delays a request.
   */
  noting(service: Service): Service
  /** Returns the record, or null if none is known or it is older than the limit allows, so that it has to be read again. */
  of(id: string, limit: ReadAgeLimit): WebsiteRecord | null
  /** Returns the record, or a newer known one if a host that lags behind our writes has sent the record. */
  newest(record: WebsiteRecord): WebsiteRecord
  /** Returns the record of the latest answer if it may be older than what is known, or null if that answer is trusted. */
  doubted(id: string): WebsiteRecord | null
  /** Returns the milliseconds since this process received the answer to a write of this website, or null if it remembers none. */
  timeSinceWrite(id: string): number | null
  /** Notes that a read has proven one of our writes. The read counts as the answer to that write. */
  noteProven(record: WebsiteRecord): void
  /** Returns the next id that a page of the list brought, each id once, or null if there is none that is recent enough. */
  takeListed(): string | null
  /** Removes expired entries. The next read also does that. */
  forgetOld(): void
}
