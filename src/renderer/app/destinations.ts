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
 * Shows a destination, such as that of a clicked link. Asks first about unsaved text that would be lost. Nothing is saved. A
 * destination in an account that can't be shown is not shown in another one. Open dialogs are canceled; the destination is not
 * shown while one of them asks about its text.
 */
export async function followDestination(app: App, destination: Destination): Promise<void> {
  if (destination.to === 'quit') return app.quit()
  const { adding } = app
  if (adding?.filled) {
    app.asking = () => {
      // A connect in progress is cancelled too.
      void adding.cancel()
      app.adding = null
      // The typed key counts as unsaved text until the form is removed.
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
  // The account that is shown is the one that the user has chosen last.
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

/** Cancels the open dialogs, as Escape does. Returns false if one of them stays open. */
async function cancelDialogs(): Promise<boolean> {
  const dialogs = (): Element[] => [...document.querySelectorAll('dialog:modal')]
  for (const dialog of dialogs().reverse()) dialog.dispatchEvent(new Event('cancel', { cancelable: true }))
  await tick()
  return dialogs().length === 0
}

/**
 * Opens the website with this domain in the editor, after asking about unsaved text. Shows a toast if there is no such website.
 */
export async function openDomain(app: Pick<App, 'bridge' | 'editor' | 'toasts'>, domain: string): Promise<void> {
  const website = await findWebsite(app, domain)
  if (website) app.editor.open(website)
  else app.toasts.show(m.open_no_such_website({ domain: shortDomain(domain) }))
}

/**
 * Returns the website with this domain, or else one with another spelling of it, because hosts may store a domain as it was sent.
 * Undefined if there is none, or a page of the list can't be read. Reads all pages of the search, because it also finds longer
 * domains that contain this one.
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
