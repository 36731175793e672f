import type { SomeDomains, WebsiteView } from '../../../shared/website.ts'
import { errorText } from '../../../messages/errors.ts'
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

/** The search for websites with remote changes. */
const SOUGHT = 'state:remote '

/** The remote changes that the user hasn't seen, and marks them as seen. */
export class RemoteChanges {
  readonly #app: App
  /** The key of the last viewed website and the time of its remote change. */
  #looked = ''
  /** The open website, which is marked as seen when it is closed. */
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

  /** True if there are unseen remote changes. */
  get any(): boolean {
    return this.count > 0 || this.deleted !== undefined
  }

  /** True if the list shows only websites with remote changes. */
  get shown(): boolean {
    return this.#app.websites.search.trim() === SOUGHT.trim()
  }

  /** Switches between the websites with remote changes and all websites. */
  show(): void {
    this.#app.screen = 'websites'
    this.#app.websites.type(this.shown ? '' : SOUGHT)
  }

  /** Marks the open website as seen. If the list shows only unseen ones, that happens when it is closed, so that it stays in the list. */
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
    if (!marked.ok) toasts.say(errorText(marked.error).what)
    else if (this.shown) websites.type('')
    else await websites.load()
  }

  async #look(key: string): Promise<void> {
    await this.#app.bridge.lookedAt({ key })
    await this.#app.websites.load()
  }
}
