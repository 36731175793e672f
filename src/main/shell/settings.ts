import { ok, type Result } from '../../shared/result.ts'
import type { Settings } from '../../shared/state.ts'
import type { Autostart } from './autostart.ts'

/** The person's settings: whoever changes them, they're on disk before anything follows them. */
export interface SettingsPanel {
  now(): Settings
  /** Errors: `storage`, `disk-full`, `autostart-refused`. */
  change(changes: Partial<Settings>): Result<Settings>
}

export interface SettingsParts {
  store: { settings(): Settings; saveSettings(settings: Settings): Result<void> }
  autostart: Pick<Autostart, 'isOn' | 'set'>
  onChange: (settings: Settings) => void
}

export function createSettings({ store, autostart, onChange }: SettingsParts): SettingsPanel {
  // Whether the session starts the app is for the session to say.
  const now = (): Settings => ({ ...store.settings(), startWithSession: autostart.isOn() })
  return {
    now,
    change(changes) {
      const given = Object.entries(changes).filter(([, value]) => value !== undefined)
      const settings: Settings = { ...now(), ...Object.fromEntries(given) }
      if (settings.startWithSession !== autostart.isOn()) {
        const set = autostart.set(settings.startWithSession)
        if (!set.ok) return set
      }
      const saved = store.saveSettings(settings)
      if (!saved.ok) return saved
      onChange(settings)
      return ok(settings)
    },
  }
}
