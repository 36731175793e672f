import { ok } from '../../shared/result.ts'
import { settingsSchema, type About, type AppState, type Settings } from '../../shared/state.ts'
import type { AppStore } from '../storage/app.ts'
import type { Handlers } from './registrar.ts'

type Group = 'getState' | 'getAbout' | 'getSettings' | 'setSettings'

export interface AppHandlersOptions {
  store: AppStore
  state: () => AppState
  about: About
  onSettings: (settings: Settings) => void
}

/** The commands about the app itself. */
export function appHandlers({ store, state, about, onSettings }: AppHandlersOptions): Pick<Handlers, Group> {
  return {
    getState: () => ok(state()),
    getAbout: () => ok(about),
    getSettings: () => ok(store.settings()),
    setSettings: (changes) => {
      const settings = settingsSchema.parse({ ...store.settings(), ...changes })
      const saved = store.saveSettings(settings)
      if (!saved.ok) return saved
      onSettings(settings)
      return ok(settings)
    },
  }
}
