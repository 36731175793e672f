import { createContext, tick, untrack } from 'svelte'
import type { SitewardBridge } from '../../preload/bridge.ts'
import type { ConnectionEntry } from '../../shared/connection.ts'
import { screens, type Screen } from '../../shared/destination.ts'
import type { EditView } from '../../shared/edit.ts'
import { fail, ok, type AppError, type Result } from '../../shared/result.ts'
import type { AppState } from '../../shared/state.ts'
import { fieldNames, type FieldName, type WebsiteView } from '../../shared/website.ts'
import { m } from '../../messages/index.ts'
import type { OwnFilterValues } from '../../shared/search.ts'
import { fullErrorText, refreshErrorText } from '../../messages/errors.ts'
import { isolateText } from '../../shared/display/visible.ts'
import { focusSearch, isSearchHidden } from '../ui/focus.ts'
import { isTextTypedOutsideEditor } from '../ui/hold-page.svelte.ts'
import { ShownLanguage } from './shown-language.svelte.ts'
import { toastIfHidden } from './hidden-website-toast.ts'
import { AddressBook } from '../features/addresses/address-book.svelte.ts'
import { AccountPanel } from '../features/account/account-panel.svelte.ts'
import { ConnectForm } from '../features/connect/connect-form.svelte.ts'
import { ConnectionList } from '../features/settings/connection-list.svelte.ts'
import { Decisions } from '../features/pending/decisions.ts'
import { BulkDelete } from '../features/bulk/bulk-delete.svelte.ts'
import { followDestination } from './destinations.ts'
import { Editor, type EditorTab, type ListDirection } from '../features/editor/editor.svelte.ts'
import { ActivityList } from '../features/shared/activity-list.svelte.ts'
import { RevertFlow } from '../features/shared/reverting.svelte.ts'
import { DisconnectDialog } from '../features/account/leaving.svelte.ts'
import { BulkCreate } from '../features/bulk/bulk-create.svelte.ts'
import { CompareList } from '../features/bulk/compare-list.svelte.ts'
import { BulkEdit } from '../features/bulk/bulk-edit.svelte.ts'
import { CopyWebsites } from '../features/bulk/copy-websites.svelte.ts'
import { TableImport } from '../features/bulk/table-import.svelte.ts'
import { BulkResults } from '../features/bulk/bulk-results.svelte.ts'
import { Toasts } from './toasts.svelte.ts'
import { PendingList } from '../features/pending/pending-list.svelte.ts'
import { PresetList } from '../features/presets/preset-list.svelte.ts'
import { Tags } from '../features/tags/tags.svelte.ts'
import { SavedViews } from '../features/views/saved-views.svelte.ts'
import { RemoveConnectionDialog } from '../features/settings/removing.svelte.ts'
import { SettingsTransfer } from '../features/shared/settings-file.svelte.ts'
import { SettingsPanel } from '../features/settings/settings-panel.svelte.ts'
import { toastEndedBulkChange, toastMismatches } from './state-toasts.ts'
import { EditTransfer } from '../features/pending/transfer.svelte.ts'
import { draftKeptAsideText, keepFormDrafts, resumeFormDrafts } from './form-draft.svelte.ts'
import { ListExport } from '../features/websites/website-list-export.svelte.ts'
import { WebsiteList } from '../features/websites/website-list.svelte.ts'

const isScreen = (name: string): name is Screen => (screens as readonly string[]).includes(name)

