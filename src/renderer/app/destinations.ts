import type { Destination, Screen } from '../../shared/destination.ts'
import type { WebsiteView } from '../../shared/website.ts'
import { noSuchWebsite, nothingToAddTo } from '../../words/websites.ts'
import type { SitewardBridge } from '../../preload/bridge.ts'
import type { AppState } from '../../shared/state.ts'
import type { Editor } from '../features/editor/editor.svelte.ts'
import type { PendingList } from '../features/pending/pending-list.svelte.ts'
import type { Toasts } from './toasts.svelte.ts'
import type { ConnectForm } from '../features/connect/connect-form.svelte.ts'

interface App {
  readonly bridge: SitewardBridge
  readonly appState: AppState | null
  readonly editor: Editor
  readonly pending: PendingList
  readonly toasts: Toasts
  adding: ConnectForm | null
  screen: Screen
}

/** Leads the person where they want to be. What is being typed stays until they say otherwise; nothing is saved. */
export async function follow(app: App, destination: Destination): Promise<void> {
  const { adding } = app
  if (adding?.filled) {
    adding.asking = () => {
      // What is being connected to is given up with it.
      void adding.cancel()
      app.adding = null
      void follow(app, destination)
    }
    return
  }
  app.adding = null
  if (destination.to === 'screen' || destination.to === 'sent') {
    app.screen = destination.to === 'sent' ? 'pending' : destination.screen
    app.pending.tab = destination.to === 'sent' ? 'sent' : 'waiting'
    return
  }
  // Without a connection the form for one is there, and it's the way to anything else.
  if (!app.appState?.connection) return
  app.screen = 'websites'
  if (destination.to === 'add') {
    if (app.appState.readOnly) app.toasts.say(nothingToAddTo)
    else app.editor.create(destination.domain)
    return
  }
  await openDomain(app, destination.domain)
}

/** Opens the website of this domain, as the list has it; what is being typed is asked about first. */
export async function openDomain(app: Pick<App, 'bridge' | 'editor' | 'toasts'>, domain: string): Promise<void> {
  const website = await find(app, domain)
  if (website) app.editor.open(website)
  else app.toasts.say(noSuchWebsite(domain))
}

/** The search finds whatever has the domain within it: the one that is meant may be on any page. */
async function find({ bridge }: Pick<App, 'bridge'>, domain: string): Promise<WebsiteView | undefined> {
  for (let page = 1; ; page += 1) {
    const found = await bridge.listWebsites({ search: domain, sort_by: 'domain', sort: 'asc', per_page: 100, page })
    if (!found.ok) return undefined
    const website = found.value.websites.find((each) => each.domain === domain)
    if (website || page >= found.value.pages) return website
  }
}
