import { ok, type Result } from '../../shared/result.ts'
import { recoverySchema, type Recovery } from '../../shared/state.ts'
import { readJson } from './json.ts'
import type { FileKind } from './schema.ts'
import { reading, transact, type Db } from './sqlite.ts'

const NOTE = 'recovery'

export interface RecoveryNote {
  /** What was restored in the place of a damaged file, until the user has read it; null: nothing of the kind. */
  salvaged(): Recovery | null
  /** Errors: `disk-full`, `storage`. */
  noteRecovery(recovery: Recovery): Result<void>
  /** Errors: `disk-full`, `storage`. */
  dismissSalvage(): Result<void>
}

/** Throws what SQLite does. */
export function writeNote(db: Db, table: FileKind['notes'], recovery: Recovery): void {
  db.prepare(`INSERT INTO ${table} (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value`).run(
    NOTE,
    JSON.stringify(recovery),
  )
}

/** Reads the note once, as it is asked for with each state of the app. */
export function recoveryNote(db: Db, table: FileKind['notes']): RecoveryNote {
  const find = db.prepare<[string], { value: string }>(`SELECT value FROM ${table} WHERE name = ?`)
  const row = reading(() => ok(find.get(NOTE)))
  const remove = db.prepare<[string]>(`DELETE FROM ${table} WHERE name = ?`)
  let note =
    row.ok && row.value !== undefined ? (recoverySchema.safeParse(readJson(row.value.value)).data ?? null) : null
  return {
    salvaged: () => note,
    noteRecovery(recovery) {
      const written = transact(db, () => ok(writeNote(db, table, recovery)))
      if (written.ok) note = recovery
      return written
    },
    dismissSalvage() {
      const gone = transact(db, () => ok(void remove.run(NOTE)))
      if (gone.ok) note = null
      return gone
    },
  }
}
