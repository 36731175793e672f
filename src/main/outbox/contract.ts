import type { ActivityPage, ActivityQuery } from '../../shared/activity.ts'
import type { EditPage, ImportResult, ImportEffect, UndoableSave, Resolution, UndoOutcome } from '../../shared/edit.ts'
import type { AppError, Result } from '../../shared/result.ts'
import type { StoredActivityPage } from './model/activity.ts'
import type { SaveOrderRange } from './model/saves.ts'
import type { SeenSettings, WebsiteChanges, WebsiteDraft, WebsiteSettings } from '../../shared/website.ts'
import type { QueueExport } from './transfer/export.ts'
import type { EditStatusOf } from './schedule/edit-status.ts'

/** What may have changed in the outbox. */
export interface OutboxChangeEvent {
  /** Websites whose view may have changed. Null: all of them, and {@link Outbox.failure}, may have changed. */
  websites: string[] | null
  /** True if edits were added, removed or changed; false if only a hold (the reason why an edit is not sent yet) has changed. */
  edits: boolean
}

/** The numbers of pending edits. */
export interface OutboxCounts {
  /** Pending edits that are not parked. */
  waiting: number
  parked: number
}

/** An update of one website within a bulk write. */
export interface WebsiteUpdate {
  key: string
  changes: WebsiteChanges
  /** `seen` and `seenAt`: as for {@link Outbox.update}. */
  seen?: SeenSettings
  seenAt?: string | undefined
  /** If this update only undoes an earlier save: the values that the save had set. */
  undone?: Partial<WebsiteSettings>
  /**
   * The place of that save among all saves, if it changed a write-only value. If the save is still in an unsent edit, it is
   * removed from that edit instead of being reversed. `changes` may then be empty.
   */
  undoneSave?: SaveOrderRange | undefined
  /** The website's domain when that save was made. */
  domain?: string | undefined
}

/**
 * Accepts every write of the user. An edit is on disk before the call returns, and is sent afterwards
 * (docs/sync.md#request-outcomes). Errors of all writes: `disk-full`, `storage`; nothing is stored then.
 */
