import type { AccountState } from '../../shared/account-state.ts'
import type { ConnectionEntry, ConnectionView, SecretStorage } from '../../shared/connection.ts'
import type { EditPage } from '../../shared/edit.ts'
import type { AppError, Result } from '../../shared/result.ts'
import type { Clock } from '../outbox/ports.ts'
import type { Secret } from '../secrets/secret.ts'
import type { ServiceClient } from '../service/client.ts'
import type { AppStore, StoredConnection } from '../storage/app.ts'
import type { ConnectionKey } from './key.ts'
import type { OpenConnection } from './open-connection.ts'
import type { EmbeddedSampleService } from './sample.ts'

/**
 * The saved connections. All that have a key run at the same time, each with its own outbox, replica and rate budget; the window
 * shows the active one. An edit belongs to its connection for good. Requests to the service start at once, but changes of the
 * connections are made one at a time. Such a change waits only for the connections that it needs, and never for a request to the
 * service of another account.
 */
export interface Connections {
  /** Returns the connection that the window shows, or null. */
  active(): OpenConnection | null
  /** Returns the connections that run. */
  all(): OpenConnection[]
  /** Returns the state of each saved connection, the oldest first. */
  accounts(): AccountState[]
  /** Returns why the connection that was active when the app ended couldn't be opened, or null. */
  problem(): AppError | null
  /**
   * Opens the connection that was active when the app ended. Its websites are shown before the key is loaded or the
   * service answers. Resolves earlier if the user chooses another connection while the file is opened.
   */
  restore(): Promise<Result<void>>
  /**
   * Opens the other saved connections that have a key in the keychain, all at the same time, and loads their keys. A file that can't be
   * opened, or takes long to check or restore, doesn't keep the other connections from running. A file that can't be opened is opened
   * again later. The sample service runs only once it is used.
   */
  runOthers(): Promise<void>
  /**
   * Connects to an address. `same` is the user's answer if it can't be determined whether the key belongs to the
   * account of an existing connection (`account-unclear`): true uses that connection, false adds another one. After
   * an error, no connection was added, and the window shows what it showed. Errors: `bad-address`, `account-unclear`,
   * `keychain-*`, `storage`, those of the service client.
   */
  connect(address: string, key: Secret, storage: SecretStorage, same?: boolean): Promise<Result<ConnectionView>>
  /**
   * Checks that the service answers at an address, without sending a key. Errors: `bad-address`, those of the client's
   * `ping`.
   */
  ping(address: string): Promise<Result<void>>
  /** Starts the sample service and connects to it. Errors: `no-connection` if the user makes another request, `storage`. */
  trySample(): Promise<Result<ConnectionView>>
  /**
   * Replaces the key of the active connection. `same` is the user's answer if it can't be determined whether the key
   * belongs to the same account (`account-unclear`). If several keys are being checked, the one that was entered last
   * is kept. Errors: `other-account`, `account-unclear`, `keychain-*`, `no-connection`, those of the service client.
   */
  replaceKey(key: Secret, storage: SecretStorage, same?: boolean): Promise<Result<ConnectionView>>
  /**
   * Cancels a connect, a start of the sample service or a switch: it fails with `no-connection`, unless it is being carried out
   * already.
   */
  cancelConnect(): void
  /**
   * Returns all connections, the oldest first. Opens the files of those that don't run to count the edits in their outboxes, and
   * doesn't wait for those that are being opened.
   */
  list(): Promise<Result<ConnectionEntry[]>>
  /**
   * Shows a saved connection. The one that was shown keeps running. An error leaves everything unchanged. Errors:
   * `no-connection` if there is no such connection, or if the user has made another request before the file was open; those of
   * opening the file.
   */
  switchTo(id: string): Promise<Result<ConnectionView>>
  /**
   * Renames a connection. If `name` is empty, the name of its account is used. Errors: `no-connection`, `storage`,
   * `disk-full`, those of opening the file.
   */
  rename(id: string, name: string): Promise<Result<void>>
  /** Returns a page of the edits in the outbox of a connection. Errors: `no-connection`, those of opening the file. */
  edits(id: string, query: { page: number; per_page: number }): Promise<Result<EditPage>>
  /**
   * Calls `look` with a connection, which is opened for this if it doesn't run. Errors: `no-connection`, those of opening the file.
   */
  visit<T>(id: string, look: (connection: OpenConnection) => T): Promise<Result<T>>
  /**
   * Adds connections without a key, or changes saved ones. `fill` writes into the file of each; then `save` saves the records. If
   * either fails, no connection is added. Errors: those of `fill`, `save` and opening a file.
   */
  import(
    connections: readonly { record: StoredConnection; fill: (connection: OpenConnection) => Result<void> }[],
    save: () => Result<void>,
  ): Promise<Result<void>>
  /**
   * Deletes a connection with its file and keychain entries, and the sample connection with the data of the sample service. `unsent` is
   * the number of edits in its outbox that the user has agreed to lose. `keepLocal` keeps tags, notes and views for when the same
   * account is added again. `keyLeft`: a keychain entry remains, and its deletion is noted as due. Errors: `edits-wait` if there are
   * more edits, which is not checked if the file can't be opened; `no-connection`, `storage`, `disk-full`. A connection whose file
   * couldn't be deleted has lost its key, so it sends nothing.
   */
  remove(id: string, unsent: number, keepLocal?: boolean): Promise<Result<{ keyLeft: boolean }>>
  /**
   * Closes the active connection and forgets its key. Its websites and edits stay on disk. `keyLeft`: the keychain
   * entry remains, and its deletion is noted as due. Errors: `no-connection`, `storage`, `disk-full`.
   */
  disconnect(): Promise<Result<{ keyLeft: boolean }>>
  /** Deletes the keychain entries that couldn't be deleted earlier. */
  sweep(): void
  /**
   * The window became visible or invisible. A list that becomes visible is refreshed if it is too old, or if its last refresh
   * failed.
   */
  setVisible(visible: boolean): void
  /** The keychain has been unlocked: loads the keys, sends the edits that wait for it, and deletes the entries that are due. */
  keychainOpened(): void
  /** Loads the key of the active connection again, and then the keys of the others. Errors: `no-connection`, `keychain-*`. */
  retryKeychain(): Promise<Result<void>>
  /** The computer has woken from sleep: the connections continue sending, and files that couldn't be opened are opened again. */
  resumed(): void
  /** Returns the active connection for display, or null. */
  view(): ConnectionView | null
  /**
   * The user has read what was restored, in the active connection's file or else in the app's own. Errors: `disk-full`,
   * `storage`.
   */
  dismissSalvage(): Result<void>
  close(): Promise<void>
}

