import { tick } from 'svelte'
import { m } from '../../messages/index.ts'
import { comparableDomain } from '../../shared/domain.ts'
import { shortDomain } from '../../shared/display/domain.ts'
import type { Destination } from '../../shared/destination.ts'
import type { WebsiteView } from '../../shared/website.ts'
import type { Editor } from '../features/editor/editor.svelte.ts'
import type { ActivityList } from '../features/shared/activity-list.svelte.ts'
import type { ConnectForm } from '../features/connect/connect-form.svelte.ts'
import type { ConnectionList } from '../features/settings/connection-list.svelte.ts'
import type { BaseApp } from './base-app.ts'

interface App extends BaseApp {
  readonly editor: Editor
  readonly activity: ActivityList
  readonly connections: Pick<ConnectionList, 'cancelSwitch'>
  adding: ConnectForm | null
  asking: (() => void) | null
  showAccount: (id: string, then: () => void) => void
  quit: () => void
  search: () => Promise<void>
}

/**
 * Shows the destination of a link or a command, after asking about unsaved text. Cancels open dialogs. Saves and sends nothing
 * (docs/security.md). Shows nothing if its account can't be opened, or if an open dialog asks about its own text.
 */
export async function followDestination(app: App, destination: Destination): Promise<void> {
  if (destination.to === 'quit') return app.quit()
  const { adding } = app
  if (adding?.filled) {
    app.asking = () => {
      void adding.cancel()
      app.adding = null
      // The API key in the form counts as unsaved text until Svelte has removed the form.
      void tick().then(() => followDestination(app, destination))
    }
    return
  }
  app.adding = null
  const { account } = destination
  if (account !== undefined && account !== app.appState?.connection?.id) {
    app.showAccount(account, () => void followDestination(app, destination))
    return
  }
  // The destination is in the shown account. A switch to another account that is still in progress must not replace it.
  if (account !== undefined) app.connections.cancelSwitch()
  if (!(await cancelDialogs())) return
  if (destination.to === 'screen') {
    app.screen = destination.screen
    return
  }
  // Without a connection only the connect form is shown.
  if (!app.appState?.connection) return
  if (destination.to === 'activity') {
    app.screen = 'activity'
    app.activity.showOnly(destination.filter)
    return
  }
  if (destination.to === 'search') return app.search()
  app.screen = 'websites'
  if (destination.to === 'add') {
    if (app.appState.readOnly) app.toasts.show(m.open_read_only())
    else app.editor.create(destination.domain)
    return
  }
  await openDomain(app, destination.domain)
}

/** Cancels the open dialogs, like the Escape key. Returns false if one of them stays open. */
async function cancelDialogs(): Promise<boolean> {
  const dialogs = (): Element[] => [...document.querySelectorAll('dialog:modal')]
  for (const dialog of dialogs().reverse()) dialog.dispatchEvent(new Event('cancel', { cancelable: true }))
  await tick()
  return dialogs().length === 0
}

/** Opens the website with this domain in the editor. Shows a toast if there is none. */
export async function openDomain(app: Pick<App, 'bridge' | 'editor' | 'toasts'>, domain: string): Promise<void> {
  const website = await findWebsite(app, domain)
  if (website) app.editor.open(website)
  else app.toasts.show(m.open_no_such_website({ domain: shortDomain(domain) }))
}

/**
 * Returns the website with this domain or another spelling of it, because a server may store a domain as it was sent. Undefined
 * if there is none or the list can't be read. Reads all pages, because the search also finds longer domains.
 */
async function findWebsite({ bridge }: Pick<App, 'bridge'>, domain: string): Promise<WebsiteView | undefined> {
  const wanted = comparableDomain(domain)
  let otherSpelling: WebsiteView | undefined
  for (let page = 1; ; page += 1) {
    const found = await bridge.listWebsites({ search: domain, sort_by: 'domain', sort: 'asc', per_page: 100, page })
    if (!found.ok) return undefined
    const website = found.value.websites.find((each) => each.domain === domain)
    otherSpelling ??= found.value.websites.find((each) => comparableDomain(each.domain) === wanted)
    if (website || page >= found.value.pages) return website ?? otherSpelling
  }
}
