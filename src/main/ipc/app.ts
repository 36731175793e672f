import type { Destination } from '../../shared/destination.ts'
import { ok, type Result } from '../../shared/result.ts'
import type { AboutInfo, AppState, Settings } from '../../shared/state.ts'
import type { FormDrafts } from '../../shared/form-draft.ts'
import type { Updates } from '../updates/updates.ts'
import { typedHandlers } from './handlers.ts'

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

export const appHandlers = ({ settings, formDrafts, updates, ...app }: AppHandlersOptions) =>
  typedHandlers({
    getState: () => ok(app.state()),
    getAbout: () => ok(app.about()),
    getOwnAddresses: async () => ok(await app.ownAddresses()),
    getSettings: () => ok(settings.now()),
    setSettings: (changes) => settings.change(changes),
    takeDestination: () => ok(app.takeDestination()),
    keepFormDrafts: (drafts) => ok(formDrafts.keep(drafts)),
    getFormDrafts: async () => ok(await formDrafts.get()),
    dismissMishap: () => ok(app.onMishapDismissed()),
    quit: () => ok(app.quit()),
    async checkForUpdate() {
      await updates.check()
      return ok(updates.state())
    },
    downloadUpdate: () => ok(void updates.download()),
    restartToUpdate: () => ok(void updates.restart()),
  })
