import type { AccountState } from '../../shared/account-state.ts'
import {
  normaliseAddress,
  rejectsAll,
  type ConnectionEntry,
  type ConnectionView,
  type KeyState,
} from '../../shared/connection.ts'
import { fail, ok, type AppError, type Result } from '../../shared/result.ts'
import type { AccountIdentity, AppStore, StoredConnection } from '../storage/app.ts'
import { accountIdOf, type OpenConnection } from './open-connection.ts'
import { defaultNameOf } from './default-name.ts'
import type { Connections } from './ports.ts'

/** Returns an open connection for display. `stored` is its saved record, which has its current name. */
export const connectionViewOf = (
  { record, key }: OpenConnection,
  { name }: StoredConnection = record,
): ConnectionView => connectionViewOfRecord({ ...record, name }, key.state())

function connectionViewOfRecord({ id, address, name, sample }: StoredConnection, key: KeyState): ConnectionView {
  const normal = normaliseAddress(address)
  return { id, address, name, sample, key, insecure: normal.ok && normal.value.insecure }
}

/** Returns the state of a saved connection. `problem`: why its file couldn't be opened or deleted. `hasKey`: true if the keychain has its key. */
export function accountState(
  record: StoredConnection,
  running: OpenConnection | null,
  problem: AppError | null,
  hasKey: boolean,
): AccountState {
  if (running === null) {
    return {
      ...connectionViewOfRecord(record, hasKey ? 'loading' : 'missing'),
      ...stoppedState,
      running: false,
      problem,
    }
  }
  const { outbox, reach, readOnly } = running
  return {
    ...connectionViewOf(running, record),
    running: true,
    problem: outbox.failure(),
    offline: reach.state().state === 'offline',
    rejected: rejectsAll(reach.state()),
    ...outbox.counts(),
    sending: outbox.delivery() !== null,
    unconfirmed: outbox.isUnconfirmed(),
    mismatches: running.mismatches(),
    readOnly,
    restored: running.salvaged() !== null,
  }
}

/** The state of a connection that doesn't run. */
const stoppedState = {
  offline: false,
  rejected: false,
  waiting: 0,
  parked: 0,
  sending: false,
  unconfirmed: false,
  mismatches: 0,
  readOnly: false,
  restored: false,
}

/** The part of an entry that is read from the connection's file. */
type EntryDetails = Pick<ConnectionEntry, 'unsent' | 'localData'>

/** Returns an entry of the list of connections. `counted` is an error if the file isn't open yet or can't be opened. */
const entryOf = (
  { id, address, name, sample }: StoredConnection,
  { active, opening, counted }: { active: boolean; opening: boolean; counted: Result<EntryDetails> },
): ConnectionEntry => ({
  ...{ id, address, name, sample, active, opening },
  ...(counted.ok ? counted.value : { unsent: null, localData: opening ? 'none' : 'unknown' }),
})

/**
 * Returns the account of an open connection, or null if it could not be recognised later: some hosts don't show the account, and the
 * address of the sample service changes.
 */
export function accountIdentityOf(connection: OpenConnection): AccountIdentity | null {
  const { address, sample } = connection.record
  const accountId = accountIdOf(connection)
  return sample || accountId === null ? null : { address, accountId }
}

/** Returns what the list of connections says about the edits and the local data of an open connection. */
const entryDetailsOf = (connection: OpenConnection): EntryDetails => ({
  unsent: countPending(connection),
  localData: !connection.localData.hasAny() ? 'none' : accountIdentityOf(connection) === null ? 'lost' : 'keepable',
})

export const idsOf = (records: readonly StoredConnection[]): string[] => records.map(({ id }) => id)

/** Returns the number of edits in the outbox, including those that are parked or in doubt. */
export const countPending = ({ outbox }: OpenConnection): number => {
  const { waiting, parked } = outbox.counts()
  return waiting + parked
}

export interface SavedConnectionPorts {
  app: AppStore
  /** Returns the id of the active connection, or null. */
  active: () => string | null
  /** Runs `work`, which needs these connections, in turn. Waits first for those that are being opened. */
  whenOpen: <T>(ids: readonly string[], work: () => Promise<Result<T>>) => Promise<Result<T>>
  isOpening: (id: string) => boolean
  /** Calls `at` with the connection. A connection that doesn't run is opened for this and closed again. */
  inspect: <T>(record: StoredConnection, at: (connection: OpenConnection) => T) => Promise<Result<T>>
  /** Deletes the file of a connection that couldn't be added. */
  discard: (record: StoredConnection) => Result<void>
}

/** The commands that work on any connection, active or not. */
export function savedConnectionCommands(
  ports: SavedConnectionPorts,
): Pick<Connections, 'list' | 'rename' | 'edits' | 'visit' | 'import'> {
  const { app, active, whenOpen, isOpening, inspect, discard } = ports
  const find = (id: string) => app.connections().find((record) => record.id === id)
  /** Runs `work` with the saved connection that has this id, in turn. Errors: `no-connection` if there is none. */
  const withRecord = <T>(id: string, work: (record: StoredConnection) => Promise<Result<T>>): Promise<Result<T>> =>
    whenOpen([id], async () => {
      const record = find(id)
      return record === undefined ? fail('no-connection') : work(record)
    })
  return {
    list: () =>
      whenOpen([], async () => {
        const entries: ConnectionEntry[] = []
        for (const record of app.connections()) {
          const opening = isOpening(record.id)
          const counted = opening ? fail('no-connection') : await inspect(record, entryDetailsOf)
          entries.push(entryOf(record, { active: active() === record.id, opening, counted }))
        }
        return ok(entries)
      }),

    rename: (id, typedName) =>
      withRecord(id, async (record) => {
        const name = typedName === '' ? await inspect(record, defaultNameOf) : ok(typedName)
        return name.ok ? app.saveConnection({ ...record, name: name.value }) : name
      }),

    edits: (id, query) =>
      withRecord(id, async (record) => {
        const looked = await inspect(record, ({ outbox }) => outbox.list(query))
        return looked.ok ? looked.value : looked
      }),

    visit: (id, look) => withRecord(id, (record) => inspect(record, look)),

    import(imported, save) {
      const records = imported.map(({ record }) => record)
      return whenOpen(idsOf(records), async () => {
        const added = records.filter(({ id }) => find(id) === undefined)
        let done: Result<void> = ok(undefined)
        for (const { record, fill } of imported) {
          const filled = await inspect(record, fill)
          done = filled.ok ? filled.value : filled
          if (!done.ok) break
        }
        if (done.ok) done = save()
        if (!done.ok) for (const record of added) discard(record)
        return done
      })
    },
  }
}
