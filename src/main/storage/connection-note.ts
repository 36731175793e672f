import Database from 'better-sqlite3'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ok } from '../../shared/result.ts'
import { readJson } from './json.ts'
import { readSnapshot } from './snapshot.ts'
import { transact, type Db } from './sqlite.ts'

/** A base URL and an account (design.md, "Connections"); its id names its file and its keychain entries. */
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

/** Whose file it is, in the file itself: should the app's own be lost, the edits in it are found again by that. */
export function noteConnection(db: Db, connection: StoredConnection): void {
  const row = db.prepare<[string], { value: string }>('SELECT value FROM meta WHERE name = ?').get(NAME)
  const value = JSON.stringify(connection)
  if (db.readonly || row?.value === value) return
  const save = db.prepare<[string, string]>(
    'INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  )
  // Where it can't be written now, it's written the next time.
  transact(db, () => ok(void save.run(NAME, value)))
}

/** The connections whose files lie in a folder, as far as they tell; the files are only read. */
export function notedConnections(folder: string): StoredConnection[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.sqlite'))
  return files.flatMap((name) => noteIn(join(folder, name)) ?? [])
}

function noteIn(file: string): StoredConnection | null {
  let db: Db | undefined
  try {
    db = new Database(readSnapshot(file).image(), { readonly: true })
    const row = db.prepare<[string], { value: string }>('SELECT value FROM meta WHERE name = ?').get(NAME)
    return row === undefined ? null : (storedConnectionSchema.safeParse(readJson(row.value)).data ?? null)
  } catch {
    // Damaged, or none of ours: it stays where it is.
    return null
  } finally {
    db?.close()
  }
}
