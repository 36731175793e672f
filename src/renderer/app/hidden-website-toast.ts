import { shortDomain } from '../../shared/display/domain.ts'
import { m } from '../../messages/index.ts'
import { MAX_BULK_WEBSITES, MAX_SEARCH_TEXT } from '../../shared/fields.ts'
import type { WebsiteView } from '../../shared/website.ts'
import type { WebsiteList } from '../features/websites/website-list.svelte.ts'
import type { BaseApp } from './base-app.ts'

interface App extends BaseApp {
  readonly websites: WebsiteList
}

/** Shows a toast if the current search hides the website that the user has just added. The toast has a button that shows it. */
export async function toastIfHidden(app: App, added: WebsiteView) {
  const { bridge, websites, toasts } = app
  const searched = websites.search
  if (searched.trim() === '') return
  if (websites.parsedSearch.problems.length === 0) {
    const found = await bridge.listKeys({ ...narrowedQuery(websites, added), from: 0, count: MAX_BULK_WEBSITES })
    if (!found.ok || found.value.includes(added.key) || websites.search !== searched) return
  }
  toasts.show(m.list_added_hidden({ domain: shortDomain(added.domain) }), {
    label: m.list_added_show(),
    run: () => Promise.resolve(websites.type(added.domain)),
  })
}

/** Returns the query of the list, limited to the domain to keep the result small, unless the search would become too long. */
function narrowedQuery(websites: WebsiteList, { domain }: WebsiteView) {
  const query = websites.query()
  const search = `${query.search} ${domain}`.trim()
  return search.length > MAX_SEARCH_TEXT ? query : { ...query, search }
}
