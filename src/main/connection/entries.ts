import { normaliseAddress, type ConnectionEntry, type ConnectionView } from '../../shared/connection.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { AppStore, StoredConnection } from '../storage/app.ts'
import type { OpenConnection } from './open.ts'
import { ownNameOf } from './default-name.ts'
import type { Connections } from './ports.ts'

/** The active one, as every screen may show it; `stored`: what is kept of it, for the name that it has now. */
export function viewOf({ record, key }: OpenConnection, stored: StoredConnection = record): ConnectionView {
  const { id, address, sample } = record
  const { name } = stored
  const normal = normaliseAddress(address)
  return { id, address, name, sample, key: key.state(), insecure: normal.ok && normal.value.insecure }
}

/** One of them all; `unsent`: what a look at its file told. */
const entryOf = (record: StoredConnection, active: boolean, unsent: Result<number>): ConnectionEntry => {
  const { id, address, name, sample } = record
  return { id, address, name, sample, active, unsent: unsent.ok ? unsent.value : null }
}

/** How many of its edits aren't sent yet. */
export const unsentIn = ({ outbox }: OpenConnection): number => {
  const { waiting, parked } = outbox.counts()
  return waiting + parked
}

export interface EntryPorts {
  app: AppStore
  /** The id of the active one. */
  active: () => string | null
  inTurn: <T>(work: () => Promise<Result<T>>) => Promise<Result<T>>
  /** Opens any of them for one look at it. */
  look: <T>(record: StoredConnection, at: (connection: OpenConnection) => T) => Promise<Result<T>>
}

/** What can be asked of any of them, active or not. */
export function entryCommands({
  app,
  active,
  inTurn,
  look,
}: EntryPorts): Pick<Connections, 'list' | 'rename' | 'edits'> {
  const find = (id: string) => app.connections().find((record) => record.id === id)
  return {
    list: () =>
      inTurn(async () => {
        const entries: ConnectionEntry[] = []
        for (const record of app.connections())
          entries.push(entryOf(record, active() === record.id, await look(record, unsentIn)))
        return ok(entries)
      }),

    rename: (id, given) =>
      inTurn(async () => {
        const record = find(id)
        if (record === undefined) return fail('no-connection')
        const name = given === '' ? await look(record, ownNameOf) : ok(given)
        return name.ok ? app.saveConnection({ ...record, name: name.value }) : name
      }),

    edits: (id, query) =>
      inTurn(async () => {
        const record = find(id)
        if (record === undefined) return fail('no-connection')
        const looked = await look(record, ({ outbox }) => outbox.list(query))
        return looked.ok ? looked.value : looked
      }),
  }
}
