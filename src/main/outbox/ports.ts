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

/** A website of this connection under its permanent local key. */
export interface Website {
  key: string
  /** The service's id, or null until the service is known to have the website. */
  id: string | null
  domain: string
  /** The record as last read or acknowledged. Null if there is none yet, or it cannot be read from disk. */
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

/** Runs a read of the database and returns its result. Returns the error `storage` if the disk fails. */
export type RunRead = <T>(work: () => Result<T>) => Result<T>

/** The stored websites and their records. */
export interface WebsiteStore {
  website(key: string): Website | null
  /** Returns the websites whose stored domain has exactly this spelling. */
  websitesOfDomain(domain: string): Website[]
  /** Returns the websites with this domain in any spelling, such as `WWW.Shop.Example` (docs/service.md#domains). */
  websitesOfAnySpelling(domain: string): Website[]
  websiteOfId(id: string): Website | null
  /** Adds a website that is not on the service yet. */
  addWebsite(key: string, domain: string): void
  /** Changes the domain of a website that is not on the service yet. */
  renameWebsite(key: string, domain: string): void
  /** Removes a website with all its edits. */
  removeWebsite(key: string): void
  /** Includes websites that are not created yet. */
  total(): number
}

/** The stored edits that are pending. */
export interface EditStore {
  /**
   * Returns the number for a new save: above all earlier numbers, even if the clock was set back, and at least `wall`
   * (milliseconds since 1970).
   */
  nextOrder(wall: number): number
  /** Returns the number that {@link EditStore.nextOrder} has returned last, or 0. */
  lastOrder(): number

  edit(id: string): Edit | null
  /** Returns the edits in the order of sending. */
  editsOf(website: string): Edit[]
  /** Parked edits come first, then all others, each group in the order of sending. */
  editsPage(offset: number, limit: number): Edit[]
  /** Returns the edits in the order of sending, from the position `seq` on. */
  editsFrom(seq: number, limit: number): Edit[]
  /**
   * Iterates over the first edit of each website in sending order, from the position `from` on. Leaves out a website whose first
   * edit is parked, because that holds the edits behind it. Don't write while iterating.
   */
  firstEdits(from: number): Iterable<FirstEdit>
  /** True if the edit creates a domain that an earlier edit still has to delete. */
  dependsOnDelete(edit: Edit): boolean
  /** True if a delete is pending that is neither parked nor behind a parked edit of its website. */
  hasDeletes(): boolean
  /** Returns the edits parked because of the website limit. */
  limited(): Edit[]
  /** `waiting`: all edits that are not parked. Unreadable edits count as parked. */
  counts(): { waiting: number; parked: number }
  /** Counts pending edits that are not parked. */
  waitingKinds(): Record<EditKind, number>
  /** Checks whether the next slice of edits can be read. Returns false once all are checked. */
  inspect(): boolean

  /** Adds an edit at the end of the queue. */
  addEdit(edit: Omit<Edit, 'seq'>): void
  /** The edit's id, `seq` and website cannot change. */
  saveEdit(edit: Edit): void
  removeEdit(id: string): void
  /** Removes an unreadable edit that the user gives up, but keeps a copy of it. */
  setAside(id: string): void
  /** Marks the edits that were `sending` when the process ended as in doubt, and returns their number. */
  markInterruptedInDoubt(): number
}

/** Stores the results of edits, which are the user's own part of the activity. */
export interface HistoryStore {
  /** Adds the record of an edit, in place of an earlier one. `also`: the ids of edits that were merged into this edit. */
  addHistoryRecord(historyRecord: HistoryRecord, also?: readonly string[]): void
  historyRecord(id: string): HistoryRecord | null
  saveHistoryRecord(historyRecord: HistoryRecord): void
  /** The latest record comes first. */
  historyRecords(website: string, limit: number): HistoryRecord[]
  countHistoryRecords(website: string): number
  wasApplied(id: string): boolean
  addStep(record: ActivityFacts, step: EditStep): void
  /** The latest entry comes first. Leaves out unreadable entries. */
  activity(query: ActivityQuery): StoredActivityPage
}

/** Stores the requests that may still take effect after the outbox gave them up (docs/sync.md#late-writes). */
export interface LateWriteStore {
  addLateWrite(lateWrite: Omit<LateWrite, 'n'>): void
  saveLateWrite(lateWrite: LateWrite): void
  removeLateWrite(n: number): void
  /** The oldest late write comes first. */
  lateWritesOf(website: string): LateWrite[]
  /** `latest`: the number of the website's latest late write. */
  lateWriteWebsites(): { website: string; latest: number }[]
}

/** Stores what the service has confirmed. */
export interface AcknowledgmentStore {
  /** Stores an acknowledged record, and maps its id to the key. Reads that began earlier no longer change it. */
  acknowledge(key: string, record: WebsiteRecord): void
  /** Records for the user which fields another client has changed. `at`: milliseconds since 1970, for display only. */
  noteRemote(key: string, before: WebsiteRecord, after: WebsiteRecord, at: number): void
  /** Removes a website that the service has deleted, with all its edits. Reads that began earlier do not bring it back. */
  acknowledgeDelete(key: string): void
  /** True once the list has been read completely. */
  hasCompleteSnapshot(): boolean

