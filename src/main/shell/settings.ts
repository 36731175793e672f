import { fail, ok, type Result } from '../../shared/result.ts'
import type { Settings } from '../../shared/state.ts'
import type { StoredConnection } from '../storage/app.ts'
import type { Autostart } from './autostart.ts'

/** A change is saved before anything else uses it. */
export interface SettingsControl {
  now(): Settings
  /** Changes all given settings and accounts, or none. Errors: `storage`, `disk-full`, `autostart-refused`, `shortcut-taken`. */
  change(changes: Partial<Settings>, accounts?: readonly StoredConnection[]): Result<Settings>
}

/** The places where {@link createSettings} saves and applies settings. */
export interface SettingsControlOptions {
  store: {
    settings(): Settings
    saveSettings(settings: Settings, accounts?: readonly StoredConnection[]): Result<void>
  }
  autostart: Pick<Autostart, 'isOn' | 'set'>
  /** Registers the keys of the search in place of the previous ones. Returns false if another program has the new keys. */
  shortcut: (keys: string) => boolean
  onChange: (settings: Settings) => void
}

export function createSettings({ store, autostart, shortcut, onChange }: SettingsControlOptions): SettingsControl {
  // Autostart is read from the system, because the user can switch it off there.
  const now = (): Settings => ({ ...store.settings(), startWithSession: autostart.isOn() })

  /** If the system refuses autostart, restores the earlier settings. */
  function save(settings: Settings, before: Settings, accounts: readonly StoredConnection[]): Result<Settings> {
    const saved = store.saveSettings(settings, accounts)
    if (!saved.ok) return saved
    const follows = settings.startWithSession === before.startWithSession
    const set = follows ? saved : autostart.set(settings.startWithSession)
    if (!set.ok) {
      // If the earlier settings can't be restored either, the new ones apply.
      if (!store.saveSettings(before).ok) onChange(now())
      return set
    }
    onChange(settings)
    return ok(settings)
  }

  return {
    now,
    change(changes, accounts = []) {
      const defined = Object.entries(changes).filter(([, value]) => value !== undefined)
      const before = now()
      const settings: Settings = { ...before, ...Object.fromEntries(defined) }
      // The keys are registered only if `changes` has them, so other settings can be saved while another program has the keys.
      const { searchShortcut } = changes
      if (searchShortcut !== undefined && !shortcut(searchShortcut)) return fail('shortcut-taken')
      const saved = save(settings, before, accounts)
      if (!saved.ok && searchShortcut !== undefined) shortcut(before.searchShortcut)
      return saved
    },
  }
}
