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
 * shows the active one. An edit never moves to another connection (docs/sync.md#changing-the-connection). Changes of connections
 * are made one at a time, and each waits only for the connections that it needs, never for a request to the service.
 */
export interface Connections {
  active(): OpenConnection | null
  /** The running connections. */
  all(): OpenConnection[]
  /** Oldest first. */
  accounts(): AccountState[]
  /** Why the connection that was active when the app ended couldn't be opened, or null. */
  problem(): AppError | null
  /**
   * Opens the connection that was active when the app ended, and shows its websites before the key is loaded. Resolves earlier if
   * the user chooses another connection.
   */
  restore(): Promise<Result<void>>
  /**
   * Opens the other saved connections that have a key, in parallel, and loads their keys. A file that is slow or can't be opened
   * doesn't hold up the others, and one that can't be opened is tried again later. The sample service starts only when it is
   * used.
   */
  runOthers(): Promise<void>
  /**
   * Connects to an address. `same`: the user's answer to `account-unclear`; true uses the existing connection, false adds another
   * one. After an error, no connection was added, and the window is unchanged. Errors: `bad-address`, `account-unclear`,
   * `keychain-*`, `storage`, those of the service client.
   */
  connect(address: string, key: Secret, storage: SecretStorage, same?: boolean): Promise<Result<ConnectionView>>
  /** Checks that a service responds, without sending a key. Errors: `bad-address`, those of the client's `ping`. */
  ping(address: string): Promise<Result<void>>
  /** Starts the sample service and connects to it. Errors: `no-connection` if the user makes another request, `storage`. */
  trySample(): Promise<Result<ConnectionView>>
  /**
   * Replaces the key of the active connection. `same`: the user's answer to `account-unclear`. Of several keys that are being
   * checked, the last one entered is kept. Errors: `other-account`, `account-unclear`, `keychain-*`, `no-connection`, those of
   * the service client.
   */
  replaceKey(key: Secret, storage: SecretStorage, same?: boolean): Promise<Result<ConnectionView>>
  /** Makes a pending connect, sample start or switch fail with `no-connection`, unless it is being carried out already. */
  cancelConnect(): void
  /** Oldest first. Opens files of connections that don't run, to count their edits, but doesn't wait for those being opened. */
  list(): Promise<Result<ConnectionEntry[]>>
  /**
   * Shows a saved connection; the previous one keeps running. An error changes nothing. Errors: `no-connection` if no connection
   * has this id, or if the user makes another request before the file is open; `storage`, `disk-full`, those of opening the file.
   */
  switchTo(id: string): Promise<Result<ConnectionView>>
  /** If `name` is empty, uses the account's name. Errors: `no-connection`, `storage`, `disk-full`, those of opening the file. */
  rename(id: string, name: string): Promise<Result<void>>
  /** Returns a page of the edits in the outbox of a connection. Errors: `no-connection`, those of opening the file. */
  edits(id: string, query: { page: number; per_page: number }): Promise<Result<EditPage>>
  /** Opens the connection for `look` if it doesn't run. Errors: `no-connection`, those of opening the file. */
  visit<T>(id: string, look: (connection: OpenConnection) => T): Promise<Result<T>>
  /**
   * Adds connections without a key, or changes saved ones. `fill` writes into each file, then `save` saves the records. If either
   * fails, no connection is added. Errors: those of `fill`, `save` and opening a file.
   */
  import(
    connections: readonly { record: StoredConnection; fill: (connection: OpenConnection) => Result<void> }[],
    save: () => Result<void>,
  ): Promise<Result<void>>
  /**
   * Deletes a connection with its file and keychain entries. `unsent`: the number of its edits that the user has agreed to lose.
   * `keepLocal`: true keeps tags, notes and views for when the account is added again. `keyLeft`: a keychain entry remains, and is
   * deleted later. Errors: `edits-wait` if there are more edits, which can't be checked if the file can't be opened;
   * `no-connection`, `storage`, `disk-full`. Even if the file couldn't be deleted, the connection has no key and sends nothing.
   */
  remove(id: string, unsent: number, keepLocal?: boolean): Promise<Result<{ keyLeft: boolean }>>
  /**
   * Closes the active connection and forgets its key. Its data stays on disk. `keyLeft`: a keychain entry remains, and is deleted
   * later. Errors: `no-connection`, `storage`, `disk-full`.
   */
  disconnect(): Promise<Result<{ keyLeft: boolean }>>
  /** Deletes the keychain entries that couldn't be deleted earlier. */
  sweep(): void
  /** Refreshes a list that becomes visible if it is too old or its last refresh failed. */
  setVisible(visible: boolean): void
  /** The keychain was unlocked: loads keys, sends edits that waited for them, and repeats failed deletions of entries. */
  keychainOpened(): void
  /** Loads the key of the active connection again, and then the keys of the others. Errors: `no-connection`, `keychain-*`. */
  retryKeychain(): Promise<Result<void>>
  /** The computer has woken from sleep: continues sending, and retries files that couldn't be opened. */
  resumed(): void
  view(): ConnectionView | null
  /** Dismisses the message about a restored file, the active connection's or else the app's. Errors: `disk-full`, `storage`. */
  dismissSalvage(): Result<void>
  close(): Promise<void>
}

export interface ConnectionsOptions {
  app: AppStore
  sample: EmbeddedSampleService
  newId: () => string
  /** `key` is called before each request. `of`: the connection whose certificates are used; default: the one being added. */
  service: (address: string, key: () => Secret | null, of?: string) => ServiceClient
  /** Assigns the certificates chosen for a new connection to its id `by`. Errors: `keychain-*`, `disk-full`, `storage`. */
  adoptNetwork: (by: string, storage: SecretStorage) => Promise<Result<void>>
  key: (connection: string) => ConnectionKey
  /** The connection sends nothing before `start()`. */
  open: (record: StoredConnection, key: ConnectionKey, service: ServiceClient) => Promise<Result<OpenConnection>>
  /** Deletes the file of a connection. Errors: `storage`. */
  discard: (record: StoredConnection) => Result<void>
  /** Deletes all keychain entries of a connection. Errors: `keychain-*` if one remains. */
  forgetSecrets: (id: string) => Promise<Result<void>>
  /** Does not access the keychain. */
  hasStoredKey: (id: string) => boolean
  sweep: () => void
  /** Called when a connection starts to run. The returned function is called when it stops. */
  onRun: (connection: OpenConnection) => () => void
  after: Clock['after']
  /** Called when another connection, or none, has become active, and when a file couldn't be opened or deleted. */
  onActive: (connection: OpenConnection | null) => void
}
