import { presetSchema, type Preset } from '../../shared/preset.ts'
import { ok, type Result } from '../../shared/result.ts'
import { readJson } from './json.ts'
import { notesIn } from './notes.ts'
import { reading, transact, type Db } from './sqlite.ts'

/** Stores the presets of a connection. */
export interface PresetStore {
  /** Returns the readable presets. Errors: `storage`. */
  presets(): Result<Preset[]>
  /** Errors: `disk-full`, `storage`, `newer-version`. */
  savePreset(preset: Preset): Result<void>
  /** Errors: `disk-full`, `storage`, `newer-version`. */
  removePreset(id: string): Result<void>
}

/** Prefix of the names of notes that hold presets. */
const PREFIX = 'preset_'
const noteOf = (id: string): string => PREFIX + id.replaceAll(/\W/g, '_')

/** Stores each preset in its own note, so that damage to one does not affect the others. */
export function presetStore(db: Db): PresetStore {
  const all = db.prepare<[string], string>(`SELECT value FROM meta WHERE substr(name, 1, ${PREFIX.length}) = ?`).pluck()
  const notes = notesIn(db, 'meta')
  return {
    presets: () =>
      reading(() => ok(all.all(PREFIX).flatMap((value) => presetSchema.safeParse(readJson(value)).data ?? []))),
    savePreset: (preset) => transact(db, () => ok(notes.set(noteOf(preset.id), preset))),
    removePreset: (id) => transact(db, () => ok(notes.remove(noteOf(id)))),
  }
}
