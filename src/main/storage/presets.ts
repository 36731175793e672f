import { presetSchema, type Preset } from '../../shared/preset.ts'
import type { Result } from '../../shared/result.ts'
import { notedList } from './noted-list.ts'
import type { Db } from './sqlite.ts'

/** Stores the presets of a connection. */
export interface PresetStore {
  /** Returns the readable presets. Errors: `storage`. */
  presets(): Result<Preset[]>
  /** Errors: `disk-full`, `storage`, `newer-version`. */
  savePreset(preset: Preset): Result<void>
  /** Errors: `disk-full`, `storage`, `newer-version`. */
  removePreset(id: string): Result<void>
}

export function presetStore(db: Db): PresetStore {
  const { all, save, remove } = notedList(db, 'preset', presetSchema)
  return { presets: all, savePreset: save, removePreset: remove }
}
