import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ok } from '../../shared/result.ts'
import { backupsOf } from './backup.ts'
import { attempt, withCopy } from './carry-over.ts'
import { readJson } from './json.ts'
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
  const row = db.prepare<[string], { value: string }>('SELECT value FROM meta WHERE name = ?').get(NAME)
  const value = JSON.stringify(connection)
  if (db.readonly || row?.value === value) return
  const save = db.prepare<[string, string]>(
    'INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  )
  // If it can't be written now, it is written the next time.
  transact(db, () => ok(void save.run(NAME, value)))
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
    const value = attempt(() =>
      db?.prepare<[string], string>('SELECT value FROM meta WHERE name = ?').pluck().get(NAME),
    )
    return value == null ? null : (storedConnectionSchema.safeParse(readJson(value)).data ?? null)
  })