  /** Returns how many milliseconds the service's times without a zone are ahead of UTC, or null if unknown. */
  timeOffset(): number | null
  saveTimeOffset(offset: number): void
}

/**
 * Writes are allowed only within {@link OutboxStore.write}, and survive a power cut once it has returned `ok`. Reads are allowed
 * within {@link OutboxStore.read} or a write; elsewhere a failing disk throws.
 */
export interface OutboxStore extends WebsiteStore, EditStore, HistoryStore, LateWriteStore, AcknowledgmentStore {
  /** True if a newer version wrote the file: it is only read, and nothing in it is sent. */
  readonly readOnly: boolean
  read: RunRead
  /** Runs one transaction. Errors: those of `work`, `disk-full`, `storage`; `newer-version` if read-only. */
  write<T>(work: () => Result<T>): Result<T>
}

/** Encrypts passwords. Each can only be decrypted for the domain that it was encrypted for. */
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
  /** Calls once after `ms`. Returns a function that cancels the call. */
  after(ms: number, call: () => void): () => void
  /** Calls once the current task is done and its response has been sent. Returns a function that cancels the call. */
  soon(call: () => void): () => void
}

/** The source of random values, which tests replace. */
export interface Random {
  id(): string
  /** Returns a number n with 0 ≤ n < 1. */
  fraction(): number
}

/** Says whether requests may be sent now. */
export type Gate =
  | { open: true }
  | {
      open: false
      reason: Extract<WaitReason, 'paused' | 'connection' | 'key' | 'rate' | 'budget'>
      error: AppError | null
      /** By the monotonic clock; null means until something happens. */
      until: number | null
    }

/** A step is a read and a write. The write must not have to wait for the rate limit after the read. */
export const REQUESTS_PER_STEP = 2

/** Tells the outbox if requests may be sent, and follows the service's responses. */
export interface Connectivity {
  /** `requests`: how many are to be sent (default one). */
  gate(requests?: number): Gate
  /**
   * Checks by an authenticated read whether this address and key reach the service, and opens or closes the gate. Returns true if
   * the read has succeeded.
   */
  probe(): Promise<boolean>
  /** Estimates the milliseconds for this many requests while online. Null before the first response. */
  timeFor(requests: number): number | null
  /** Tries again at once if the gate is closed. */
  retryNow(): void
  /** Tells whether `owner` has work for the service. While no owner has any, nothing is retried in the background. */
  setWaiting(owner: string, waiting: boolean): void
  /** True if the service has responded since the start or the last sleep: its clock is then known, if it sends one. */
  hasAnswered(): boolean
  /** Estimates the service's clock from its last `Date` header, preferably of a quick response, in milliseconds since 1970. */
  serviceDate(): number | null
  onChange(listener: () => void): () => void
}

/** A write as it will be sent, for the user to read. The service client builds it, so it cannot differ from the real request. */
export interface DescribedRequest {
  method: string
  path: string
  form?: [string, string][]
}
/** Builds requests that are only shown to the user. */
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

export interface OutboxPorts {
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
 * Maximum age of a read (docs/sync.md#reading-before-a-write). `single`: 2 s. `pages`: 15 s if the record was read by page.
 * `delayed`: one minute, for a write that was delayed after two reads.
 */
export type ReadAgeLimit = 'single' | 'pages' | 'delayed'

/** The records that any part of the app has read within the last minute, in memory only. */
export interface ReadCache {
  /**
   * Wraps the service and notes its responses. A read of a single record that shows the state before our last write, or
   * contradicts a newer read, is returned as in doubt. Must be next to the network, below everything that delays a request.
   */
  noting(service: Service): Service
  /** Returns null if no record is known, or it is older than `limit` allows and has to be read again. */
  of(id: string, limit: ReadAgeLimit): WebsiteRecord | null
  /** Returns `record`, or a newer known record if a host that lags behind our writes has sent `record`. */
  newest(record: WebsiteRecord): WebsiteRecord
  /** Returns the record of the latest response if it may be older than what is known; null if that response is trusted. */
  doubted(id: string): WebsiteRecord | null
  /** Milliseconds since this process received the response to a write of this website; null if it remembers none. */
  timeSinceWrite(id: string): number | null
  /** Call it when a read has proven one of our writes: the read then counts as the response to that write. */
  noteProven(record: WebsiteRecord): void
  /** Returns the next id from the pages of the list that were read recently, each id once. */
  takeListed(): string | null
  /** Removes expired entries now, instead of at the next read. */
  forgetOld(): void
}