/** The root model of the window: the data that the screens show, kept up to date by main's events. */
export class Model {
  readonly bridge: SitewardBridge
  readonly websites: WebsiteList
  readonly exporting: ListExport
  readonly editor: Editor
  readonly pending: PendingList
  readonly activity: ActivityList
  readonly reverting: RevertFlow
  readonly account: AccountPanel
  readonly settings = new SettingsPanel(this)
  readonly settingsFile = new SettingsTransfer(this, () => this.#imported())
  readonly connections: ConnectionList
  readonly leaving: DisconnectDialog
  readonly removing: RemoveConnectionDialog
  readonly transfer: EditTransfer
  readonly bulkCreate = new BulkCreate(this)
  readonly bulk = new BulkEdit(this)
  readonly bulkResults: BulkResults
  readonly tableImport = new TableImport(this)
  readonly copying = new CopyWebsites(this)
  readonly compareList = new CompareList(this)
  readonly addressBook = new AddressBook(this)
  readonly presets: PresetList
  readonly views = new SavedViews(this)
  readonly tags = new Tags(this)
  readonly #language = new ShownLanguage()
  readonly toasts = new Toasts()
  readonly decisions = new Decisions(this)
  readonly bulkDelete = new BulkDelete(this)

  appState: AppState | null = $state.raw(null)
  /** False until the settings are read. Nothing is shown before, because the list would be arranged differently. */
  #isArranged = false
  /** The latest state that main has sent before the settings were read; null: none. */
  #receivedState: AppState | null = null
  screen: Screen = $state('websites')
  /** The form for another connection, shown instead of the screens. */
  adding: ConnectForm | null = $state.raw(null)
  /** The form of the connect screen while no account is shown. */
  firstForm: ConnectForm | null = null
  /**
   * The open question whether text that was typed outside of the editor may be lost: the function is called when the user agrees.
   * Null if no question is open.
   */
  asking: (() => void) | null = $state.raw(null)
  /** The dialog over the screens: the command palette or the keyboard shortcuts. */
  over: 'commands' | 'shortcuts' | null = $state(null)
  /**
   * The last error that has no place in a part of this model, such as that the state couldn't be read at the start. Null once a
   * new state has arrived.
   */
  error: AppError | null = $state.raw(null)
  /** True once the state is read and the form drafts of the account are restored. */
  isStarted = $state(false)
  /** Sends the form drafts to main at once. */
  #keepNow = (): void => undefined
  /** The value of `refresh.ended` at which the refresh that the user asked for has ended. Null: none is running. */
  #awaited: number | null = null

  /** `place`: the name of the first screen. Unknown names are ignored. */
  constructor(bridge: SitewardBridge, place = '') {
    this.bridge = bridge
    if (isScreen(place)) this.screen = place
    this.websites = new WebsiteList(
      bridge,
      (settings) => void this.settings.set(settings),
      () => this.ownNames,
    )
    this.exporting = new ListExport(bridge, this.websites, this.toasts)
    this.editor = new Editor(
      bridge,
      (website, isNew) => {
        this.toasts.forgetUndos()
        if (isNew) void toastIfHidden(this, website)
      },
      (form) => this.toasts.show(draftKeptAsideText(form)),
      () => this.presets.forNew,
    )
    this.pending = new PendingList(
      bridge,
      (edit) => this.toasts.dropAbout(edit),
      (website) => this.editor.forgetSave(website),
    )
    this.activity = new ActivityList(bridge)
    this.reverting = new RevertFlow(
      bridge,
      this.toasts,
      (id) => {
        const lists = [this.screen === 'activity' ? this.activity : null, this.editor.history]
        return lists.some((list) => list?.entries?.some(({ edit }) => edit?.id === id))
      },
      (website) => {
        this.editor.forgetSave(website)
        return this.#activityChanged()
      },
    )
    this.account = new AccountPanel(bridge, this.toasts)
    this.connections = new ConnectionList(bridge)
    this.leaving = new DisconnectDialog(bridge, (website) => this.editor.forgetSave(website))
    // The settings have the statistics addresses of the accounts.
    const reload = async () => void (await Promise.all([this.connections.load(), this.settings.read()]))
    this.removing = new RemoveConnectionDialog(bridge, this.toasts, reload)
    this.transfer = new EditTransfer(bridge, this.toasts)
    this.bulkResults = new BulkResults(bridge)
    this.presets = new PresetList(this)
  }

  /** The names of presets and tags, which filters can contain. */
  get ownNames(): OwnFilterValues {
    const { names, hasNotes } = this.tags
    return { differs: this.presets.names, ...(names.length > 0 && { tag: names }), ...(hasNotes && { note: [] }) }
  }

  /** Subscribes to main's events and reads everything once. Returns a function that unsubscribes. */
  start(): () => void {
    const { bridge } = this
    const online = (): void => void bridge.hintOnline({ online: navigator.onLine })
    window.addEventListener('online', online)
    window.addEventListener('offline', online)
    // The user may have signed in to the network in the browser.
    const focus = (): void => {
      if (this.appState?.reach.state === 'offline') online()
    }
    window.addEventListener('focus', focus)
    const stops = [
      bridge.on('state', (state) => (this.#isArranged ? this.#receive(state) : (this.#receivedState = state))),
      bridge.on('websitesChanged', ({ keys }) => {
        void this.websites.load()
        this.websites.selection.websitesChanged(keys)
        void this.editor.websitesChanged(keys)
        this.bulk.websitesChanged(keys)
        this.presets.websitesChanged()
        void this.#activityChanged()
      }),
      bridge.on('editsChanged', () => {
        void this.pending.load()
        void this.bulkResults.load()
        void this.editor.loadEdits()
        void this.#activityChanged()
        this.leaving.changed()
        this.removing.changed()
      }),
      bridge.on('accountChanged', () => void this.account.load()),
      bridge.on('settingsChanged', (settings) => (this.settings.now = settings)),
      bridge.on('exporting', (progress) => this.exporting.showProgress(progress)),
      bridge.on('importing', (progress) => {
        this.transfer.showProgress(progress)
        this.tableImport.showProgress(progress)
      }),
      bridge.on('changing', (progress) => this.bulk.showProgress(progress)),
      // A destination that arrives before `isStarted` is shown at the end of the start.
      bridge.on('destination', () => void (this.isStarted && this.#follow())),
    ]
    this.#keepNow = keepFormDrafts(this)
    this.#keepTypedText()
    void this.#begin()
    return () => {
      window.removeEventListener('online', online)
      window.removeEventListener('offline', online)
      window.removeEventListener('focus', focus)
      for (const stop of stops) stop()
    }
  }

  /** Reads the entries again that the Activity screen and the history in the editor show. */
  async #activityChanged(): Promise<void> {
    await Promise.all([this.activity.changed(), this.editor.history?.changed()])
  }

  /**
   * Reads the websites from the service again. A key that could not be read from the keychain is read first. On an error the list
   * stays, and a toast says why.
   */
  async refresh(): Promise<void> {
    const { connection, keychain } = this.appState ?? {}
    // Without its key, a refresh would fail as if the account had none.
    let loaded: Result<void> = connection?.key === 'loading' ? fail('keychain-timeout') : ok(undefined)
    if (connection?.key === 'locked' && keychain !== 'ready') loaded = await this.bridge.retryKeychain()
    if (connection?.id !== this.appState?.connection?.id) return
    const answer = loaded.ok ? await this.bridge.refresh() : loaded
    if (connection?.id !== this.appState?.connection?.id) return
    if (!answer.ok) return this.toasts.show(m.list_refresh_failed({ reason: refreshErrorText(answer.error) }))
    this.#awaited = answer.value
    this.#reportRefresh()
  }

  /** Shows the error of the refresh that the user asked for, once it has ended. */
  #reportRefresh(): void {
    const { refresh } = this.appState ?? {}
    if (this.#awaited === null || refresh === undefined || refresh.ended < this.#awaited) return
    this.#awaited = null
    if (refresh.error) this.toasts.show(m.list_refresh_failed({ reason: refreshErrorText(refresh.error) }))
  }

  /** Shows the edits of one website on the Pending screen. */
  showEdits(website: Pick<WebsiteView, 'key' | 'domain'>): void {
    this.pending.showOnly(website)
    this.screen = 'pending'
  }

  /** Focuses the search. Closes the editor first if it hides the search, and asks about unsaved text before that. */
  async search(): Promise<void> {
    this.screen = 'websites'
    focusSearch()
    await tick()
    // When the editor closes, the focus first returns to the row.
    if (isSearchHidden()) this.editor.close(() => void requestAnimationFrame(focusSearch))
  }

  /** Opens the form to replace the key. */
  openKeyForm(): void {
    this.account.replacing = true
    this.screen = 'account'
  }

  openNetworkSettings(): void {
    this.settings.toNetwork = true
    this.screen = 'settings'
  }

  /** Opens the website of an edit in the editor, at the password if it has to be typed again, or else at the rejected field. */
  async correct(edit: EditView): Promise<void> {
    const bad = fieldNames.find((name) => edit.error?.fields?.[name])
    await this.openWebsite(edit.website, edit.reason === 'password' ? 'password' : (bad ?? null))
  }

  /**
   * Opens a website in the editor, at a field and a tab if they are given. Shows a toast if it can't be read, such as one that is
   * gone.
   */
  async openWebsite(key: string, field: FieldName | null = null, tab?: EditorTab): Promise<void> {
    const answer = await this.bridge.getWebsite({ key })
    if (!answer.ok) return this.toasts.show(fullErrorText(answer.error))
    this.screen = 'websites'
    this.editor.open(answer.value, field, tab)
  }

  /** Opens the next or previous website of the list at the same field. */
  async step(step: ListDirection, field: FieldName | null = null): Promise<void> {
    const { openKey } = this.editor
    const website = await this.websites.goBeside(openKey, step === 'next' ? 1 : -1)
    if (website && this.editor.openKey === openKey) this.editor.open(website, field)
  }

  /** Opens the form for another account. Asks first about unsaved text. */
  addConnection(): void {
    this.#leave(() => {
      this.editor.cancel()
      this.adding = new ConnectForm(this.bridge, '', () => (this.adding = null))
    })
  }

  /**
   * Shows another account. Asks first about unsaved text. The account that was shown keeps running. If it is chosen again, it
   * stays, and a switch in progress is canceled.
   */
  switchTo({ id }: Pick<ConnectionEntry, 'id'>): void {
    if (id === this.appState?.connection?.id) return void this.connections.cancelSwitch()
    this.#leave(() => void this.#switchTo(id))
  }

  /** Switches to another account. If this fails, shows a toast, unless the screen has a list of the accounts, which shows the error. */
  async #switchTo(id: string): Promise<void> {
    // The account may have opened by itself before the user agreed to lose unsaved text.
    if (id === this.appState?.connection?.id) return
    const error = await this.connections.switchTo(id)
    const isListed = this.screen === 'settings' || !this.appState?.connection
    if (error && !isListed) this.toasts.show(fullErrorText(error))
  }

  /**
   * Cancels a switch in progress once the user types text, which the other account would replace without a question. A toast says
   * so. Call it inside an effect.
   */
  #keepTypedText(): void {
    let isTyped = false
    $effect(() => {
      const wasTyped = isTyped
      isTyped = this.editor.form?.dirty === true || this.adding?.filled === true || isTextTypedOutsideEditor()
      if (isTyped && !wasTyped) untrack(() => this.#cancelSwitch())
    })
  }

  #cancelSwitch(): void {
    const id = this.connections.cancelSwitch()
    const account = this.appState?.accounts.find((each) => each.id === id)
    if (account) this.toasts.show(m.connection_switch_stopped({ name: isolateText(account.name) }))
  }

