import type { Destination } from '../../shared/destination.ts'
import { ok, type Result } from '../../shared/result.ts'
import type { About, AppState, ProxyView, Settings } from '../../shared/state.ts'
import type { Unfinished } from '../../shared/unfinished.ts'
import type { Updates } from '../updates/updates.ts'
import type { Handlers } from './registrar.ts'

type Group =
  | 'getState'
  | 'getAbout'
  | 'getProxy'
  | 'getOwnAddresses'
  | 'getSettings'
  | 'setSettings'
  | 'takeDestination'
  | 'keepUnfinished'
  | 'getUnfinished'
  | 'dismissMishap'
  | 'quit'
  | 'checkForUpdate'
  | 'downloadUpdate'
  | 'restartToUpdate'

export interface AppHandlersOptions {
  state: () => AppState
  about: About
  settings: { now: () => Settings; change: (changes: Partial<Settings>) => Result<Settings> }
  takeDestination: () => Destination | null
  unfinished: { keep: (unfinished: Unfinished) => void; get: () => Promise<Unfinished | null> }
  onMishapDismissed: () => void
  quit: () => void
  proxy: () => Promise<ProxyView | null>
  ownAddresses: () => Promise<string[]>
  updates: Pick<Updates, 'state' | 'check' | 'download' | 'restart'>
}

/** The commands about the app itself. */
export function appHandlers({
  state,
  about,
  settings,
  takeDestination,
  unfinished,
  onMishapDismissed,
  quit,
  proxy,
  ownAddresses,
  updates,
}: AppHandlersOptions): Pick<Handlers, Group> {
  return {
    getState: () => ok(state()),
    getAbout: () => ok(about),
    getProxy: async () => ok(await proxy()),
    getOwnAddresses: async () => ok(await ownAddresses()),
    getSettings: () => ok(settings.now()),
    setSettings: (changes) => settings.change(changes),
    takeDestination: () => ok(takeDestination()),
    keepUnfinished: (given) => ok(unfinished.keep(given)),
    getUnfinished: async () => ok(await unfinished.get()),
    dismissMishap: () => ok(onMishapDismissed()),
    quit: () => ok(quit()),
    async checkForUpdate() {
      await updates.check()
      return ok(updates.state())
    },
    downloadUpdate: () => ok(void updates.download()),
    restartToUpdate: () => ok(void updates.restart()),
  }
}
