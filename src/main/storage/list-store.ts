import type { z } from 'zod'
import { presetSchema } from '../../shared/preset.ts'
import { ok, type Result } from '../../shared/result.ts'
import { readJson } from '../../shared/json.ts'
import { savedViewSchema } from '../../shared/saved-view.ts'
import { notesIn } from './notes.ts'
import { runRead, transact, type Db } from './sqlite.ts'

/** A store of a list. Each value is stored on its own, so that damage to one does not affect the others. */
interface ListStore<T> {
  /** Leaves out unreadable values. Errors: `storage`. */
  all(): Result<T[]>
  /** Saves the values in one transaction. Errors: `disk-full`, `storage`, `newer-version`. */
  save(...values: T[]): Result<void>
  /** Errors: `disk-full`, `storage`, `newer-version`. */
  remove(id: string): Result<void>
}

/** Returns a store of a list in the table `meta`. Each value has its own row, named by `kind` and its id, such as `view_1`. */
function listStore<T extends { id: string }>(db: Db, kind: string, schema: z.ZodType<T>): ListStore<T> {
  const values = db.prepare<[string, string], string>('SELECT value FROM meta WHERE name >= ? AND name < ?').pluck()
  const notes = notesIn(db, 'meta')
  const noteOf = (id: string): string => `${kind}_${id.replaceAll(/\W/g, '_')}`
  // All names that begin with the kind and an underscore sort between these two, because the backtick follows the underscore.
  const [first, end] = [`${kind}_`, `${kind}\``]
  return {
    all: () => runRead(() => ok(values.all(first, end).flatMap((text) => schema.safeParse(readJson(text)).data ?? []))),
    save: (...values) => transact(db, () => ok(values.forEach((value) => notes.set(noteOf(value.id), value)))),
    remove: (id) => transact(db, () => ok(notes.remove(noteOf(id)))),
  }
}

export type PresetStore = ReturnType<typeof presetStore>

export function presetStore(db: Db) {
  const { all, save, remove } = listStore(db, 'preset', presetSchema)
  return { presets: all, savePresets: save, removePreset: remove }
}

export type SavedViewStore = ReturnType<typeof savedViewStore>

export function savedViewStore(db: Db) {
  const { all, save, remove } = listStore(db, 'view', savedViewSchema)
  return { savedViews: all, saveView: save, removeView: remove }
}
