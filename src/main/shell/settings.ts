import { ok, type Result } from '../../shared/result.ts'
import type { Settings } from '../../shared/state.ts'

/** The person's settings: whoever changes them, they're on disk before anything follows them. */
export interface SettingsPanel {
  now(): Settings
  /** Errors: `storage`, `disk-full`. */
  change(changes: Partial<Settings>): Result<Settings>
}

export interface SettingsStore {
  settings(): Settings
  saveSettings(settings: Settings): Result<void>
}

export function createSettings(store: SettingsStore, onChange: (settings: Settings) => void): SettingsPanel {
  return {
    now: () => store.settings(),
    change(changes) {
      const given = Object.entries(changes).filter(([, value]) => value !== undefined)
      const settings: Settings = { ...store.settings(), ...Object.fromEntries(given) }
      const saved = store.saveSettings(settings)
      if (!saved.ok) return saved
      onChange(settings)
      return ok(settings)
    },
  }
}
