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

/** The id is part of the names of the connection's file and its keychain entries. */
const storedConnectionSchema = z.object({
  id: z.string(),
  address: z.string(),
  /** Null if the service doesn't show the account. */
  accountId: z.string().nullable(),
  name: z.string(),
  /** True for a connection to the sample service. */
  sample: z.boolean(),
})
export type StoredConnection = z.infer<typeof storedConnectionSchema>

/** The name of the value in a connection's file that contains the connection. */
const CONNECTION_NOTE = 'connection'
/** The extension of the files of connections. */
export const EXTENSION = '.db'

/** Writes the connection into its own file, from which it is restored if the app's file is lost. */
export function writeConnectionNote(db: Db, connection: StoredConnection): void {
  const notes = notesIn(db, 'meta')
  if (db.readonly || isDeepStrictEqual(notes.get(CONNECTION_NOTE), connection)) return
  // An error is ignored, because the value is written again at the next start.
  transact(db, () => ok(notes.set(CONNECTION_NOTE, connection)))
}

/** Returns the ids of the connections that have a file or a backup in the folder. */
export function connectionIdsIn(folder: string): string[] {
  const ids = readdirSync(folder).flatMap((name) => /^(.+)\.db(\.backup-\d+)?$/.exec(name)?.[1] ?? [])
  return [...new Set(ids)]
}

/** The connection that a file contains, or why there is none: the file is damaged, or can't be read at the moment (`held`). */
export type NotedConnection = StoredConnection | 'damaged' | 'held'

/**
 * Returns the connections in the files of a folder, except those with a known id. If a file can't be read, tries its backups.
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

/** Throws if the disk is full. */
function readConnectionNote(file: string): NotedConnection {
  try {
    return withCopy(file, (db) => {
      const value = unlessDamaged(() => db && notesIn(db, 'meta').get(CONNECTION_NOTE))
      return storedConnectionSchema.safeParse(value).data ?? 'damaged'
    })
  } catch (error) {
    if (isNodeDiskFull(error)) throw error
    // A failing disk must not keep the app or the other connections from starting. The next start tries again.
    return 'held'
  }
}
