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
import { EditOperations } from '../features/pending/edit-operations.ts'
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
import { TagList } from '../features/tags/tag-list.svelte.ts'
import { TagsAndNoteDialog } from '../features/tags/tags-and-note-dialog.svelte.ts'
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

/** The root model of the window: the data of all screens, kept up to date by main's events. */
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
  readonly tags = new TagList(this)
  readonly tagsDialog = new TagsAndNoteDialog(this)
  readonly #language = new ShownLanguage()
  readonly toasts = new Toasts(() => this.appState?.lastOrder ?? 0)
  readonly editOperations = new EditOperations(this)
  readonly bulkDelete = new BulkDelete(this)

  appState: AppState | null = $state.raw(null)
  /** False until the settings are read. No state is shown before that, because the settings decide on the order of the list. */
  #isArranged = false
  /** The latest state that main has sent while `#isArranged` was false, or null. */
  #receivedState: AppState | null = null
  screen: Screen = $state('websites')
  /** The form that adds an account, shown instead of the screens. Null if it is closed. */
  adding: ConnectForm | null = $state.raw(null)
  firstForm: ConnectForm | null = null
  /** Runs if the user agrees to lose text that was typed outside of the editor. Null if this question isn't open. */
  asking: (() => void) | null = $state.raw(null)
  /** The dialog that is open over the screen. */
  over: 'commands' | 'shortcuts' | null = $state(null)
  /**
   * The last error that belongs to no part of this model, such as that the state couldn't be read at the start. Null after a new
   * state has arrived.
   */
  error: AppError | null = $state.raw(null)
  /** True after the state is read and the drafts of the account are restored. */
  isStarted = $state(false)
  /** Sends the drafts of all forms to main at once, such as before the app quits. */
  #keepNow = (): void => undefined
  /** The refresh that the user asked for has ended when `refresh.ended` reaches this number. Null: none is running. */
  #awaited: number | null = null

  /** `place` is the name of the first screen. An unknown name is ignored. */
  constructor(bridge: SitewardBridge, place = '') {
    this.bridge = bridge
    if (isScreen(place)) this.screen = place
    this.websites = new WebsiteList(
      bridge,
      (settings) => void this.settings.set(settings),
      () => this.ownNames,
    )
    this.exporting = new ListExport(this, this.websites)
    this.editor = new Editor(
      bridge,
      (website, isNew) => {
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
    // The settings are read again too, because they contain the statistics address of each account.
    const reload = async () => void (await Promise.all([this.connections.load(), this.settings.read()]))
    this.removing = new RemoveConnectionDialog(bridge, this.toasts, reload)
    this.transfer = new EditTransfer(bridge, this.toasts)
    this.bulkResults = new BulkResults(bridge)
    this.presets = new PresetList(this)
  }

  get isListIncomplete(): boolean {
    return this.appState?.refresh.seenAt === null
  }

  /** The names of presets and tags that a filter of the search can use. */
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
    // The user may just have signed in to the network in a browser, so the connection is checked again.
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
      // A destination that arrives before `isStarted` is true is shown at the end of the start.
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

  /** Reloads the activity that is on screen: the Activity screen and the history in the editor. */
  async #activityChanged(): Promise<void> {
    await Promise.all([this.activity.changed(), this.editor.history?.changed()])
  }

  /** Reads the API key if the keychain was locked, and then the websites. On an error, the list stays and a toast says why. */
  async refresh(): Promise<void> {
    const { connection, keychain } = this.appState ?? {}
    // The key is still being read from the keychain. Without it, the refresh would fail as if the account had no key.
    let loaded: Result<void> = connection?.key === 'loading' ? fail('keychain-timeout') : ok(undefined)
    if (connection?.key === 'locked' && keychain !== 'ready') loaded = await this.bridge.retryKeychain()
    if (connection?.id !== this.appState?.connection?.id) return
    const answer = loaded.ok ? await this.bridge.refresh() : loaded
    if (connection?.id !== this.appState?.connection?.id) return
    if (!answer.ok) return this.toasts.show(m.list_refresh_failed({ reason: refreshErrorText(answer.error) }))
    this.#awaited = answer.value
    this.#reportRefresh()
  }

  /** Shows the error of the refresh that the user asked for, after it has ended. */
  #reportRefresh(): void {
    const { refresh } = this.appState ?? {}
    if (this.#awaited === null || refresh === undefined || refresh.ended < this.#awaited) return
    this.#awaited = null
    if (refresh.error) this.toasts.show(m.list_refresh_failed({ reason: refreshErrorText(refresh.error) }))
  }

  /** Updates the dialogs that compare with the list, after the list was read as a whole for the first time. */
  #compareAgain(): void {
    void this.tableImport.compareAgain()
    this.compareList.compareAgain()
    this.bulkCreate.look()
  }

  showEdits(website: Pick<WebsiteView, 'key' | 'domain'>): void {
    this.pending.showOnly(website)
    this.screen = 'pending'
  }

  /** Focuses the search field. If the editor hides it, the editor is closed first, after asking about unsaved text. */
  async search(): Promise<void> {
    this.screen = 'websites'
    focusSearch()
    await tick()
    // The focus is set a frame later, because closing the editor first moves it to the row of the website.
    if (isSearchHidden()) this.editor.close(() => void requestAnimationFrame(focusSearch))
  }

  openKeyForm(): void {
    this.account.replacing = true
    this.screen = 'account'
  }

  openNetworkSettings(): void {
    this.settings.toNetwork = true
    this.screen = 'settings'
  }

  /** Opens the website of a parked edit in the editor, at the password if it must be typed again, or at the rejected field. */
  async correct(edit: EditView): Promise<void> {
    const bad = fieldNames.find((name) => edit.error?.fields?.[name])
    await this.openWebsite(edit.website, edit.reason === 'password' ? 'password' : (bad ?? null))
  }

  /** Opens a website in the editor, at the given field and tab. Shows a toast if the website can't be read. */
  async openWebsite(key: string, field: FieldName | null = null, tab?: EditorTab): Promise<void> {
    const answer = await this.bridge.getWebsite({ key })
    if (!answer.ok) return this.toasts.show(fullErrorText(answer.error))
    this.screen = 'websites'
    this.editor.open(answer.value, field, tab)
  }

  /** Opens the next or previous website of the list in the editor, at the same field. */
  async step(step: ListDirection, field: FieldName | null = null): Promise<void> {
    const { openKey } = this.editor
    const website = await this.websites.goBeside(openKey, step === 'next' ? 1 : -1)
    if (website && this.editor.openKey === openKey) this.editor.open(website, field)
  }

  addConnection(): void {
    this.#leave(() => {
      this.editor.cancel()
      this.adding = new ConnectForm(this.bridge, '', () => (this.adding = null))
    })
  }

  /** Switches to another account, after asking about unsaved text. Choosing the shown account cancels a switch in progress. */
  switchTo({ id }: Pick<ConnectionEntry, 'id'>): void {
    if (id === this.appState?.connection?.id) return void this.connections.cancelSwitch()
    this.#leave(() => void this.#switchTo(id))
  }

  /** Switches to another account. An error is a toast, unless the screen lists the accounts and shows it there. */
  async #switchTo(id: string): Promise<void> {
    // The account may have become active without the user while the question about unsaved text was open.
    if (id === this.appState?.connection?.id) return
    const error = await this.connections.switchTo(id)
    const isListed = this.screen === 'settings' || !this.appState?.connection
    if (error && !isListed) this.toasts.show(fullErrorText(error))
  }

  /**
   * Cancels a switch to another account when the user starts typing, because its end would discard the text without a question.
   * Must be called inside an effect.
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

  /** Shows an account with the form for its key, after asking about unsaved text if another account is shown. */
  enterKey({ id }: Pick<ConnectionEntry, 'id'>): void {
    this.showAccount(id, () => this.openKeyForm())
  }

  openInAccount(account: string, key: string): void {
    this.showAccount(account, () => void this.openWebsite(key))
  }

  /**
   * Shows an account, after asking about unsaved text, and then calls `then`, unless the account can't be shown. For the
   * shown account, cancels a switch in progress and calls `then` at once.
   */
  showAccount(id: string, then: () => void): void {
    if (id === this.appState?.connection?.id) {
      this.connections.cancelSwitch()
      then()
    } else this.#leave(() => void this.#showAccount(id, then))
  }

  /** Calls `then` if there is no unsaved text, outside or inside the editor, or after the user agrees to lose it. */
  #leave(then: () => void): void {
    this.loseText(() => this.editor.leave(then))
  }

  /** Calls `then` if no text is typed outside of the editor, or after the user agrees to lose it. */
  loseText(then: () => void): void {
    if (isTextTypedOutsideEditor()) this.asking = then
    else then()
  }

  async #showAccount(id: string, then: () => void): Promise<void> {
    await this.#switchTo(id)
    await this.#catchUp()
    if (id === this.appState?.connection?.id) then()
  }

  /** Handles the user's consent to {@link Model.asking}. */
  agree(): void {
    const agreed = this.asking
    this.asking = this.adding = null
    agreed?.()
  }

  /** Quits the app, after asking about text that is typed outside of the editor. The editor's text is kept as a draft. */
  quit(): void {
    this.loseText(() => {
      this.#keepNow()
      void this.bridge.quit()
    })
  }

  /** Reloads everything that the import of a settings file may have changed. */
  #imported(): void {
    this.toasts.forgetLocalUndos()
    void this.settings.read()
    void this.connections.load()
    if (!this.appState?.connection) return
    for (const part of [this.websites, this.presets, this.views, this.tags]) void part.load()
  }

  /** Opens the question whether to disconnect, after asking about unsaved text. */
  askDisconnect(): void {
    this.editor.leave(() => this.leaving.begin())
  }

  /** Opens the question whether to remove an account. If the account is the one shown, asks about unsaved text first. */
  askRemove(entry: ConnectionEntry): void {
    if (entry.active) this.editor.leave(() => this.removing.begin(entry))
    else this.removing.begin(entry)
  }

  async #begin(): Promise<void> {
    const [state] = await Promise.all([this.bridge.getState(), this.settings.read()])
    this.#isArranged = true
    // A state that main sent while `getState` was running is newer than the response.
    if (this.#receivedState) this.#receive(this.#receivedState)
    else if (state.ok) this.#receive(state.value)
    else this.error = state.error
    await this.#resume()
  }

  /** Restores the drafts of the account, and then shows the destination that main holds. Starts over if the account changes. */
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

  /** Shows the destination that main holds for this window, such as that of a clicked link. Does nothing if there is none. */
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

  /** Applies a new state. If the account has changed, clears everything of the former one and loads the new lists. */
  #receive(state: AppState): void {
    const was = this.appState
    const before = was?.connection?.id
    this.#language.show(state.language)
    this.appState = state
    this.error = null
    if (state.connection?.id === before) {
      if (state.bulkChange) this.toasts.placeUndo(state.bulkChange)
      toastEndedBulkChange(this, was, state)
      toastMismatches(this, was, state)
      if (was?.refresh.seenAt === null && !this.isListIncomplete) this.#compareAgain()
      return this.#reportRefresh()
    }
    this.#awaited = null
    // An account that became active without the user doesn't replace a form with a typed key. It is shown once that is closed.
    const keptForm = this.firstForm?.isKeyTyped === true && !this.connections.isSwitching ? this.firstForm : null
    this.toasts.reset()
    const shown = [this.websites, this.pending, this.account, this.presets, this.views, this.tags]
    const others = [
      this.exporting,
      this.editor,
      this.activity,
      this.reverting,
      this.connections,
      this.transfer,
      this.tableImport,
      this.compareList,
      this.addressBook,
      this.tagsDialog,
    ]
    for (const part of [...shown, ...others]) part.reset()
    // The order and columns of the list may come from a saved view of the former account. Restores those of the settings.
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
