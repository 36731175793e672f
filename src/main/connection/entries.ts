import { normaliseAddress, type ConnectionEntry, type ConnectionView } from '../../shared/connection.ts'
import type { Result } from '../../shared/result.ts'
import type { StoredConnection } from '../storage/app.ts'
import type { OpenConnection } from './open.ts'

/** The active one, as every screen may show it; `stored`: what is kept of it, for the name that it has now. */
export function viewOf({ record, key }: OpenConnection, stored: StoredConnection = record): ConnectionView {
  const { id, address, sample } = record
  const { name } = stored
  const normal = normaliseAddress(address)
  return { id, address, name, sample, key: key.state(), insecure: normal.ok && normal.value.insecure }
}

/** One of them all; `unsent`: what a look at its file told. */
export const entryOf = (record: StoredConnection, active: boolean, unsent: Result<number>): ConnectionEntry => {
  const { id, address, name, sample } = record
  return { id, address, name, sample, active, unsent: unsent.ok ? unsent.value : null }
}

/** How many of its edits aren't sent yet. */
export const unsentIn = ({ outbox }: OpenConnection): number => {
  const { waiting, parked } = outbox.counts()
  return waiting + parked
}
