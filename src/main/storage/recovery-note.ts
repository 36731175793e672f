import { ok, type Result } from '../../shared/result.ts'
import { recoverySchema, type Recovery } from '../../shared/state.ts'
import { notesIn } from './notes.ts'
import type { FileKind } from './schema.ts'
import { runRead, transact, type Db } from './sqlite.ts'

/** The name of the note that says what was restored. */
const RECOVERY_NOTE = 'recovery'

/** The note by which the user learns, once, what was restored in place of a damaged file. */
export interface RecoveryNote {
  /** Returns what was restored instead of a damaged file, or null if nothing was or the user has read it. */
  salvaged(): Recovery | null
  /** Stores what was restored, until the user has read it. Errors: `disk-full`, `storage`. */
  noteRecovery(recovery: Recovery): Result<void>
  /** Removes the note, because the user has read it. Errors: `disk-full`, `storage`. */
  dismissSalvage(): Result<void>
}

/** Writes the note into a restored file before it is opened as a store. Throws errors of SQLite. */
export const writeRecoveryNote = (db: Db, table: FileKind['notes'], recovery: Recovery): void =>
  notesIn(db, table).set(RECOVERY_NOTE, recovery)

/** Returns access to the note of a file. The note is kept in memory, as it is part of each state that the window receives. */
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
