import type { SomeDomains, WebsiteView } from '../../../shared/website.ts'
import { errorWords } from '../../../words/errors.ts'
import type { SitewardBridge } from '../../../preload/bridge.ts'
import type { WebsiteList } from './website-list.svelte.ts'
import type { Toasts } from '../../app/toasts.svelte.ts'
import type { Screen } from '../../../shared/destination.ts'

interface App {
  readonly bridge: SitewardBridge
  readonly websites: WebsiteList
  readonly toasts: Toasts
  screen: Screen
}

/** The filter for the websites that others added or changed. */
const SOUGHT = 'state:remote'

/** What others did since the person last looked: how much of it there is, and that it has been looked at. */
export class RemoteChanges {
  readonly #app: App
  /** What was looked at last, and when that was changed. */
  #looked = ''
  /** The open website, which is looked at once it's left. */
  #kept: string | null = null

  constructor(app: App) {
    this.#app = app
  }

  get count(): number {
    return this.#app.websites.result?.remoteChanges ?? 0
  }

  get deleted(): SomeDomains | undefined {
    return this.#app.websites.result?.deletedRemotely
  }

  /** Whether there's anything to be looked at. */
  get any(): boolean {
    return this.count > 0 || this.deleted !== undefined
  }

  /** Those alone are shown. */
  get shown(): boolean {
    return this.#app.websites.search.trim() === SOUGHT
  }

  /** Shows those alone; where that is so already, all. */
  show(): void {
    this.#app.screen = 'websites'
    this.#app.websites.type(this.shown ? '' : SOUGHT)
  }

  /** What is open has been looked at; where those that weren't are sought it stays in the list until it's left. */
  open(website: WebsiteView | null): void {
    if (this.#kept !== null && this.#kept !== website?.key) {
      void this.#look(this.#kept)
      this.#kept = null
    }
    if (!website?.remoteChange) return
    if (this.#app.websites.sought.filters.some(({ name, value }) => name === 'state' && value === 'remote'))
      this.#kept = website.key
    else if (this.#looked !== `${website.key} ${website.remoteChange.at}`) {
      this.#looked = `${website.key} ${website.remoteChange.at}`
      void this.#look(website.key)
    }
  }

  async markAll(): Promise<void> {
    const { bridge, websites, toasts } = this.#app
    const marked = await bridge.allLookedAt()
    if (!marked.ok) toasts.say(errorWords(marked.error).what)
    else if (this.shown) websites.type('')
    else await websites.load()
  }

  async #look(key: string): Promise<void> {
    await this.#app.bridge.lookedAt({ key })
    await this.#app.websites.load()
  }
}
