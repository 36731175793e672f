import { presetSchema, type Preset } from '../../shared/preset.ts'
import type { Result } from '../../shared/result.ts'
import { notedList } from './noted-list.ts'
import type { Db } from './sqlite.ts'

/** Stores the presets of a connection. */
export interface PresetStore {
  /** Returns the readable presets. Errors: `storage`. */
  presets(): Result<Preset[]>
  /** Saves the presets in one transaction. Errors: `disk-full`, `storage`, `newer-version`. */
  savePresets(...presets: Preset[]): Result<void>
  /** Errors: `disk-full`, `storage`, `newer-version`. */
  removePreset(id: string): Result<void>
}

export function presetStore(db: Db): PresetStore {
  const { all, save, remove } = notedList(db, 'preset', presetSchema)
  return { presets: all, savePresets: save, removePreset: remove }
}
