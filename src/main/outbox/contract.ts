import type { ActivityPage, ActivityQuery } from '../../shared/activity.ts'
import type { EditPage, ImportResult, ImportEffect, UndoableSave, Resolution, UndoOutcome } from '../../shared/edit.ts'
import type { AppError, Result } from '../../shared/result.ts'
import type { StoredActivityPage } from './model/activity.ts'
import type { SaveOrderRange } from './model/saves.ts'
import type { SeenSettings, WebsiteChanges, WebsiteDraft, WebsiteSettings } from '../../shared/website.ts'
import type { QueueExport } from './transfer/export.ts'
import type { EditStatusOf } from './schedule/edit-status.ts'

/**
 * A change of the outbox. `websites` are the websites whose view may have changed; null means that all of them, and
 * {@link Outbox.failure}, may have changed. `edits` is true if edits came, went or changed, false if only a hold has changed.
 */
export interface OutboxChangeEvent {
  websites: string[] | null
  edits: boolean
}

/** The number of pending edits, parked ones excluded, and of parked edits. */
export interface OutboxCounts {
  waiting: number
  parked: number
}

/**
 * An update of one website. `seen` and `seenAt` are as for {@link Outbox.update}. `undoes`: the values of an earlier save, if the
 * changes only take that save back. `undoesSave`: the place of that save, if it also set or dropped what the service doesn't show. It is then
 * removed from the unsent edit that it went into, or stays in part if a part of it was sent. Such an update may change nothing.
 * `domain`: the domain that the website had when that save was made.
 */
export interface WebsiteUpdate {
  key: string
  changes: WebsiteChanges
  seen?: SeenSettings
  seenAt?: string | undefined
  undoes?: Partial<WebsiteSettings>
  undoesSave?: SaveOrderRange | undefined
  domain?: string | undefined
}

/**
 * Accepts every write of the user. An edit is on disk before the call returns, and is sent afterwards
 * (docs/sync.md#request-outcomes). Errors of all writes: `disk-full`, `storage`; nothing is stored then.
 */
