import type { AccountState } from '../../shared/account-state.ts'
import {
  normalizeAddress,
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

/** `stored`: the saved record, which has the current name. */
export const connectionViewOf = (
  { record, key }: OpenConnection,
  { name }: StoredConnection = record,
): ConnectionView => connectionViewOfRecord({ ...record, name }, key.state())

function connectionViewOfRecord({ id, address, name, sample }: StoredConnection, key: KeyState): ConnectionView {
  const normal = normalizeAddress(address)
  return { id, address, name, sample, key, insecure: normal.ok && normal.value.insecure }
}

/** `problem`: why the file couldn't be opened or deleted. `hasKey`: true if the keychain has a key. */
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

/** The values of an account whose connection is not running. */
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

/** Read from the connection's file. */
type EntryDetails = Pick<ConnectionEntry, 'unsent' | 'localData'>

/** `counted`: an error if the file isn't open yet or can't be opened. */
const entryOf = (
  { id, address, name, sample }: StoredConnection,
  { active, opening, counted }: { active: boolean; opening: boolean; counted: Result<EntryDetails> },
): ConnectionEntry => ({
  ...{ id, address, name, sample, active, opening },
  ...(counted.ok ? counted.value : { unsent: null, localData: opening ? 'none' : 'unknown' }),
})

/**
 * Returns what identifies the account of a connection. Null if the account couldn't be recognized later: its host doesn't show
 * it, or it has the sample data.
 */
export function accountIdentityOf(connection: OpenConnection): AccountIdentity | null {
  const { address, sample } = connection.record
  const accountId = accountIdOf(connection)
  return sample || accountId === null ? null : { address, accountId }
}

const entryDetailsOf = (connection: OpenConnection): EntryDetails => ({
  unsent: countPending(connection),
  localData: !connection.localData.hasAny() ? 'none' : accountIdentityOf(connection) === null ? 'lost' : 'keepable',
})

export const idsOf = (records: readonly StoredConnection[]): string[] => records.map(({ id }) => id)

/** Includes edits that are parked or in doubt. */
export const countPending = ({ outbox }: OpenConnection): number => {
  const { waiting, parked } = outbox.counts()
  return waiting + parked
}

export interface SavedConnectionPorts {
  app: AppStore
  active: () => string | null
  /** Runs `work` after all earlier changes of the connections, once none of these connections is being opened. */
  whenOpen: <T>(ids: readonly string[], work: () => Promise<Result<T>>) => Promise<Result<T>>
  isOpening: (id: string) => boolean
  /** Calls `at` with a connection. If the connection doesn't run, it is opened and closed for this. */
  inspect: <T>(record: StoredConnection, at: (connection: OpenConnection) => T) => Promise<Result<T>>
  /** Deletes the file of a connection. */
  discard: (record: StoredConnection) => Result<void>
}

/** Returns the commands for saved connections, which work even if the connection is not running. */
export function savedConnectionCommands(
  ports: SavedConnectionPorts,
): Pick<Connections, 'list' | 'rename' | 'edits' | 'visit' | 'import'> {
  const { app, active, whenOpen, isOpening, inspect, discard } = ports
  const find = (id: string) => app.connections().find((record) => record.id === id)
  /** Errors: `no-connection` if no connection has this id. */
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
