import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { ok } from '../../shared/result.ts'
import { backupsOf } from './backup.ts'
import { attempt, withCopy } from './carry-over.ts'
import { notesIn } from './notes.ts'
import { transact, type Db } from './sqlite.ts'

/** A base URL and an account; its id names its file and its keychain entries. */
const storedConnectionSchema = z.object({
  id: z.string(),
  address: z.string(),
  /** Null where the service shows no account. */
  accountId: z.string().nullable(),
  name: z.string(),
  sample: z.boolean(),
})
export type StoredConnection = z.infer<typeof storedConnectionSchema>

const NAME = 'connection'
export const EXTENSION = '.db'

/** Writes into a connection's file whose it is: if the app's own file is lost, the connection is found by that. */
export function noteConnection(db: Db, connection: StoredConnection): void {
  const notes = notesIn(db, 'meta')
  if (db.readonly || isDeepStrictEqual(notes.get(NAME), connection)) return
  // If it can't be written now, it is written the next time.
  transact(db, () => ok(notes.set(NAME, connection)))
}

/** Returns the connections whose files, or backups of these, are in a folder. The files are only read. */
export function notedConnections(folder: string): StoredConnection[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(EXTENSION))
  return files.flatMap((name) => {
    const file = join(folder, name)
    for (const path of [file, ...backupsOf(file)]) {
      const found = noteIn(path)
      if (found !== null) return [found]
    }
    return []
  })
}

const noteIn = (file: string): StoredConnection | null =>
  withCopy(file, (db) => {
    const value = attempt(() => db && notesIn(db, 'meta').get(NAME))
    return storedConnectionSchema.safeParse(value).data ?? null
  })