export interface ConnectionsOptions {
  app: AppStore
  sample: EmbeddedSampleService
  newId: () => string
  /**
   * Creates a client for an address. `key` is called before each request. `of` is the connection whose certificates are
   * used; default: the one that is being added.
   */
  service: (address: string, key: () => Secret | null, of?: string) => ServiceClient
  /**
   * Assigns the certificates that the user chose while adding a connection to that connection, now that it has an id (`by`).
   * Errors: `keychain-*`, `disk-full`, `storage`.
   */
  adoptNetwork: (by: string, storage: SecretStorage) => Promise<Result<void>>
  key: (connection: string) => ConnectionKey
  /** Opens the file of a connection. Sends nothing before it is started. */
  open: (record: StoredConnection, key: ConnectionKey, service: ServiceClient) => Promise<Result<OpenConnection>>
  /** Deletes the file of a connection that was removed or couldn't be added. Errors: `storage`. */
  discard: (record: StoredConnection) => Result<void>
  /** Deletes all keychain entries of a connection. Errors: `keychain-*` if one remains. */
  forgetSecrets: (id: string) => Promise<Result<void>>
  /** True if the keychain has a key for the connection. Does not access the keychain. */
  hasStoredKey: (id: string) => boolean
  /** Deletes the keychain entries that couldn't be deleted earlier. */
  sweep: () => void
  /** A connection has begun to run. The returned function is called when it ends. */
  onRun: (connection: OpenConnection) => () => void
  /** Calls back after a time in milliseconds. Returns a function that cancels the call. */
  after: Clock['after']
  /** Called when another connection, or none, has become active, and when a file couldn't be opened or deleted. */
  onActive: (connection: OpenConnection | null) => void
}
