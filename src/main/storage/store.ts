import { randomUUID } from 'node:crypto'
import type { Result } from '../../shared/result.ts'
import type { OutboxStore } from '../outbox/ports.ts'
import type { ReplicaStore, ViewStore } from '../replica/ports.ts'
import { editStore } from './edits.ts'
import { replicaStore } from './replica.ts'
import { connectionMigrations } from './schema.ts'
import { openDatabase, reading, transact } from './sqlite.ts'
import { websiteStore } from './websites.ts'

/** The one file of a connection: its edits and its replica, so that an acknowledgement is one transaction over both. */
export interface ConnectionStore extends OutboxStore, ReplicaStore, ViewStore {
  close(): void
}

/** Opens, creates or upgrades it. Errors: those of {@link openDatabase}. */
export function openStore(file: string): Result<ConnectionStore> {
  return openDatabase(file, connectionMigrations, (db) => {
    const edits = editStore(db)
    return {
      ...edits,
      ...websiteStore(db, edits.editsOf),
      ...replicaStore(db, randomUUID),
      read: reading,
      write: (work) => transact(db, work),
      close: () => void db.close(),
    }
  })
}
