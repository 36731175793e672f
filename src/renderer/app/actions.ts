import { tick } from 'svelte'
import type { Screen } from '../../shared/destination.ts'
import type { ListFormat } from '../../shared/list-settings.ts'
import type { Settings } from '../../shared/state.ts'
import { textSizeBeside, type TextSize } from '../../shared/text-size.ts'
import { focusActive, focusSearch, pressAction } from '../ui/focus.ts'
import type { ActionName } from '../../words/actions.ts'
import type { Model } from './model.svelte.ts'
import { onScreen, type Run } from './on-screen.ts'

/** The filter for the websites of the last bulk change. */
const BULK_CHANGE = 'batch:all'

/** What the person can do now, wherever they are: for each action how it's done, or nothing where it can't be done now. */
export type Actions = Record<ActionName, Run | false | null | undefined>

/** One list for the palette and for the keys, so that neither knows an action that the other doesn't. */
export function actionsOf(desk: Model): Actions {
  const { app, websites, editor, pending, transfer, presets, exporting, bulk } = desk
  const { selection } = websites
  const { connection } = app ?? {}
  const writes = connection && !app?.readOnly
  const { form } = editor
  const open = form?.website
  /** What the pane's buttons do is done to it. */
  const kept = writes && open && !form?.deleting && !form?.gone && open
  const chosen = selection.count > 0
  const listed = connection && websites.count > 0
  const remoteChanges = connection && desk.remoteChanges.count > 0
  const pages = pagesOf(desk)
  const on = (screen: Screen, does?: Run) => onScreen(desk, screen, does)
  const select = (does: Run) => on('websites', () => (does(), void tick().then(focusActive)))
  const exportAll = (format: ListFormat) => on('websites', () => void exporting.all(format))
  const exportChosen = (format: ListFormat) => on('websites', () => void exporting.selected(format))
  const update = on('settings', () => pressAction('update'))
  const theme = (theme: Settings['theme']) =>
    desk.settings.now?.theme !== theme && (() => void desk.settings.set({ theme }))
  return {
    websites: on('websites'),
    pending: on('pending'),
    sent: on('pending', () => (pending.tab = 'sent')),
    presets: on('presets'),
    account: on('account'),
    settings: on('settings'),

    search: on('websites', focusSearch),
    add: writes && on('websites', () => editor.create()),
    bulkCreate: writes && on('websites', () => desk.bulkCreate.begin()),
    openList: writes && on('websites', () => (desk.bulkCreate.begin(), void desk.bulkCreate.openFile())),
    selectAll: listed && !selection.isWhole && select(() => selection.all()),
    clearSelection: chosen && select(() => selection.clear()),
    editSelected: writes && chosen && (() => void bulk.begin()),
    deleteSelected: writes && chosen && on('websites', () => void desk.bulkDelete.begin()),
    exportCsv: listed && exportAll('csv'),
    exportJson: listed && exportAll('json'),
    exportSelectedCsv: chosen && exportChosen('csv'),
    exportSelectedJson: chosen && exportChosen('json'),
    refresh: () => void desk.refresh(),
    remoteChanges: remoteChanges && on('websites', () => !desk.remoteChanges.shown && desk.remoteChanges.show()),
    bulkChange: app?.bulkChange && select(() => websites.type(BULK_CHANGE)),
    allSeen: writes && desk.remoteChanges.any && (() => void desk.remoteChanges.markAll()),

    save:
      writes &&
      form &&
      !form.deleting &&
      !form.gone &&
      (!open || form.dirty) &&
      on('websites', () => pressAction('save')),
    next: open && websites.hasBeside(open.key, 1) && on('websites', () => void desk.step('next')),
    previous: open && websites.hasBeside(open.key, -1) && on('websites', () => void desk.step('previous')),
    deleteOpen: kept && (() => void (editor.deleting = kept)),
    closeEditor: form && on('websites', () => editor.close()),

    nextPage: pages && pages.page < pages.pages && (() => pages.goTo(pages.page + 1)),
    previousPage: pages && pages.page > 1 && (() => pages.goTo(pages.page - 1)),
    resetColumns: connection && on('websites', () => websites.columns.reset()),

    newPreset: writes && (() => presets.form.begin()),
    saveAsPreset: kept && (() => presets.form.beginWith(kept)),

    undo: writes && (() => void desk.decisions.undoLast()),
    sendNow: writes && !app?.paused && (app?.waiting ?? 0) > 0 && (() => void pending.sendNow()),
    pause: !app?.paused && (() => void desk.settings.set({ paused: true })),
    resume: app?.paused && (() => void desk.settings.set({ paused: false })),
    export: (app?.waiting ?? 0) + (app?.parked ?? 0) > 0 && on('pending', () => void transfer.export()),
    import: writes && on('pending', () => void transfer.import()),

    checkSetUp: on('settings', () => pressAction('checkSetUp')),
    copyDiagnostics: on('settings', () => pressAction('copyDiagnostics')),
    checkUpdate: app?.update?.state === 'none' && update,
    downloadUpdate: app?.update?.state === 'found' && update,
    restartToUpdate: app?.update?.state === 'ready' && update,

    themeLight: theme('light'),
    themeDark: theme('dark'),
    themeSystem: theme('system'),
    ...textSizes(desk),
    shortcuts: () => void (desk.over = 'shortcuts'),
    quit: () => void desk.bridge.quit(),

    addConnection: () => desk.addConnection(),
    replaceKey: connection && !connection.sample && (() => desk.typeKey()),
    askKeychain: connection?.key === 'locked' && on('account', () => void desk.account.retryKeychain()),
    disconnect: on('account', () => desk.leaving.begin()),
  }
}

/** Each from the size that the text has by then: the keys are pressed more quickly than it follows. */
function textSizes(desk: Model) {
  const to = (next: (size: TextSize) => TextSize) => () =>
    void desk.settings.set(() => ({ textSize: next(desk.settings.textSize) }))
  return {
    textLarger: to((size) => textSizeBeside(size, 1)),
    textSmaller: to((size) => textSizeBeside(size, -1)),
    textNormal: to(() => 100),
  }
}

/** Does it, if it can be done now. */
export function perform(desk: Model, name: ActionName): void {
  const run = actionsOf(desk)[name]
  if (run) run()
}

/** The list on the screen, where it's shown page by page. */
function pagesOf({ screen, websites, pending, history }: Model) {
  if (screen === 'pending') return pending.tab === 'sent' ? history : pending
  const { page, result } = websites
  if (screen !== 'websites' || websites.perPage === 'all' || !result) return null
  return { page, pages: result.pages, goTo: (to: number) => websites.goTo(to) }
}
