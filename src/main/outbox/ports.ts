import type { EditKind, WaitReason } from '../../shared/edit.ts'
import type { AppError, Result } from '../../shared/result.ts'
import type { RemoteChange, WebsiteChanges, WebsiteDraft, WebsiteRecord } from '../../shared/website.ts'
import type { Service } from '../service/port.ts'
import type { Edit } from './model/edit.ts'
import type { ConnectionIdentity } from './transfer/export-file.ts'
import type { HistoryRecord } from './model/history-record.ts'
import type { ImportFile } from './transfer/import-read.ts'
import type { LateWrite } from './model/late-write.ts'

/** A website of this connection: the record as last read or acknowledged, under its permanent local key. */
export interface Website {
  key: string
  /** The service's id; null until the service is known to have it. */
  id: string | null
  domain: string
  record: WebsiteRecord | null
  /** What others did to it that the user hasn't looked at; null: nothing. */
  remoteChange: RemoteChange | null
}

/** The first edit of a website, as much of it as it takes to decide whether it may go. */
export interface Head {
  id: string
  website: string
  seq: number
  kind: Edit['kind']
  attempts: number
  /** It creates a domain that an earlier edit still has to delete. */
  depends: boolean
}

/** Reads; what a disk or a damaged file does to it is a value. Errors: those of `work`, `storage`. */
export type Read = <T>(work: () => Result<T>) => Result<T>

/**
 * Where edits rest. Writes happen within {@link OutboxStore.write} alone; once that has answered `ok` they survive
 * loss of power. Reads happen within {@link OutboxStore.read} or a write: outside of them a failing disk throws.
 */
export interface OutboxStore {
  /** The file is of a newer version: it's read alone, and nothing of it is sent. */
  readonly readOnly: boolean
  read: Read
  /** One transaction, all or nothing. Errors: those of `work`, `disk-full`, `storage`; `newer-version` if read-only. */
  write<T>(work: () => Result<T>): Result<T>

  website(key: string): Website | null
  websitesOfDomain(domain: string): Website[]
  websiteOfId(id: string): Website | null
  /** A website that isn't on the service yet. */
  addWebsite(key: string, domain: string): void
  /** Of a website that isn't on the service yet. */
  renameWebsite(key: string, domain: string): void
  /** Removes it with all its edits. */
  removeWebsite(key: string): void
  /** Websites in all. */
  total(): number

  edit(id: string): Edit | null
  /** In order. */
  editsOf(website: string): Edit[]
  /** Those that are parked, then the others, each in order. */
  editsPage(offset: number, limit: number): Edit[]
  /** In order, from this number on. */
  editsFrom(seq: number, limit: number): Edit[]
  /** The first edit of each website but for parked ones, in order, from this number on. Don't write while reading it. */
  heads(from: number): Iterable<Head>
  dependsOnDelete(edit: Edit): boolean
  /** Whether a delete waits that nothing but time, or the service, keeps. */
  hasDeletes(): boolean
  /** Those that are parked because of the plan's limit. */
  limited(): Edit[]
  counts(): { waiting: number; parked: number }
  /** How many of each kind wait, parked ones apart. */
  waitingKinds(): Record<EditKind, number>
  /** Looks through some more of the edits for such as can't be read, which {@link counts} then counts as parked; false: done. */
  inspect(): boolean

  /** Puts it last; the store gives it its number. */
  addEdit(edit: Omit<Edit, 'seq'>): void
  /** Its id, its number and its website stay as they are. */
  saveEdit(edit: Edit): void
  removeEdit(id: string): void
  /** Keeps a copy of an edit that can't be read, as it is, apart from the edits; it's given up. */
  setAside(id: string): void
  /** What was `sending` when the process ended is in doubt. Answers how many. */
  doubtInterrupted(): number

  /**
   * Adds what became of an edit, in place of what was noted of it before; the oldest entries go (history.ts). `also`: the ids
   * of edits that were applied with it, if it was.
   */
  addHistoryRecord(historyRecord: HistoryRecord, also?: readonly string[]): void
  historyRecord(id: string): HistoryRecord | null
  saveHistoryRecord(historyRecord: HistoryRecord): void
  /** The latest first; `website`: those of one alone. */
  historyRecords(offset: number, limit: number, website: string | undefined): HistoryRecord[]
  countHistoryRecords(website: string | undefined): number
  /** Whether an edit is known to have been applied. */
  wasApplied(id: string): boolean

  /** Requests that may still land, the oldest first. */
  addLateWrite(lateWrite: Omit<LateWrite, 'n'>): void
  saveLateWrite(lateWrite: LateWrite): void
  removeLateWrite(n: number): void
  lateWritesOf(website: string): LateWrite[]
  /** Each website that has any, with the number of its latest. */
  lateWriteWebsites(): { website: string; latest: number }[]