export interface Outbox {
  /** Returns the website's permanent local key. Errors: `invalid-input` with `fields`, `keychain-*`. */
  create(draft: WebsiteDraft): Promise<Result<string>>
  /** Returns those of the normalized domains that a website (not being deleted) has already. Errors: `storage`. */
  takenDomains(domains: readonly string[]): Promise<Result<string[]>>
  /**
   * Replaces an unsent create, including its domain, and keeps the queued password unless the draft has another. If the create
   * was already sent, queues the settings that differ from `seen` (the values in the form) as an update. Errors: `invalid-input`
   * with `fields` (on `domain` if it differs from that of a sent create), `website-gone`, `edit-gone` (an edit of the website
   * cannot be read), `keychain-*`.
   */
  correct(key: string, draft: WebsiteDraft, seen?: SeenSettings): Promise<Result<void>>
  /**
   * Queues an update. `seen`: the values that the user was shown, possibly of more or fewer fields than `changes`. `seenAt`:
   * the `updated_at` of the record that the user was shown, if known. Errors: `invalid-input` with `fields`, `website-gone`
   * (even if a delete is only pending), `keychain-*`.
   */
  update(key: string, changes: WebsiteChanges, seen?: SeenSettings, seenAt?: string): Promise<Result<void>>
  /**
   * Creates and updates websites in one transaction; ten thousand of them block for about a second. `created` has each new key or
   * an error as for {@link Outbox.create}, `updated` has null or an error as for {@link Outbox.update}. Errors: `storage`,
   * `disk-full`; then nothing is queued.
   */
  writeBulk(changes: {
    drafts?: readonly WebsiteDraft[]
    updates?: readonly WebsiteUpdate[]
  }): Promise<Result<{ created: Result<string>[]; updated: (AppError | null)[] }>>
  /**
   * Queues a delete. It is sent after 10 s at the earliest, so that the user can undo it. If the website was certainly never
   * created on the service, removes it with its create at once instead. Errors: `website-gone`.
   */
  delete(key: string): Promise<Result<void>>
  /**
   * Deletes websites in several transactions; none is sent until 10 s after the last one was queued. Returns null or an error for
   * each, as for {@link Outbox.delete}; `website-gone` even if a delete of the website is pending and not parked.
   */
  deleteBulk(keys: readonly string[]): Promise<(AppError | null)[]>
  /**
   * Undoes the latest create or delete of each website, in several transactions. Until the app quits, this also restores websites
   * that {@link Outbox.deleteBulk} has removed because their create was never sent. If the create or delete was sent, its outcome
   * is `asks` unless the user has `agreed`. Errors: as for {@link Outbox.undo}.
   */
  takeBackBulk(kind: 'create' | 'delete', keys: readonly string[], agreed?: boolean): Promise<Result<UndoOutcome>[]>
  /**
   * Undoes the last save that went into an edit, even if it has been sent (docs/sync.md#undo). The undo of a sent create deletes
   * the website, and that of a sent delete creates it again without its statistics: both return `asks` unless the user has
   * `agreed`. `whole`: true undoes all saves of an edit that is still in the outbox, false the last one. Errors: `edit-gone`
   * (undone or discarded before, or no longer in the outbox with `whole`), `domain-listed`.
   */
  undo(editId: string, agreed?: boolean, whole?: boolean): Result<UndoOutcome>
  /** Returns the place of the newest save among all saves; 0 if there is none or it can't be read. */
  lastOrder(): number
  /** Returns the latest save that was not undone, pending or sent, of one website or of all. */
  lastSave(website?: string): Result<UndoableSave | null>
  /**
   * Discards a parked or unreadable edit; keeps a copy of an unreadable one. Queues the reverse of what its requests may have
   * changed on the service, unless it is parked as `unread`, asks about an existing website, or is such a reverse itself. A
   * discarded delete restores the update that it superseded. Errors: `edit-gone`, `storage`.
   */
  discard(editId: string): Result<void>
  /**
   * Tries one edit now, or without an id all that are not parked. Ends the time in which a delete waits for Undo. With an id,
   * tries a parked edit too, unless it is parked for a conflict, a late write or a missing password. Errors: `edit-gone`.
   */
  sendNow(editId?: string): Result<void>
  /**
   * Reads the website of a parked edit for the user, for at most 5 s. Queues the edit again if nothing is left to decide. Returns
   * ok and changes nothing if the website cannot be read now.
   */
  readAgain(editId: string): Promise<Result<void>>
  /**
   * Carries out the user's decision on a parked edit, after reading its website for at most 5 s
   * (docs/sync.md#answers-of-the-user). Errors: `edit-gone` (the edit is no longer parked, or asks for another decision),
   * `invalid-input` with `fields`, `keychain-*`.
   */
  resolve(editId: string, resolution: Resolution): Promise<Result<void>>
  /** Returns a page of own and remote changes, the latest first. */
  activity(query: ActivityQuery): Result<ActivityPage>
  /** Returns a page of the stored activity for an export. Unlike {@link Outbox.activity}, it does not say what can be undone. */
  activityRecords(query: ActivityQuery): Result<StoredActivityPage>
  /** Returns the known settings before or after entry `n` of a website. Errors: `website-gone`, `edit-gone` (no such entry). */
  version(website: string, n: number, side: 'before' | 'after'): Result<Partial<WebsiteSettings>>
  /**
   * Queues the reverse of a delivered edit (`undo`), or the values that it overwrote (`putBack`). `password`: typed by the user,
   * for example for a deleted website that is created again. Errors: `edit-gone`, `invalid-input`, `keychain-*`.
   */
  revert(editId: string, action: 'undo' | 'putBack', password: string | undefined): Promise<Result<void>>
  /** Returns all pending edits as text. `secrets`: number of passwords that were left out. Errors: `storage`. */
  exportQueue(): Promise<Result<QueueExport>>
  /** Counts what {@link Outbox.importQueue} would do, with the same errors. */
  summarizeImport(text: string, onProgress?: (done: number, total: number) => void): Promise<Result<ImportEffect>>
  /**
   * Imports an export of the same connection in one transaction. `onProgress` reports how many rows of the file are checked.
   * Errors: `bad-file`, `other-connection`, `newer-version`.
   */
  importQueue(text: string, onProgress?: (done: number, total: number) => void): Promise<Result<ImportResult>>
  /** Returns the number of edits delivered since this outbox was created. */
  sentCount(): number
  /**
   * Returns the progress of sending, or null if nothing can be sent (only parked edits, or creates that the website limit holds).
   * `done`: edits sent since the queue last had nothing to send. `total`: `done` plus the edits left. `seconds`: estimated time
   * for these while online, or null without an estimate.
   */
  delivery(): { done: number; total: number; seconds: number | null } | null
  /**
   * Returns a page (from 1) of the edits: parked ones first, then the others in sending order. With `website`, only the edits of
   * this website, all in sending order.
   */
  list(query: { page: number; per_page: number; website?: string | undefined }): Result<EditPage>
  /** Returns the last known counts if the file can no longer be read. */
  counts(): OutboxCounts
  /** True if a request that was given up may still take effect and change something (docs/sync.md#late-writes). */
  isUnconfirmed(): boolean
  /** Returns why nothing can be sent from this file (`storage`, `disk-full`), or null. */
  failure(): AppError | null
  statusOf: EditStatusOf
  /** Marks edits whose request was interrupted as in doubt, then starts sending, except from a file of a newer version. */
  start(): void
  /** Starts no further request. Resolves when the outcome of the request in flight is stored, or after one second. */
  stop(): Promise<void>
  /** Resolves when no request is in flight. Pause sending before the call, or another request may start. */
  atRest(): Promise<void>
  /** Tries held edits again. Call it after the keychain, the API key or the connection has changed. */
  wake(): void
  onChange(listener: (change: OutboxChangeEvent) => void): () => void
}
