import { MOST_AT_ONCE, MOST_SEARCHED } from '../../shared/fields.ts'
import type { WebsiteView } from '../../shared/website.ts'
import { hiddenBySearch, showIt } from '../../words/list.ts'
import type { SitewardBridge } from '../../preload/bridge.ts'
import type { Toasts } from './toasts.svelte.ts'
import type { WebsiteList } from '../features/websites/website-list.svelte.ts'

interface App {
  readonly bridge: SitewardBridge
  readonly websites: WebsiteList
  readonly toasts: Toasts
}

/** Says of a website that was just added that the search doesn't show it, where that is so, and offers to. */
export async function tellHidden(app: App, added: WebsiteView) {
  const { bridge, websites, toasts } = app
  const searched = websites.search
  if (searched.trim() === '') return
  if (websites.sought.problems.length === 0) {
    const found = await bridge.listKeys({ ...questionFor(websites, added), from: 0, count: MOST_AT_ONCE })
    if (!found.ok || found.value.includes(added.key) || websites.search !== searched) return
  }
  toasts.say(hiddenBySearch(added.domain), {
    label: showIt,
    run: () => Promise.resolve(websites.type(added.domain)),
  })
}

/** However many it finds, with the domain among its words there are few. */
function questionFor(websites: WebsiteList, { domain }: WebsiteView) {
  const question = websites.question()
  const search = `${question.search} ${domain}`.trim()
  return search.length > MOST_SEARCHED ? question : { ...question, search }
}
