import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { LocalData } from '../../shared/local-data.ts'
import { readSettings, type Settings } from '../../shared/state.ts'
import { apiKeyEntry } from '../secrets/entries.ts'
import { backupsOf, createBackupMaker } from './backup.ts'
import { DUE_AFTER_EDITS, type BackupSource } from './backup-schedule.ts'
import {
  EXTENSION,
  connectionIdsIn,
  notedConnections,
  type NotedConnection,
  type StoredConnection,
} from './connection-note.ts'
import { isNodeDiskFull } from './files.ts'
import { checkOrRestoreFile } from './prepare.ts'
import { recoveryNote, type RecoveryNote } from './recovery-note.ts'
import { appFile } from './schema.ts'
import { notesIn } from './notes.ts'
import { openDatabase } from './open-database.ts'
import { asFailure, closeDatabase, transact, type Db } from './sqlite.ts'

export type { StoredConnection }

/** Names of values that the shell stores. `formDrafts_` is followed by the id of a connection. */
type ShellNote = 'windowPlace' | 'rejectedKeys' | 'toldOfTray' | 'toldOfTaskbar' | `formDrafts_${string}` | 'running'

/** Identifies an account while it has no connection. */
export interface AccountIdentity {
  address: string
  accountId: string
}

/** The app's own data. Every write is on disk when it returns. Errors: `storage`, `disk-full`. */
export interface AppStore extends RecoveryNote, BackupSource {
  /** Returns the connections in the order in which they were first saved. */
  connections(): StoredConnection[]
  saveConnection(connection: StoredConnection): Result<void>
  /**
   * Removes a connection with its form drafts and the address of its statistics. Removes the backups of the app's file, which would
   * bring them back, and makes a new backup due at once.
   */
  removeConnection(id: string): Result<void>
  /** Returns the connection that the window shows now or at the next start. */
  activeConnection(): StoredConnection | null
  setActive(id: string | null): Result<void>
  /** Saves a connection and makes it the active one, in one transaction. */
  saveActive(connection: StoredConnection): Result<void>
  settings(): Settings
  /** Saves the connections in the same transaction. */
  saveSettings(settings: Settings, connections?: readonly StoredConnection[]): Result<void>
  /** Returns a value that the shell has stored; undefined if there is none or it can't be read. */
  note(name: ShellNote): unknown
  /** Returns the tags, notes, views, … that were kept when a connection of this account was removed. */
  keptLocalData(account: AccountIdentity): unknown
  /** Null removes the kept data. */
  keepLocalData(account: AccountIdentity, data: LocalData | null): Result<void>
  /** Null removes the value. */
  saveNote(name: ShellNote, value: unknown): Result<void>
  /** Records which entries we have stored in the keychain, to tell one that the keychain doesn't return from one never stored. */
  keychainRecords: {
    has(name: string): boolean
    set(name: string, stored: boolean): Result<void>
    endingWith(end: string): string[]
  }
  close(): void
}

/** The app's file before the first release. It is left untouched. */
const UNRELEASED_FILE = 'siteward.sqlite'

/**
 * Opens the app's own file, and creates the folder of the connections' files. If the app's file was damaged, restores lost
 * connections from their own files. Errors: `disk-full`, `storage`, `in-use`, `newer-version`.
 */
export function openAppData(folder: string): Result<AppStore> {
  const connections = join(folder, 'connections')
  const file = join(folder, `siteward${EXTENSION}`)
  try {
    mkdirSync(connections, { recursive: true, mode: 0o700 })
    const hadData = connectionIdsIn(connections).length > 0
    const isFirst = !hadData && !existsSync(file)
    // The file is small, so the check needs no worker.
    const prepared = checkOrRestoreFile({ file, kind: 'app', hadData })
    if (!prepared.ok) return prepared
    const opened = openAppStore(file)
    const recovery = opened.ok ? opened.value.salvaged() : null
    // Searches after the restore, and at each later start as long as a connection's file was `held`. Damaged files stay damaged.
    if (opened.ok && recovery?.why === 'damaged' && recovery.heldAccounts !== 0) {
      const known = opened.value.connections().map(({ id }) => id)
      try {
        restoreConnections(opened.value, notedConnections(connections, known))
      } catch (error) {
        opened.value.close()
        throw error
      }
    }
    const unreleased = join(folder, UNRELEASED_FILE)
    if (opened.ok && isFirst && existsSync(unreleased)) {
      const none = { backupAt: null, websites: 0, edits: 0 }
      opened.value.noteRecovery({ why: 'unreleased', at: Date.now(), quarantined: unreleased, ...none })
    }
    return opened
  } catch (error) {
    return fail(isNodeDiskFull(error) ? 'disk-full' : 'storage')
  }
}

/** Errors: those of {@link openDatabase}. */
export function openAppStore(file: string): Result<AppStore> {
  return openDatabase(file, appFile, (db) => {
    const store = appStore(db, file)
    // Reads each table once, so that damage is reported here.
    store.connections()
    store.settings()
    store.keychainRecords.has('')
    return store
  })
}

