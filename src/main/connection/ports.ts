import type { ConnectionEntry, ConnectionView } from '../../shared/connection.ts'
import type { EditPage } from '../../shared/edit.ts'
import type { AppError, Result } from '../../shared/result.ts'
import type { Secret } from '../secrets/secret.ts'
import type { ServiceClient } from '../service/client.ts'
import type { AppStore, StoredConnection } from '../storage/app.ts'
import type { ConnectionKey, Keep } from './key.ts'
import type { OpenConnection } from './open.ts'
import type { EmbeddedSample } from './sample.ts'

/**
 * Which connection is active, and how one comes and goes. An edit is bound to its connection for good. The service is
 * asked at once; what changes here changes in turn, one thing after another.
 */
export interface Connections {
  active(): OpenConnection | null
  /** Why the connection that was active at the last end couldn't be opened. */
  problem(): AppError | null
  /** Opens what was active when the app ended; its websites are there before any network, and before its key. */
  restore(): Promise<Result<void>>
  /**
   * `same`: what the person says where nothing else tells whether the key is of the account of a connection that is
   * here already (`account-unclear`): true goes on with that one, false begins another beside it. Errors:
   * `bad-address`, `keychain-*`, `storage`, and those of the service client. Nothing is kept on an error.
   */
  connect(address: string, key: Secret, keep: Keep, same?: boolean): Promise<Result<ConnectionView>>
  /** Whether the service answers at an address; no key goes there. Errors: `bad-address`, those of the client's `greet`. */
  greet(address: string): Promise<Result<void>>
  trySample(): Promise<Result<ConnectionView>>
  /**
   * `same`: the person says that it's the same account's, where nothing else tells (`account-unclear`). Where checking
   * takes its time, the key that was typed last stays. Errors:
   * `other-account`, `keychain-*`, `no-connection`, and those of the service client.
   */
  replaceKey(key: Secret, keep: Keep, same?: boolean): Promise<Result<ConnectionView>>
  /** The connect that is under way changes nothing any more. */
  cancelConnect(): void
  /** All there are, in the order in which they were made; each file is opened for a look. */
  list(): Promise<Result<ConnectionEntry[]>>
  /**
   * Makes one that is here already the active one, with the key that the keychain has for it; the edits of each stay with
   * it. Errors: `no-connection`, those of opening its file; then all is as before.
   */
  switchTo(id: string): Promise<Result<ConnectionView>>
  /**
   * `name` empty: it's called as its account from here on. Errors: `no-connection`, `storage`, `disk-full`, those of opening
   * its file.
   */
  rename(id: string, name: string): Promise<Result<void>>
  /** The unsent edits of any of them. Errors: `no-connection`, those of opening its file. */
  edits(id: string, query: { page: number; per_page: number }): Promise<Result<EditPage>>
  /**
   * Deletes its file and its keychain entries, for good. `unsent`: how many edits the person knows to go with it.
   * `keyLeft`: an entry couldn't be deleted yet. Errors: `edits-wait`, where there are more; `no-connection`, `storage`.
   */
  remove(id: string, unsent: number): Promise<Result<{ keyLeft: boolean }>>
  /**
   * Forgets the key and closes; websites and edits stay on disk. `keyLeft`: its entry couldn't be deleted yet.
   * Errors: `no-connection`, `storage`, `disk-full`.
   */
  disconnect(): Promise<Result<{ keyLeft: boolean }>>
  /** Deletes the entries of keys that were forgotten while the keychain was locked. */
  sweep(): void
  /** It can be asked again: for the key that it kept back, and to delete what is due. */
  keychainOpened(): void
  retryKeychain(): Promise<Result<void>>
  view(): ConnectionView | null
  /** The person has read what was salvaged: of the connection, else of the app's own file. Errors: `disk-full`, `storage`. */
  dismissSalvage(): Result<void>
  close(): Promise<void>
}

export interface ConnectionsOptions {
  app: AppStore
  sample: EmbeddedSample
  newId: () => string
  /** The client for an address and whatever key `key` holds at the time of a request. */
  service: (address: string, key: () => Secret | null) => ServiceClient
  key: (connection: string) => ConnectionKey
  /** Opens its file; nothing is sent until it's started. */
  open: (record: StoredConnection, key: ConnectionKey, service: ServiceClient) => Promise<Result<OpenConnection>>
  /** Deletes the file of a connection that came to nothing, or is removed. Errors: `storage`. */
  discard: (record: StoredConnection) => Result<void>
  /** Deletes all that the keychain has of a connection. Errors: `keychain-*`: it isn't all gone yet. */
  forgetSecrets: (id: string) => Promise<Result<void>>
  /** Deletes what the keychain didn't let go before. */
  sweep: () => void
  /** Another connection is active, or none. */
  onActive: (connection: OpenConnection | null) => void
  /** Its key is there, or another one is. */
  onKey: (connection: OpenConnection) => void
}
