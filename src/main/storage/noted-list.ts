import type { z } from 'zod'
import { ok, type Result } from '../../shared/result.ts'
import { readJson } from './json.ts'
import { notesIn } from './notes.ts'
import { reading, transact, type Db } from './sqlite.ts'

/** A list of named values. Each is stored in its own note, so that damage to one does not affect the others. */
interface NotedList<T> {
  /** Returns the readable values. Errors: `storage`. */
  all(): Result<T[]>
  /** Errors: `disk-full`, `storage`, `newer-version`. */
  save(value: T): Result<void>
  /** Errors: `disk-full`, `storage`, `newer-version`. */
  remove(id: string): Result<void>
}

/** `prefix`: the beginning of the names of the notes. */
export function notedList<T extends { id: string }>(db: Db, prefix: string, schema: z.ZodType<T>): NotedList<T> {
  const values = db
    .prepare<{ prefix: string }, string>('SELECT value FROM meta WHERE substr(name, 1, length(@prefix)) = @prefix')
    .pluck()
  const notes = notesIn(db, 'meta')
  const noteOf = (id: string): string => prefix + id.replaceAll(/\W/g, '_')
  return {
    all: () => reading(() => ok(values.all({ prefix }).flatMap((text) => schema.safeParse(readJson(text)).data ?? []))),
    save: (value) => transact(db, () => ok(notes.set(noteOf(value.id), value))),
    remove: (id) => transact(db, () => ok(notes.remove(noteOf(id)))),
  }
}
