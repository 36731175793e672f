import { ok, type Result } from '../../shared/result.ts'
import { salvageSchema, type Salvage } from '../../shared/state.ts'
import { readJson } from './json.ts'
import { reading, transact, type Db } from './sqlite.ts'

/** The table of a file where small notes are kept by name. */
export type NotesTable = 'meta' | 'setting'

export const SALVAGE_NOTE = 'salvage'

export interface SalvageNote {
  /** What was saved of a damaged file, until the person has read it; null: nothing of the kind. */
  salvaged(): Salvage | null
  /** Errors: `disk-full`, `storage`. */
  dismissSalvage(): Result<void>
}

/** Read once, as it's asked for with each state of the app. */
export function salvageNote(db: Db, table: NotesTable): SalvageNote {
  const find = db.prepare<[string], { value: string }>(`SELECT value FROM ${table} WHERE name = ?`)
  const row = reading(() => ok(find.get(SALVAGE_NOTE)))
  const remove = db.prepare<[string]>(`DELETE FROM ${table} WHERE name = ?`)
  let note =
    row.ok && row.value !== undefined ? (salvageSchema.safeParse(readJson(row.value.value)).data ?? null) : null
  return {
    salvaged: () => note,
    dismissSalvage() {
      const gone = transact(db, () => ok(void remove.run(SALVAGE_NOTE)))
      if (gone.ok) note = null
      return gone
    },
  }
}