  /** Takes the record as the service acknowledged it: maps its id to the key; reads begun earlier are ignored for it. */
  acknowledge(key: string, record: WebsiteRecord): void
  /**
   * Notes for the user in which fields other clients made `after` of `before`. `at`: milliseconds since 1970, for display alone.
   */
  noteRemote(key: string, before: WebsiteRecord, after: WebsiteRecord, at: number): void
  /** The service has deleted it: removes it with all its edits; reads begun earlier don't bring it back. */
  acknowledgeDelete(key: string): void
  /** Whether the list was ever read completely. */
  hasCompleteSnapshot(): boolean
}

/** Seals passwords for one domain each. Errors: `keychain-missing`, `keychain-locked`, `keychain-timeout`; `password-missing`. */
export interface Sealer {
  seal(plain: string, domain: string): Promise<Result<Uint8Array>>
  unseal(sealed: Uint8Array, domain: string): Promise<Result<string>>
}

/** Milliseconds. `wall` is for display alone; what waits goes by `monotonic`. */
export interface Clock {
  wall(): number
  monotonic(): number
  /** Calls once after `ms`; the answer stops it. */
  after(ms: number, call: () => void): () => void
  /** Calls once this turn is over, and what it answers has left; the answer stops it. */
  soon(call: () => void): () => void
}

export interface Random {
  id(): string
  /** 0 ≤ n < 1 */
  fraction(): number
}

/** Says whether a request may go out now; else why not, and until when (by the monotonic clock; null: until something happens). */
export type Gate =
  | { open: true }
  | {
      open: false
      reason: Extract<WaitReason, 'paused' | 'connection' | 'key' | 'rate'>
      error: AppError | null
      until: number | null
    }

/** The requests of one step: a write must not have to wait for the rate after the read before it. */
export const READ_AND_WRITE = 2

export interface Connectivity {
  /** `requests`: how many have to be able to leave at once; one if not given. */
  gate(requests?: number): Gate
  /** An authenticated read: whether this address, with this key, is the service. Closes or opens the gate by it. */
  probe(): Promise<boolean>
  /**
   * Milliseconds until the last of so many further requests is answered, once online: by the rate budget, its pauses, and
   * the time that answers have taken. Null: there was none yet.
   */
  timeFor(requests: number): number | null
  /** Tries again at once if the gate is closed. */
  retryNow(): void
  /** Whether something of `who` waits for the service: without it nothing is tried by itself. */
  want(who: string, waiting: boolean): void
  /** Whether the service was heard since the start or the last sleep, and with that its clock if it tells it. */
  isHeard(): boolean
  /** The service's own clock: as last heard, and what has passed since; in milliseconds since 1970. */
  serviceDate(): number | null
  onChange(listener: () => void): () => void
}

/** A write as it will be made, for the user to read; of the service's own making, so that it's never another. */
export interface DescribedRequest {
  method: string
  path: string
  form?: [string, string][]
}
interface Requests {
  createRequest(draft: WebsiteDraft): DescribedRequest
  updateRequest(id: string, changes: WebsiteChanges): DescribedRequest
  deleteRequest(id: string): DescribedRequest
}

/** Reads and checks a file of exported edits, off the main thread. Errors: `bad-file`, `newer-version`. */
export type ReadImport = (
  text: string,
  onProgress: (done: number, total: number) => void,
) => Promise<Result<ImportFile>>

export interface OutboxPorts {
  /** What it belongs to, and stays with. */
  identity: ConnectionIdentity
  store: OutboxStore
  service: Service
  requests: Requests
  sealer: Sealer
  clock: Clock
  random: Random
  connectivity: Connectivity
  /** What was read lately, by whomever. */
  readCache: ReadCache
  readImport: ReadImport
}

/**
 * How old a read may be (docs/sync.md#reading-before-a-write): `single`: 2 s; `pages`: 15 s if it was read by page; `known`: a
 * minute, for a write that was kept waiting after it had been read twice.
 */
export type ReadLimit = 'single' | 'pages' | 'known'

/**
 * The records that were read within the last minute, whoever asked for them. They are kept in memory only: after a restart each is
 * read again.
 */
export interface ReadCache {
  /**
   * The same service, its answers noted; a single record as it was before our own last write, or other than a read shows that
   * was begun later and answered first, tells nothing, and is in doubt. It belongs next to the network, behind whatever a
   * request has to wait for.
   */
  noting(service: Service): Service
  /** Returns the record, or null if it was answered longer ago than the limit allows: then it has to be read. */
  of(id: string, limit: ReadLimit): WebsiteRecord | null
  /** Returns the record, or the one that is known to be newer, if a host that lags behind our writes has sent the record. */
  newest(record: WebsiteRecord): WebsiteRecord
  /** How long ago this process heard the answer to a write of it, in milliseconds; null: it hasn't, for all that is remembered. */
  writtenFor(id: string): number | null
  /** A read has proven that a write of ours arrived: it counts as its answer, and what shows otherwise right after is older. */
  proven(record: WebsiteRecord): void
  /** The next id that a page of the list brought, each once; null: there's none, or it was too long ago. */
  takeListed(): string | null
  /** What doesn't count any more goes; without being asked for, with the next read. */
  forgetOld(): void
}
