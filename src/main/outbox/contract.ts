import type { EditPage, HistoryPage, Imported, ImportSummary, Resolution, UndoOutcome } from '../../shared/edit.ts'
import type { AppError, Result } from '../../shared/result.ts'
import type { SeenSettings, WebsiteChanges, WebsiteDraft } from '../../shared/website.ts'
import type { Exported } from './transfer/export.ts'
import type { EditStatusOf } from './schedule/edit-status.ts'

/**
 * Websites whose view may have changed, null: any, and maybe the failure too; `edits`: some came, went or moved, else it's
 * what holds them that changed; `drained`: nothing waits any more.
 */
export interface OutboxChange {
  websites: string[] | null
  edits: boolean
  drained: boolean
}

/** How many edits wait (not parked), and how many need the user's decision. */
export interface OutboxCounts {
  waiting: number
  parked: number
}

/**
 * Every write of the user goes through here: on disk when it answers, then replayed (docs/sync.md#request-outcomes). Errors of
 * all that
 * write: `disk-full`, `storage`, and then nothing was taken.
 */
export interface Outbox {
  /** Answers the website's permanent local key. Errors: `invalid-input` with `fields`, `keychain-*`. */
  create(draft: WebsiteDraft): Promise<Result<string>>
  /** Many at once, in slices. Answers for each its key, or what kept it from being queued (as for {@link Outbox.create}). */
  createBulk(drafts: readonly WebsiteDraft[]): Promise<Result<string>[]>
  /** Of these domains, as normalised, those that a create would be refused for: they're in the list. Errors: `storage`. */
  taken(domains: readonly string[]): Promise<Result<string[]>>
  /**
   * Replaces a create that is not sent yet, its domain included; the queued password stays unless another is given. If the create
   * has been sent by now, queues the settings that differ from `seen` (those that the form showed) behind it. Errors:
   * `invalid-input` with `fields` (on `domain` if a sent create has another one), `website-gone`, `edit-gone` (the create cannot
   * be read), `keychain-*`.
   */
  correct(key: string, draft: WebsiteDraft, seen?: SeenSettings): Promise<Result<void>>
  /**
   * Fields left out stay. `seen`: what they were for the user, where that isn't what they are now. Errors:
   * `invalid-input` with `fields`, `website-gone`, `keychain-*`.
   */
  update(key: string, changes: WebsiteChanges, seen?: SeenSettings): Promise<Result<void>>
  /**
   * Many at once, in one transaction: answers for each what kept it from being queued (as for {@link Outbox.update}), null
   * where nothing did. A few milliseconds' worth is for the caller to choose.
   */
  updateBulk(asked: readonly { key: string; changes: WebsiteChanges }[]): Promise<(AppError | null)[]>
  /** Holds 10 s for Undo before it's sent. Errors: `website-gone`. */
  delete(key: string): Promise<Result<void>>
  /**
   * Many at once, in slices: none of them is sent before 10 s after the last one is queued. Answers for each what kept it
   * from being queued (as for {@link Outbox.delete}), null where nothing did.
   */
  deleteBulk(keys: readonly string[]): Promise<(AppError | null)[]>
  /**
   * Takes back what isn't sent of the creates, or of the deletes, of these websites, in slices. Answers for each what kept
   * it (`edit-gone`: it's sent, or there is none; as for {@link Outbox.undo}), null where nothing did.
   */
  takeBackBulk(kind: 'create' | 'delete', keys: readonly string[]): Promise<(AppError | null)[]>
  /**
   * Takes back the last save that went into an edit, also if it has been sent by now (docs/sync.md#undo). The undo of a sent create
   * deletes the website: it asks unless the user has `agreed`. Errors: `edit-gone` (undone or discarded before), `domain-listed`.
   */
  undo(editId: string, agreed?: boolean): Result<UndoOutcome>
  /** Gives up what is parked; what can't be read is kept apart. Errors: `edit-gone`. */
  discard(editId: string): Result<void>
  /** Tries one edit now, parked or not; without an id, all that aren't parked. Errors: `edit-gone`. */
  sendNow(editId?: string): Result<void>
  /**
   * The user's word on a parked edit (docs/sync.md#what-the-user-sees). Errors: `edit-gone` (not parked, or not so),
   * `invalid-input` with `fields`, `keychain-*`.
   */
  resolve(editId: string, resolution: Resolution): Promise<Result<void>>
  /** What became of edits, the latest first; `page` counts from 1. */
  history(query: { page: number; per_page: number; website?: string | undefined }): Result<HistoryPage>
  /** Queues the reverse of a history entry, or what it overwrote. Errors: `edit-gone`, `invalid-input`, `keychain-*`. */
  revert(entryId: string, what: 'undo' | 'putBack', password: string | undefined): Promise<Result<void>>
  /** Every unsent edit as text to keep; `secrets`: passwords that were left out. Errors: `storage`. */
  exportQueue(): Promise<Result<Exported>>
  /** Counts what an export would do if it were imported. Errors: as for {@link Outbox.importQueue}. */
  summariseImport(text: string, onProgress?: (done: number, total: number) => void): Promise<Result<ImportSummary>>
  /**
   * Takes an export of the same connection in one transaction. `onProgress`: how many rows of the file have been checked.
   * Errors: `bad-file`, `other-connection`, `newer-version`.
   */
  importQueue(text: string, onProgress?: (done: number, total: number) => void): Promise<Result<Imported>>
  /** How many edits have been delivered since the start. */
  sent(): number
  /** How far the delivery is; null: nothing waits. `seconds`: the estimate for the rest, once online. */
  drain(): { done: number; total: number; seconds: number | null } | null
  /** Those that need the user, then the order in which the others will be sent; `page` counts from 1; `website`: those of one alone. */
  list(query: { page: number; per_page: number; website?: string | undefined }): Result<EditPage>
  /** As last read, where the file can't be read any more. */
  counts(): OutboxCounts
  /** True if a request that was given up may still take effect and change something (docs/sync.md#late-writes). */
  isUnconfirmed(): boolean
  /** Why nothing can be sent from this file (`storage`, `disk-full`); null: nothing of the kind. */
  failure(): AppError | null
  statusOf: EditStatusOf
  start(): void
  /** Nothing goes out from the call on; resolves when the request in flight is dealt with, within a second. */
  stop(): Promise<void>
  /** Resolves when nothing is being sent; while sending is paused nothing more will be. */
  atRest(): Promise<void>
  /** Something outside has changed: the keychain, the key, the connection. */
  wake(): void
  onChange(listener: (change: OutboxChange) => void): () => void
}
