import type { ListFormat } from '../../shared/list-settings.ts'
import { focusSearch } from '../ui/focus.ts'
import type { ActionName } from '../words/actions.ts'
import type { Screen } from '../../shared/destination.ts'
import { textSizeBeside } from '../../shared/text-size.ts'
import type { Model } from './model.svelte.ts'

/** What the person can do now, wherever they are; what can't be done now has no entry. */
export type Actions = Partial<Record<ActionName, () => void>>

/** One list for the palette and for the keys, so that neither knows an action that the other doesn't. */
export function actionsOf(desk: Model): Actions {
  const { app, websites, editor, pending, transfer, settings } = desk
  const show = (screen: Screen) => () => void (desk.screen = screen)
  const exporting = (what: 'all' | 'selected', format: ListFormat) => () => {
    desk.screen = 'websites'
    void desk.exporting[what](format)
  }
  const open = editor.form?.website
  const writes = app?.connection && !app.readOnly
  const unsent = (app?.waiting ?? 0) + (app?.parked ?? 0) > 0
  return {
    websites: show('websites'),
    pending: show('pending'),
    sent() {
      desk.screen = 'pending'
      pending.tab = 'sent'
    },
    profiles: show('profiles'),
    account: show('account'),
    settings: show('settings'),
    search() {
      desk.screen = 'websites'
      focusSearch()
    },
    refresh: () => void desk.refresh(),
    ...(app?.connection &&
      desk.elsewhere.count > 0 && { elsewhere: () => !desk.elsewhere.shown && desk.elsewhere.show() }),
    ...(writes && desk.elsewhere.count > 0 && { allSeen: () => void desk.elsewhere.markAll() }),
    ...(writes && {
      add() {
        desk.screen = 'websites'
        editor.create()
      },
      addMany() {
        desk.screen = 'websites'
        desk.many.begin()
      },
      openList() {
        desk.screen = 'websites'
        desk.many.begin()
        void desk.many.openFile()
      },
      import() {
        desk.screen = 'pending'
        void transfer.import()
      },
    }),
    ...(writes &&
      websites.selection.count > 0 && {
        editSelected: () => void desk.bulk.begin(),
        deleteSelected: () => void desk.deletingMany.begin(),
      }),
    ...(writes && open && { deleteOpen: () => void (editor.deleting = open) }),
    ...(app?.connection &&
      websites.count > 0 && { exportCsv: exporting('all', 'csv'), exportJson: exporting('all', 'json') }),
    ...(websites.selection.count > 0 && {
      exportSelectedCsv: exporting('selected', 'csv'),
      exportSelectedJson: exporting('selected', 'json'),
    }),
    ...(writes && { newProfile: () => desk.profiles.form.begin() }),
    ...(writes && open && { saveAsProfile: () => desk.profiles.form.beginWith(open) }),
    ...(unsent && {
      export() {
        desk.screen = 'pending'
        void transfer.export()
      },
    }),
    ...(writes && { undo: () => void desk.decisions.undoLast() }),
    ...(writes && !app.paused && app.waiting > 0 && { sendNow: () => void pending.sendNow() }),
    ...(app?.paused
      ? { resume: () => void desk.set({ paused: false }) }
      : { pause: () => void desk.set({ paused: true }) }),
    ...(settings?.theme !== 'light' && { themeLight: () => void desk.set({ theme: 'light' }) }),
    ...(settings?.theme !== 'dark' && { themeDark: () => void desk.set({ theme: 'dark' }) }),
    ...(settings?.theme !== 'system' && { themeSystem: () => void desk.set({ theme: 'system' }) }),
    ...textSizes(desk),
    shortcuts: () => void (desk.over = 'shortcuts'),
    quit: () => void desk.bridge.quit(),
    addConnection: () => desk.addConnection(),
    disconnect() {
      desk.screen = 'account'
      desk.leaving.begin()
    },
  }
}

/** The sizes beside the one that the text has. */
function textSizes(desk: Model): Actions {
  const size = desk.settings?.textSize
  if (size === undefined) return {}
  const to = (textSize: typeof size) => () => void desk.set({ textSize })
  const [larger, smaller] = [textSizeBeside(size, 1), textSizeBeside(size, -1)]
  return {
    ...(larger !== size && { textLarger: to(larger) }),
    ...(smaller !== size && { textSmaller: to(smaller) }),
    ...(size !== 100 && { textNormal: to(100) }),
  }
}
