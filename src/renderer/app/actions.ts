import { tick } from 'svelte'
import type { Screen } from '../../shared/destination.ts'
import { hasDecimalComma } from '../../shared/display/format.ts'
import type { ListFormat } from '../../shared/list-settings.ts'
import type { Settings } from '../../shared/state.ts'
import { nextTextSize, type TextSize } from '../../shared/text-size.ts'
import { activeLacksKey } from '../features/shared/connection-text.ts'
import { copyTargets } from '../features/shared/copy-targets.ts'
import { focusActiveRow, clickActionButton } from '../ui/focus.ts'
import type { ActionName } from './action-texts.ts'
import type { Model } from './model.svelte.ts'
import { actionOnScreen, type Run } from './on-screen.ts'

/** The function that runs each action. A falsy value means that the action isn't possible now. */
export type Actions = Record<ActionName, Run | false | null | undefined>

/** Returns what each action does now. An action without a function is not possible now. */
export function actionsOf(app: Model): Actions {
  const { appState, websites, editor, pending, transfer, presets, exporting, bulk } = app
  const { selection } = websites
  const { connection } = appState ?? {}
  const writes = connection && !appState?.readOnly
  const { form } = editor
  const open = form?.website
  // The website that is open in the editor, if it can be changed.
  const editable = writes && open && !form?.deleting && !form?.gone && open
  const chosen = selection.count > 0
  const listed = connection && websites.count > 0
  const pages = pagesOnScreen(app)
  const on = (screen: Screen, action?: Run) => actionOnScreen(app, screen, action)
  const select = (action: Run) => on('websites', () => (action(), void tick().then(focusActiveRow)))
  const exportAll = (format: ListFormat) => on('websites', () => void exporting.all(format))
  const exportChosen = (format: ListFormat) => on('websites', () => void exporting.selected(format))
  const csv = hasDecimalComma() ? 'csv-semicolon' : 'csv'
  const update = on('settings', () => clickActionButton('update'))
  const advanced = (name: string) => on('settings', () => ((app.settings.advanced = true), clickActionButton(name)))
  const lacksKey = appState !== null && activeLacksKey(appState)
  const openKeyForm = () => app.openKeyForm()
  const theme = (theme: Settings['theme']) =>
    app.settings.now?.theme !== theme && (() => void app.settings.set({ theme }))
  return {
    websites: on('websites', () => app.views.leave()),
    pending: on('pending'),
    activity: on('activity'),
    presets: on('presets'),
    account: on('account'),
    settings: on('settings'),

    search: () => void app.search(),
    add: writes && on('websites', () => editor.create()),
    bulkCreate: writes && on('websites', () => app.bulkCreate.begin()),
    openList: writes && on('websites', () => (app.bulkCreate.begin(), void app.bulkCreate.openFile())),
    selectAll: listed && !selection.isWhole && select(() => selection.all()),
    clearSelection: chosen && select(() => selection.clear()),
    editSelected: writes && chosen && (() => void bulk.begin()),
    copySelected: chosen && copyTargets(appState).length > 0 && on('websites', () => void app.copying.begin()),
    deleteSelected: writes && chosen && on('websites', () => void app.bulkDelete.begin()),
    tagSelected: writes && chosen && (() => void app.tagsDialog.askSelected()),
    importTable: writes && on('websites', () => void app.tableImport.begin()),
    compareList: connection && on('websites', () => app.compareList.begin()),
    newAddress: () => app.addressBook.begin(),
    replaceAddress: writes && (() => app.addressBook.beginReplace()),
    exportCsv: listed && exportAll(csv),
    exportJson: listed && exportAll('json'),
    exportSelectedCsv: chosen && exportChosen(csv),
    exportSelectedJson: chosen && exportChosen('json'),
    refresh: () => void app.refresh(),
    bulkChange: appState?.bulkChange && (() => app.bulkResults.show()),

    save:
      writes &&
      form &&
      !form.deleting &&
      !form.gone &&
      (!open || form.dirty) &&
      on('websites', () => clickActionButton('save')),
    next: open && websites.hasBeside(open.key, 1) && on('websites', () => void app.step('next')),
    previous: open && websites.hasBeside(open.key, -1) && on('websites', () => void app.step('previous')),
    deleteOpen: editable && (() => void (editor.deleting = editable)),
    closeEditor: form && on('websites', () => editor.close()),

    nextPage: pages && pages.page < pages.pages && (() => pages.goTo(pages.page + 1)),
    previousPage: pages && pages.page > 1 && (() => pages.goTo(pages.page - 1)),
    saveView: writes && on('websites', () => app.views.ask()),
    resetColumns: connection && on('websites', () => websites.columns.reset()),

    newPreset: writes && (() => presets.form.begin()),
    saveAsPreset: editable && (() => presets.form.beginWith(editable)),

    undo: writes && (() => void app.editOperations.undoLast()),
    sendNow: writes && !appState?.paused && (appState?.waiting ?? 0) > 0 && (() => void pending.sendNow()),
    pause: !appState?.paused && (() => void app.settings.set({ paused: true })),
    resume: appState?.paused && (() => void app.settings.set({ paused: false })),
    export: (appState?.waiting ?? 0) + (appState?.parked ?? 0) > 0 && on('pending', () => void transfer.export()),
    import: writes && on('pending', () => void transfer.import()),

    exportSettings: on('settings', () => void app.settingsFile.export()),
    importSettings: on('settings', () => void app.settingsFile.import()),
    checkSetUp: advanced('checkSetUp'),
    copyDiagnostics: advanced('copyDiagnostics'),
    checkUpdate: appState?.update?.state === 'none' && update,
    downloadUpdate: appState?.update?.state === 'found' && update,
    restartToUpdate: appState?.update?.state === 'ready' && update,

    themeLight: theme('light'),
    themeDark: theme('dark'),
    themeSystem: theme('system'),
    ...textSizeRuns(app),
    shortcuts: () => void (app.over = 'shortcuts'),
    quit: () => app.quit(),

    addConnection: () => app.addConnection(),
    enterKey: lacksKey && openKeyForm,
    replaceKey: connection && !connection.sample && !lacksKey && openKeyForm,
    askKeychain: connection?.key === 'locked' && on('account', () => void app.account.retryKeychain()),
    disconnect: on('account', () => app.askDisconnect()),
  }
}

/** Each action changes the text size after earlier changes are stored, because keys can be pressed faster than that. */
function textSizeRuns(app: Model) {
  const to = (next: (size: TextSize) => TextSize) => () =>
    void app.settings.set(() => ({ textSize: next(app.settings.textSize) }))
  return {
    textLarger: to((size) => nextTextSize(size, 1)),
    textSmaller: to((size) => nextTextSize(size, -1)),
    textNormal: to(() => 100),
  }
}

/** Runs an action, unless it isn't available now. */
export function runAction(app: Model, name: ActionName): void {
  const run = actionsOf(app)[name]
  if (run) run()
}

/** Returns the paging of the list on the current screen. Null without a list, or if it isn't read or not divided into pages. */
function pagesOnScreen({ screen, websites, pending }: Model) {
  if (screen === 'pending') return pending
  const { page, result } = websites
  if (screen !== 'websites' || websites.perPage === 'all' || !result) return null
  return { page, pages: result.pages, goTo: (to: number) => websites.goTo(to) }
}