/**
 * Saves the connections of `found`, which the app's file lacks, and records how many could not be read. Marks all API keys as
 * stored: a backup may be older than a key, and only the keychain knows which keys it has.
 */
export function restoreConnections(app: AppStore, found: readonly NotedConnection[]): void {
  for (const connection of found) if (typeof connection !== 'string') app.saveConnection(connection)
  for (const { id, sample } of app.connections()) if (!sample) app.keychainRecords.set(apiKeyEntry(id), true)
  const recovery = app.salvaged()
  const count = (why: NotedConnection) => found.filter((connection) => connection === why).length
  if (recovery !== null) app.noteRecovery({ ...recovery, lostAccounts: count('damaged'), heldAccounts: count('held') })
}

function appStore(db: Db, file: string): AppStore {
  const setting = notesIn(db, 'setting')
  const connections = db.prepare<[], ConnectionRow>('SELECT * FROM connection ORDER BY position')
  const connection = db.prepare<[string], ConnectionRow>('SELECT * FROM connection WHERE id = ?')
  const save = db.prepare<[Omit<ConnectionRow, 'position'>]>(
    `INSERT INTO connection (id, address, account_id, name, sample, position)
     VALUES (@id, @address, @account_id, @name, @sample, (SELECT coalesce(max(position) + 1, 0) FROM connection))
     ON CONFLICT DO UPDATE SET address = @address, account_id = @account_id, name = @name, sample = @sample`,
  )
  const remove = db.prepare<[string]>('DELETE FROM connection WHERE id = ?')
  const recorded = db.prepare<[string]>('SELECT 1 FROM keychain_record WHERE name = ?')
  const record = db.prepare<[string]>('INSERT INTO keychain_record (name) VALUES (?) ON CONFLICT DO NOTHING')
  const unrecord = db.prepare<[string]>('DELETE FROM keychain_record WHERE name = ?')
  const ending = db.prepare<[{ end: string }], { name: string }>(
    'SELECT name FROM keychain_record WHERE substr(name, -length(@end)) = @end',
  )
  let noted: (added: number) => void = () => {}
  const written = (work: () => void): Result<void> => {
    const done = transact(db, () => ok(work()))
    if (done.ok) noted(0)
    return done
  }

  return {
    ...recoveryNote(db, 'setting'),
    connections: () => connections.all().map(toConnection),
    saveConnection: (saved) => written(() => void save.run(rowOf(saved))),
    removeConnection(id) {
      try {
        for (const backup of backupsOf(file)) rmSync(backup, { force: true })
      } catch (error) {
        return asFailure(error)
      }
      const done = written(() => {
        remove.run(id)
        setting.remove(`formDrafts_${id}`)
        const settings = readSettings(setting.get('settings'))
        const others = Object.entries(settings.statisticsAddresses).filter(([of]) => of !== id)
        setting.set('settings', { ...settings, statisticsAddresses: Object.fromEntries(others) })
      })
      if (done.ok) noted(DUE_AFTER_EDITS)
      return done
    },
    activeConnection() {
      const id = setting.get('activeConnection')
      const row = typeof id === 'string' ? connection.get(id) : undefined
      return row === undefined ? null : toConnection(row)
    },
    setActive: (id) => written(() => setting.set('activeConnection', id)),
    saveActive: (saved) =>
      written(() => {
        save.run(rowOf(saved))
        setting.set('activeConnection', saved.id)
      }),
    settings: () => readSettings(setting.get('settings')),
    saveSettings: (settings, saved = []) =>
      written(() => {
        setting.set('settings', settings)
        for (const connection of saved) save.run(rowOf(connection))
      }),
    note: (name) => setting.get(name),
    keptLocalData: (account) => setting.get(keptDataNote(account)),
    keepLocalData: (account, data) =>
      written(() => (data === null ? setting.remove(keptDataNote(account)) : setting.set(keptDataNote(account), data))),
    saveNote: (name, value) => written(() => (value === null ? setting.remove(name) : setting.set(name, value))),
    keychainRecords: {
      has: (name) => recorded.get(name) !== undefined,
      set: (name, stored) => written(() => void (stored ? record : unrecord).run(name)),
      endingWith: (end) => ending.all({ end }).map(({ name }) => name),
    },
    onWrite: (listener) => void (noted = listener),
    backUp: createBackupMaker(db, file),
    close: () => closeDatabase(db),
  }
}

/** Returns the name under which the tags, notes and views of a removed connection are kept. */
const keptDataNote = ({ address, accountId }: AccountIdentity): string => `kept_${JSON.stringify([address, accountId])}`

interface ConnectionRow {
  id: string
  address: string
  account_id: string | null
  name: string
  sample: number
  position: number
}

const rowOf = ({ id, address, accountId, name, sample }: StoredConnection): Omit<ConnectionRow, 'position'> => ({
  ...{ id, address, account_id: accountId, name, sample: Number(sample) },
})

const toConnection = ({ id, address, account_id, name, sample }: ConnectionRow): StoredConnection => ({
  id,
  address,
  accountId: account_id,
  name,
  sample: sample === 1,
})
