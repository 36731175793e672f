import type { Destination } from '../../shared/destination.ts'
import type { WebsiteView } from '../../shared/website.ts'
import { noSuchWebsite, nothingToAddTo } from '../../words/websites.ts'
import type { Model } from './model.svelte.ts'

/** Leads the person where they want to be. What is being typed stays until they say otherwise; nothing is saved. */
export async function follow(model: Model, destination: Destination): Promise<void> {
  const { adding } = model
  if (adding?.filled) {
    adding.asking = () => {
      // What is being connected to is given up with it.
      void adding.cancel()
      model.adding = null
      void follow(model, destination)
    }
    return
  }
  model.adding = null
  if (destination.to === 'screen' || destination.to === 'sent') {
    model.screen = destination.to === 'sent' ? 'pending' : destination.screen
    model.pending.tab = destination.to === 'sent' ? 'sent' : 'waiting'
    return
  }
  // Without a connection the form for one is there, and it's the way to anything else.
  if (!model.app?.connection) return
  model.screen = 'websites'
  if (destination.to === 'add') {
    if (model.app.readOnly) model.notices.say(nothingToAddTo)
    else model.editor.create(destination.domain)
    return
  }
  await openDomain(model, destination.domain)
}

/** Opens the website of this domain, as the list has it; what is being typed is asked about first. */
export async function openDomain(model: Pick<Model, 'bridge' | 'editor' | 'notices'>, domain: string): Promise<void> {
  const website = await find(model, domain)
  if (website) model.editor.open(website)
  else model.notices.say(noSuchWebsite(domain))
}

/** The search finds whatever has the domain within it: the one that is meant may be on any page. */
async function find({ bridge }: Pick<Model, 'bridge'>, domain: string): Promise<WebsiteView | undefined> {
  for (let page = 1; ; page += 1) {
    const found = await bridge.listWebsites({ search: domain, sort_by: 'domain', sort: 'asc', per_page: 100, page })
    if (!found.ok) return undefined
    const website = found.value.websites.find((each) => each.domain === domain)
    if (website || page >= found.value.pages) return website
  }
}
