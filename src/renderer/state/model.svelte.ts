import { createContext } from 'svelte'
import type { EventPayload, SitewardBridge } from '../../preload/bridge.ts'
import type { AppError } from '../../shared/result.ts'
import type { AppState, Settings } from '../../shared/state.ts'
import type { WebsiteView } from '../../shared/website.ts'
import { errorWords } from '../words/errors.ts'
import { keyLeftWords } from '../words/status.ts'
import { shortened } from '../words/websites.ts'
import { AccountPanel } from './account-panel.svelte.ts'
import { Editor } from './editor.svelte.ts'
import { Notices } from './notices.svelte.ts'
import { PendingList } from './pending-list.svelte.ts'
import { WebsiteList } from './website-list.svelte.ts'

export type Screen = EventPayload<'show'>['screen']

/** Everything the screens show, kept up to date by main's events. */
export class Model {
  readonly bridge: SitewardBridge
  readonly websites: WebsiteList
  readonly editor: Editor
  readonly pending: PendingList
  readonly account: AccountPanel
  readonly notices = new Notices()

  app: AppState | null = $state.raw(null)
  settings: Settings | null = $state.raw(null)
  screen: Screen = $state('websites')
  error: AppError | null = $state.raw(null)

  constructor(bridge: SitewardBridge) {
    this.bridge = bridge
    this.websites = new WebsiteList(bridge)
    this.editor = new Editor(bridge)
    this.pending = new PendingList(bridge)
    this.account = new AccountPanel(bridge)
  }

  /** Listens, then reads everything once; the answer stops listening. */
  start(): () => void {
    const { bridge } = this
    const online = (): void => void bridge.hintOnline({ online: navigator.onLine })
    window.addEventListener('online', online)
    window.addEventListener('offline', online)
    const stops = [
      bridge.on('state', (state) => this.#take(state)),
      bridge.on('websitesChanged', ({ keys }) => {
        void this.websites.load()
        void this.editor.websitesChanged(keys)
      }),
      bridge.on('editsChanged', () => void this.pending.load()),
      bridge.on('accountChanged', () => void this.account.load()),
      bridge.on('settingsChanged', (settings) => (this.settings = settings)),
      bridge.on('show', ({ screen }) => (this.screen = screen)),
    ]
    void this.#begin()
    return () => {
      window.removeEventListener('online', online)
      window.removeEventListener('offline', online)
      for (const stop of stops) stop()
    }
  }

  async refresh(): Promise<void> {
    const answer = await this.bridge.refresh()
    if (!answer.ok) this.error = answer.error
  }

  async setTheme(theme: Settings['theme']): Promise<void> {
    const answer = await this.bridge.setSettings({ theme })
    if (answer.ok) this.settings = answer.value
    else this.error = answer.error
  }

  /** Deletes the website that was asked about, and offers to undo it. */
  async confirmDelete(website: WebsiteView): Promise<void> {
    if (!(await this.editor.confirmDelete())) return
    const edit = await this.pending.deleteOf(website.key)
    if (!edit) return this.notices.say(`${shortened(website.domain)} was taken back before it was sent.`)
    this.notices.say(`${shortened(website.domain)} will be deleted.`, {
      label: 'Undo',
      edit: edit.id,
      run: () => this.undo(edit.id),
    })
  }

  /** Takes back the delete of a website, from its editor. */
  async undoDelete(website: string): Promise<void> {
    const edit = await this.pending.deleteOf(website)
    if (edit) await this.undo(edit.id)
    else this.notices.say(errorWords({ code: 'edit-gone', message: '' }).what)
  }

  async disconnect(): Promise<void> {
    const keyLeft = await this.account.disconnect()
    if (keyLeft) this.notices.say(keyLeftWords)
  }

  /** Takes an edit back, wherever the person asked for it. */
  async undo(id: string): Promise<void> {
    this.notices.dropAbout(id)
    await this.pending.undo(id)
    const { refusal } = this.pending
    if (refusal && this.screen !== 'pending') this.notices.say(errorWords(refusal).what)
  }

  async #begin(): Promise<void> {
    const [state, settings] = await Promise.all([this.bridge.getState(), this.bridge.getSettings()])
    if (settings.ok) this.settings = settings.value
    // An event that came meanwhile is newer than this answer.
    if (state.ok) this.#take(this.app ?? state.value)
    else this.error = state.error
  }

  #take(state: AppState): void {
    const before = this.app?.connection?.id
    this.app = state
    this.error = null
    if (state.connection?.id === before) return
    for (const part of [this.websites, this.editor, this.pending, this.account]) part.reset()
    this.screen = 'websites'
    if (state.connection) for (const part of [this.websites, this.pending, this.account]) void part.load()
  }
}

const [model, provide] = createContext<Model>()
export { model, provide }
