import { ok, type Result } from '../../shared/result.ts'
import { recoverySchema, type Recovery } from '../../shared/state.ts'
import { notesIn } from './notes.ts'
import type { FileKind } from './schema.ts'
import { runRead, transact, type Db } from './sqlite.ts'

const RECOVERY_NOTE = 'recovery'

/** Tells the user, once, what was restored in place of a damaged file. */
export interface RecoveryNote {
  /** Returns null if nothing was restored, or the user has read it. */
  salvaged(): Recovery | null
  /** Errors: `disk-full`, `storage`. */
  noteRecovery(recovery: Recovery): Result<void>
  /** Call it when the user has read what was restored. Errors: `disk-full`, `storage`. */
  dismissSalvage(): Result<void>
}

/** For a restored file that is not opened as a store yet. Throws errors of SQLite. */
export const writeRecoveryNote = (db: Db, table: FileKind['notes'], recovery: Recovery): void =>
  notesIn(db, table).set(RECOVERY_NOTE, recovery)

/** Keeps the note in memory, because each state that the window receives contains it. */
export function recoveryNote(db: Db, table: FileKind['notes']): RecoveryNote {
  const notes = notesIn(db, table)
  const read = runRead(() => ok(notes.get(RECOVERY_NOTE)))
  let note = read.ok ? (recoverySchema.safeParse(read.value).data ?? null) : null
  return {
    salvaged: () => note,
    noteRecovery(recovery) {
      const written = transact(db, () => ok(notes.set(RECOVERY_NOTE, recovery)))
      if (written.ok) note = recovery
      return written
    },
    dismissSalvage() {
      const gone = transact(db, () => ok(notes.remove(RECOVERY_NOTE)))
      if (gone.ok) note = null
      return gone
    },
  }
}
