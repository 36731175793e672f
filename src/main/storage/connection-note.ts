import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { ok } from '../../shared/result.ts'
import { backupsOf } from './backup.ts'
import { unlessDamaged, withCopy } from './carry-over.ts'
import { isNodeDiskFull } from './files.ts'
import { notesIn } from './notes.ts'
import { transact, type Db } from './sqlite.ts'

/** A saved connection: a base URL and an account. Its id is part of the names of its file and keychain entries. */
const storedConnectionSchema = z.object({
  id: z.string(),
  address: z.string(),
  /** Null if the service doesn't show the account. */
  accountId: z.string().nullable(),
  name: z.string(),
  /** True if the connection is one to the sample service. */
  sample: z.boolean(),
})
export type StoredConnection = z.infer<typeof storedConnectionSchema>

/** The name of the note in which a connection's file contains the connection. */
const CONNECTION_NOTE = 'connection'
/** The extension of the names of database files. */
export const EXTENSION = '.db'

/** Writes the connection into its own file, from which it is restored if the app's file is lost. */
export function writeConnectionNote(db: Db, connection: StoredConnection): void {
  const notes = notesIn(db, 'meta')
  if (db.readonly || isDeepStrictEqual(notes.get(CONNECTION_NOTE), connection)) return
  // An error is ignored, as the note is written again at the next start.
  transact(db, () => ok(notes.set(CONNECTION_NOTE, connection)))
}

/** Returns the ids of the connections that have a file or a backup in a folder. */
export function connectionIdsIn(folder: string): string[] {
  const ids = readdirSync(folder).flatMap((name) => /^(.+)\.db(\.backup-\d+)?$/.exec(name)?.[1] ?? [])
  return [...new Set(ids)]
}

/** A connection that is noted in a file, or why there is none: the file is damaged, or can't be read at the moment. */
export type NotedConnection = StoredConnection | 'damaged' | 'held'

/**
 * Returns the connections of the files in a folder, except those with a known id. If a file can't be read, its backups are tried.
 * Changes no file. Throws if the disk is full.
 */
export function notedConnections(folder: string, known: readonly string[]): NotedConnection[] {
  const ids = connectionIdsIn(folder).filter((id) => !known.includes(id))
  return ids.map((id) => {
    const file = join(folder, id + EXTENSION)
    let missing: 'damaged' | 'held' = 'damaged'
    for (const path of [file, ...backupsOf(file)]) {
      const found = readConnectionNote(path)
      if (typeof found !== 'string') return found
      if (found === 'held') missing = found
    }
    return missing
  })
}

/** Returns the connection that is noted in a file. Throws if the disk is full. */
function readConnectionNote(file: string): NotedConnection {
  try {
    return withCopy(file, (db) => {
      const value = unlessDamaged(() => db && notesIn(db, 'meta').get(CONNECTION_NOTE))
      return storedConnectionSchema.safeParse(value).data ?? 'damaged'
    })
  } catch (error) {
    if (isNodeDiskFull(error)) throw error
    // A failing disk keeps neither the app nor the other connections from starting. The next start tries again.
    return 'held'
  }
}
