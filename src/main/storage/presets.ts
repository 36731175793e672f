import { presetSchema, type Preset } from '../../shared/preset.ts'
import { ok, type Result } from '../../shared/result.ts'
import { readJson } from './json.ts'
import { notesIn } from './notes.ts'
import { reading, transact, type Db } from './sqlite.ts'

/** The presets of a connection, in its file. */
export interface PresetStore {
  /** Those that can be read. Errors: `storage`. */
  presets(): Result<Preset[]>
  /** Errors: `disk-full`, `storage`, `newer-version`. */
  savePreset(preset: Preset): Result<void>
  /** Errors: as for {@link PresetStore.savePreset}. */
  removePreset(id: string): Result<void>
}

/** A note is known by its name in a damaged file too, where it's one word (rows.ts). */
const PREFIX = 'preset_'
const noteOf = (id: string): string => PREFIX + id.replaceAll(/\W/g, '_')

/** Each is a note of its own, so that a damaged one doesn't take the others with it. */
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
