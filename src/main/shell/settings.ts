import { ok, type Result } from '../../shared/result.ts'
import type { Settings } from '../../shared/state.ts'
import type { Autostart } from './autostart.ts'

/** The user's settings. A change is saved before anything else uses it. */
export interface SettingsPanel {
  now(): Settings
  /** Changes all given settings or none. Errors: `storage`, `disk-full`, `autostart-refused`. */
  change(changes: Partial<Settings>): Result<Settings>
}

export interface SettingsParts {
  store: { settings(): Settings; saveSettings(settings: Settings): Result<void> }
  autostart: Pick<Autostart, 'isOn' | 'set'>
  onChange: (settings: Settings) => void
}

export function createSettings({ store, autostart, onChange }: SettingsParts): SettingsPanel {
  // The system's own state of autostart counts.
  const now = (): Settings => ({ ...store.settings(), startWithSession: autostart.isOn() })
  return {
    now,
    change(changes) {
      const given = Object.entries(changes).filter(([, value]) => value !== undefined)
      const before = now()
      const settings: Settings = { ...before, ...Object.fromEntries(given) }
      const saved = store.saveSettings(settings)
      if (!saved.ok) return saved
      const follows = settings.startWithSession === before.startWithSession
      const set = follows ? saved : autostart.set(settings.startWithSession)
      if (!set.ok) {
        // If the old settings can't be restored either, the saved ones apply.
        if (!store.saveSettings(before).ok) onChange(now())
        return set
      }
      onChange(settings)
      return ok(settings)
    },
  }
}
