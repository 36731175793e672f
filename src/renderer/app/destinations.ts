import type { Destination, Screen } from '../../shared/destination.ts'
import type { WebsiteView } from '../../shared/website.ts'
import { noSuchWebsite, nothingToAddTo } from '../../words/websites.ts'
import type { SitewardBridge } from '../../preload/bridge.ts'
import type { AppState } from '../../shared/state.ts'
import type { Editor } from '../features/editor/editor.svelte.ts'
import type { PendingList } from '../features/pending/pending-list.svelte.ts'
import type { Toasts } from './toasts.svelte.ts'
import type { ConnectForm } from '../features/connect/connect-form.svelte.ts'

interface Desk {
  readonly bridge: SitewardBridge
  readonly app: AppState | null
  readonly editor: Editor
  readonly pending: PendingList
  readonly toasts: Toasts
  adding: ConnectForm | null
  screen: Screen
}

/** Leads the person where they want to be. What is being typed stays until they say otherwise; nothing is saved. */
export async function follow(desk: Desk, destination: Destination): Promise<void> {
  const { adding } = desk
  if (adding?.filled) {
    adding.asking = () => {
      // What is being connected to is given up with it.
      void adding.cancel()
      desk.adding = null
      void follow(desk, destination)
    }
    return
  }
  desk.adding = null
  if (destination.to === 'screen' || destination.to === 'sent') {
    desk.screen = destination.to === 'sent' ? 'pending' : destination.screen
    desk.pending.tab = destination.to === 'sent' ? 'sent' : 'waiting'
    return
  }
  // Without a connection the form for one is there, and it's the way to anything else.
  if (!desk.app?.connection) return
  desk.screen = 'websites'
  if (destination.to === 'add') {
    if (desk.app.readOnly) desk.toasts.say(nothingToAddTo)
    else desk.editor.create(destination.domain)
    return
  }
  await openDomain(desk, destination.domain)
}

/** Opens the website of this domain, as the list has it; what is being typed is asked about first. */
export async function openDomain(desk: Pick<Desk, 'bridge' | 'editor' | 'toasts'>, domain: string): Promise<void> {
  const website = await find(desk, domain)
  if (website) desk.editor.open(website)
  else desk.toasts.say(noSuchWebsite(domain))
}

/** The search finds whatever has the domain within it: the one that is meant may be on any page. */
async function find({ bridge }: Pick<Desk, 'bridge'>, domain: string): Promise<WebsiteView | undefined> {
  for (let page = 1; ; page += 1) {
    const found = await bridge.listWebsites({ search: domain, sort_by: 'domain', sort: 'asc', per_page: 100, page })
    if (!found.ok) return undefined
    const website = found.value.websites.find((each) => each.domain === domain)
    if (website || page >= found.value.pages) return website
  }
}