export interface Outbox {
  /** Returns the website's permanent local key. Errors: `invalid-input` with `fields`, `keychain-*`. */
  create(draft: WebsiteDraft): Promise<Result<string>>
  /**
   * Returns which of these normalised domains cannot be added, because a website that is not being deleted has them. Errors:
   * `storage`.
   */
  takenDomains(domains: readonly string[]): Promise<Result<string[]>>
  /**
   * Replaces a create that is not sent yet, its domain included; the queued password stays unless the draft has another. If the
   * create has already been sent, queues the settings that differ from `seen` (those that the form showed) behind it. Errors:
   * `invalid-input` with `fields` (on `domain` if a sent create has another one), `website-gone`, `edit-gone` (an edit of the
   * website cannot be read), `keychain-*`.
   */
  correct(key: string, draft: WebsiteDraft, seen?: SeenSettings): Promise<Result<void>>
  /**
   * Changes these fields. `seen` holds the values that the user was shown; it may lack some, and contain those of other fields.
   * `seenAt`: the `updated_at` of the record that the user was shown, if it is known. Errors: `invalid-input` with `fields`,
   * `website-gone` (also if a delete of the website is pending), `keychain-*`.
   */
  update(key: string, changes: WebsiteChanges, seen?: SeenSettings, seenAt?: string): Promise<Result<void>>
  /**
   * Creates and updates websites in one transaction, which blocks for about a second for ten thousand of them. Returns for each
   * create its key or its error as for {@link Outbox.create}, and for each update null or its error as for {@link Outbox.update}.
   * Errors: `storage`, `disk-full`; then nothing is queued.
   */
  writeBulk(changes: {
    drafts?: readonly WebsiteDraft[]
    updates?: readonly WebsiteUpdate[]
  }): Promise<Result<{ created: Result<string>[]; updated: (AppError | null)[] }>>
  /**
   * Queues a delete, which waits 10 s for Undo before it is sent. A website whose create cannot have been applied is removed at
   * once, with that create. Errors: `website-gone`.
   */
  delete(key: string): Promise<Result<void>>
  /**
   * Deletes several websites in slices. None is sent before 10 s after the last one was queued. Returns for each null or its
   * error as for {@link Outbox.delete}, which is `website-gone` also if a delete of the website is pending and not parked.
   */
  deleteBulk(keys: readonly string[]): Promise<(AppError | null)[]>
  /**
   * Undoes the latest create or delete of each of these websites, in slices. Until the app quits, also restores a website that
   * {@link Outbox.deleteBulk} has removed because its create was never sent. Returns for each its outcome or its error as for
   * {@link Outbox.undo}. The outcome for one that was sent is `asks`, unless the user has `agreed`.
   */
  takeBackBulk(kind: 'create' | 'delete', keys: readonly string[], agreed?: boolean): Promise<Result<UndoOutcome>[]>
  /**
   * Undoes the last save that went into an edit, even if it has been sent (docs/sync.md#undo). The undo of a sent create deletes
   * the website, and that of a sent delete creates it again without its statistics: both return `asks` unless the user has
   * `agreed`. `whole`: undoes all saves of an edit that is not sent. Errors: `edit-gone` (undone or discarded before),
   * `domain-listed`.
   */
  undo(editId: string, agreed?: boolean, whole?: boolean): Result<UndoOutcome>
  /** Returns the place of the newest save among all saves; 0 if there is none or it can't be read. */
  lastOrder(): number
  /** Returns the last save that was not undone, of one website or of all, pending or sent. Null if there is none. */
  lastSave(website?: string): Result<UndoableSave | null>
  /**
   * Discards a parked or unreadable edit. What the requests of a parked edit may have changed on the service is set back, except if
   * the edit is parked as `unread`, asks about an existing website, or already sets that back. A discarded delete restores the
   * update that it superseded. A copy of an unreadable edit is kept. Errors: `edit-gone`, `storage`.
   */
  discard(editId: string): Result<void>
  /**
   * Tries one edit now, or without an id all that are not parked. A delete no longer waits for Undo. A parked edit is tried too,
   * unless it is parked for a conflict, a late write or a missing password. Errors: `edit-gone`.
   */
  sendNow(editId?: string): Result<void>
  /**
   * Reads the website that a parked edit asks about, so that the user is shown its current values. If they leave nothing to ask,
   * the edit is queued again. Changes nothing if the website cannot be read now, within 5 s.
   */
  readAgain(editId: string): Promise<Result<void>>
  /**
   * Carries out the user's decision on a parked edit (docs/sync.md#answers-of-the-user). Reads its website first, for at most 5
   * s. Errors: `edit-gone` (the edit is no longer parked, or asks for another decision), `invalid-input` with `fields`,
   * `keychain-*`.
   */
  resolve(editId: string, resolution: Resolution): Promise<Result<void>>
  /** Returns a page of own and remote changes, the latest first. */
  activity(query: ActivityQuery): Result<ActivityPage>
  /**
   * Returns a page of the activity as it is stored, for an export. Unlike {@link Outbox.activity}, it does not say what can be
   * undone.
   */
  activityRecords(query: ActivityQuery): Result<StoredActivityPage>
  /**
   * Returns the settings that a website had before or after an entry of its activity, as far as they are known. Errors:
   * `website-gone`, `edit-gone` (there is no such entry).
   */
  version(website: string, n: number, side: 'before' | 'after'): Result<Partial<WebsiteSettings>>
  /**
   * Queues the reverse of a delivered edit (`undo`), or the values that it overwrote (`putBack`). `password` is the one that the
   * user typed for it, for example for a deleted website that is created again. Errors: `edit-gone`, `invalid-input`,
   * `keychain-*`.
   */
  revert(editId: string, action: 'undo' | 'putBack', password: string | undefined): Promise<Result<void>>
  /**
   * Returns all pending edits as text, parked ones and those in doubt included. `secrets` is the number of passwords that were
   * left out. Errors: `storage`.
   */
  exportQueue(): Promise<Result<QueueExport>>
  /** Counts what an export would do if it were imported. Errors: as for {@link Outbox.importQueue}. */
  summariseImport(text: string, onProgress?: (done: number, total: number) => void): Promise<Result<ImportEffect>>
  /**
   * Imports an export of the same connection in one transaction. `onProgress` reports how many rows of the file are checked.
   * Errors: `bad-file`, `other-connection`, `newer-version`.
   */
  importQueue(text: string, onProgress?: (done: number, total: number) => void): Promise<Result<ImportResult>>
  /** Returns the number of edits that were delivered since this outbox was created. */
  sentCount(): number
  /**
   * Returns the progress of the delivery; null if no edit can be sent: none is pending but parked ones, or only creates that the
   * plan's limit holds. `done` counts the edits sent since there was last none to send, and `total` also those that are left.
   * `seconds` estimates the rest once online; null if there is no estimate.
   */
  delivery(): { done: number; total: number; seconds: number | null } | null
  /**
   * Returns a page of all edits: the parked edits, followed by the other edits in the order of sending. `page` counts from 1.
   * With `website`, only its edits in the order of sending.
   */
  list(query: { page: number; per_page: number; website?: string | undefined }): Result<EditPage>
  /** Returns the counts, as last read if the file can no longer be read. */
  counts(): OutboxCounts
  /** True if a request that was given up may still take effect and change something (docs/sync.md#late-writes). */
  isUnconfirmed(): boolean
  /** Returns why nothing can be sent from this file (`storage`, `disk-full`), or null. */
  failure(): AppError | null
  statusOf: EditStatusOf
  /**
   * Starts sending. Before that, marks edits as in doubt whose requests were interrupted when the app ended. Sends nothing from a
   * file of a newer version.
   */
  start(): void
  /**
   * Stops sending from the call on. Resolves when the outcome of the request in flight is stored, and after a second at the
   * latest.
   */
  stop(): Promise<void>
  /** Resolves when no request is in flight. While sending is paused, no other request starts. */
  atRest(): Promise<void>
  /** Tries again after the keychain, the key or the connection has changed. */
  wake(): void
  onChange(listener: (change: OutboxChangeEvent) => void): () => void
}