  /** Shows an account with the form for its key. Asks first about unsaved text if another account is shown. */
  enterKey({ id }: Pick<ConnectionEntry, 'id'>): void {
    this.showAccount(id, () => this.openKeyForm())
  }

  /** Opens a website of another account. Asks first about unsaved text. */
  openInAccount(account: string, key: string): void {
    this.showAccount(account, () => void this.openWebsite(key))
  }

  /**
   * Shows an account, and then calls `then`, unless the account can't be shown. Asks first about unsaved text. If the account is
   * shown already, it stays, and a switch in progress is canceled.
   */
  showAccount(id: string, then: () => void): void {
    if (id === this.appState?.connection?.id) {
      this.connections.cancelSwitch()
      then()
    } else this.#leave(() => void this.#showAccount(id, then))
  }

  /** Calls `then` once the user agrees to lose text that is typed outside of the editor, and then the unsaved text of the editor. */
  #leave(then: () => void): void {
    this.loseText(() => this.editor.leave(then))
  }

  /** Calls `then` once the user agrees to lose text that is typed outside of the editor. */
  loseText(then: () => void): void {
    if (isTextTypedOutsideEditor()) this.asking = then
    else then()
  }

  async #showAccount(id: string, then: () => void): Promise<void> {
    await this.#switchTo(id)
    await this.#catchUp()
    if (id === this.appState?.connection?.id) then()
  }

  /** Answers {@link Model.asking}: the text may be lost. */
  agree(): void {
    const agreed = this.asking
    this.asking = this.adding = null
    agreed?.()
  }

  /** Quits the app. Asks first about text that is typed outside of the editor. That of the editor is kept. */
  quit(): void {
    this.loseText(() => {
      this.#keepNow()
      void this.bridge.quit()
    })
  }

  /** Reads what the import of a settings file may have changed. */
  #imported(): void {
    void this.settings.read()
    void this.connections.load()
    if (!this.appState?.connection) return
    for (const part of [this.websites, this.presets, this.views, this.tags]) void part.load()
  }

  /** Opens the question before the account is disconnected. Asks first about unsaved text. */
  askDisconnect(): void {
    this.editor.leave(() => this.leaving.begin())
  }

  /** Opens the question before an account is removed. Asks first about unsaved text, if the account is shown. */
  askRemove(entry: ConnectionEntry): void {
    if (entry.active) this.editor.leave(() => this.removing.begin(entry))
    else this.removing.begin(entry)
  }

  /** Reads the settings and the state, and restores the form drafts. */
  async #begin(): Promise<void> {
    const [state] = await Promise.all([this.bridge.getState(), this.settings.read()])
    this.#isArranged = true
    // An event that arrived before the answer is newer than the answer.
    if (this.#receivedState) this.#receive(this.#receivedState)
    else if (state.ok) this.#receive(state.value)
    else this.error = state.error
    await this.#resume()
  }

  /**
   * Restores the form drafts of the account, which the last page or the last run has kept, and then shows the destination that
   * main keeps for the window. Starts over if another account is shown meanwhile.
   */
  async #resume(): Promise<void> {
    this.isStarted = false
    let account: string | undefined
    do {
      account = this.appState?.connection?.id
      const formDrafts = await this.bridge.getFormDrafts()
      if (!formDrafts.ok || formDrafts.value === null) continue
      await this.#catchUp()
      if (account === this.appState?.connection?.id) await resumeFormDrafts(this, formDrafts.value)
    } while (account !== this.appState?.connection?.id)
    this.isStarted = true
    await this.#follow()
  }

  /** Shows the destination that main keeps for the window, such as that of a clicked link, if there is one. */
  async #follow(): Promise<void> {
    const destination = await this.bridge.takeDestination()
    if (!destination.ok || destination.value === null) return
    await this.#catchUp()
    await followDestination(this, destination.value)
  }

  /** Reads the current state, because the event about a new connection may not have arrived yet. */
  async #catchUp(): Promise<void> {
    const state = await this.bridge.getState()
    if (state.ok) this.#receive(state.value)
  }

  /** Shows a new state. If another account is shown now, clears what belongs to the one before, and loads the lists. */
  #receive(state: AppState): void {
    const was = this.appState
    const before = was?.connection?.id
    this.#language.show(state.language)
    this.appState = state
    this.error = null
    if (state.connection?.id === before) {
      toastEndedBulkChange(this, was, state)
      toastMismatches(this, was, state)
      return this.#reportRefresh()
    }
    this.#awaited = null
    // An account that opens by itself doesn't replace the form with a typed key. It is shown once the form is closed.
    const keptForm = this.firstForm?.isKeyTyped === true && !this.connections.isSwitching ? this.firstForm : null
    this.toasts.reset()
    const shown = [this.websites, this.pending, this.account, this.presets, this.views, this.tags]
    const { exporting, editor, activity, reverting, connections, transfer, tableImport, compareList, addressBook } =
      this
    const others = [
      exporting,
      editor,
      activity,
      reverting,
      connections,
      transfer,
      tableImport,
      compareList,
      addressBook,
    ]
    for (const part of [...shown, ...others]) part.reset()
    // A view of the account before may have changed the order and the columns.
    if (this.settings.now) this.websites.arrange(this.settings.now)
    this.leaving.cancel()
    this.removing.cancel()
    this.bulkCreate.cancel()
    this.bulk.cancel()
    this.bulkDelete.cancel()
    this.bulkResults.close()
    this.copying.cancel()
    this.adding = keptForm
    this.firstForm = null
    if (!keptForm) this.asking = null
    this.over = null
    if (was) this.screen = 'websites'
    if (state.connection) for (const part of shown) void part.load()
    if (this.isStarted) void this.#resume()
  }
}

const [model, provide] = createContext<Model>()
export { model, provide }
