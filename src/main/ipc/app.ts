import type { Destination } from '../../shared/destination.ts'
import { ok, type Result } from '../../shared/result.ts'
import type { AboutInfo, AppState, Settings } from '../../shared/state.ts'
import type { FormDrafts } from '../../shared/form-draft.ts'
import type { Updates } from '../updates/updates.ts'
import type { Handlers } from './registrar.ts'

type HandledCommand =
  | 'getState'
  | 'getAbout'
  | 'getOwnAddresses'
  | 'getSettings'
  | 'setSettings'
  | 'takeDestination'
  | 'keepFormDrafts'
  | 'getFormDrafts'
  | 'dismissMishap'
  | 'quit'
  | 'checkForUpdate'
  | 'downloadUpdate'
  | 'restartToUpdate'

export interface AppHandlersOptions {
  state: () => AppState
  about: () => AboutInfo
  settings: { now: () => Settings; change: (changes: Partial<Settings>) => Result<Settings> }
  takeDestination: () => Destination | null
  formDrafts: { keep: (formDrafts: FormDrafts) => void; get: () => Promise<FormDrafts | null> }
  onMishapDismissed: () => void
  quit: () => void
  ownAddresses: () => Promise<string[]>
  updates: Pick<Updates, 'state' | 'check' | 'download' | 'restart'>
}

/** Returns the handlers of commands about the app itself. */
export function appHandlers({
  state,
  about,
  settings,
  takeDestination,
  formDrafts,
  onMishapDismissed,
  quit,
  ownAddresses,
  updates,
}: AppHandlersOptions): Pick<Handlers, HandledCommand> {
  return {
    getState: () => ok(state()),
    getAbout: () => ok(about()),
    getOwnAddresses: async () => ok(await ownAddresses()),
    getSettings: () => ok(settings.now()),
    setSettings: (changes) => settings.change(changes),
    takeDestination: () => ok(takeDestination()),
    keepFormDrafts: (drafts) => ok(formDrafts.keep(drafts)),
    getFormDrafts: async () => ok(await formDrafts.get()),
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
