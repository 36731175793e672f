import type { Destination } from '../../preload/bridge.ts'
import { ok, type Result } from '../../shared/result.ts'
import type { About, AppState, Settings } from '../../shared/state.ts'
import type { Unfinished } from '../../shared/unfinished.ts'
import type { Handlers } from './registrar.ts'

type Group =
  | 'getState'
  | 'getAbout'
  | 'getSettings'
  | 'setSettings'
  | 'takeDestination'
  | 'keepUnfinished'
  | 'getUnfinished'
  | 'dismissMishap'
  | 'downloadUpdate'
  | 'restartToUpdate'

export interface AppHandlersOptions {
  state: () => AppState
  about: About
  settings: { now: () => Settings; change: (changes: Partial<Settings>) => Result<Settings> }
  takeDestination: () => Destination | null
  unfinished: { keep: (unfinished: Unfinished) => void; get: () => Unfinished | null }
  onMishapDismissed: () => void
  updates: { download: () => void; restart: () => void }
}

/** The commands about the app itself. */
export function appHandlers({
  state,
  about,
  settings,
  takeDestination,
  unfinished,
  onMishapDismissed,
  updates,
}: AppHandlersOptions): Pick<Handlers, Group> {
  return {
    getState: () => ok(state()),
    getAbout: () => ok(about),
    getSettings: () => ok(settings.now()),
    setSettings: (changes) => settings.change(changes),
    takeDestination: () => ok(takeDestination()),
    keepUnfinished: (given) => ok(unfinished.keep(given)),
    getUnfinished: () => ok(unfinished.get()),
    dismissMishap: () => ok(onMishapDismissed()),
    downloadUpdate: () => ok(updates.download()),
    restartToUpdate: () => ok(updates.restart()),
  }
}
