import type { SitewardBridge } from '../../preload/bridge.ts'
import type { AppError } from '../../shared/result.ts'
import type { ListQuery, PerPage, WebsitePage, WebsiteView } from '../../shared/website.ts'
import { coalesced } from './coalesced.ts'

const SEARCH_PAUSE = 120 // milliseconds

/** One page of the view, by the interface's own parameters. Old rows stay until new ones are there. */
export class WebsiteList {
  readonly #bridge: SitewardBridge
  #pause: ReturnType<typeof setTimeout> | undefined

  search = $state('')
  sortBy: ListQuery['sort_by'] = $state('id')
  sort: ListQuery['sort'] = $state('desc')
  perPage: PerPage = $state(25)
  page = $state(1)

  result: WebsitePage | null = $state.raw(null)
  error: AppError | null = $state.raw(null)

  readonly first = $derived(this.result && this.result.matching > 0 ? (this.result.page - 1) * this.perPage + 1 : 0)
  readonly last = $derived(this.result ? this.first + Math.max(0, this.result.websites.length - 1) : 0)

  constructor(bridge: SitewardBridge) {
    this.#bridge = bridge
  }

  readonly load = coalesced(async () => {
    const answer = await this.#bridge.listWebsites({
      search: this.search.trim(),
      sort_by: this.sortBy,
      sort: this.sort,
      per_page: this.perPage,
      page: this.page,
    })
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return
    this.result = answer.value
    this.page = answer.value.page
  })

  /** Searches once the typing pauses. */
  type(search: string): void {
    this.search = search
    clearTimeout(this.#pause)
    this.#pause = setTimeout(() => this.goTo(1), SEARCH_PAUSE)
  }

  clearSearch(): void {
    this.search = ''
    clearTimeout(this.#pause)
    this.goTo(1)
  }

  /** A second click on a column turns its order round; a date begins with the newest, a domain with A. */
  sortWith(column: ListQuery['sort_by']): void {
    if (this.sortBy === column) this.sortAs(column, this.sort === 'asc' ? 'desc' : 'asc')
    else this.sortAs(column, column === 'id' ? 'desc' : 'asc')
  }

  sortAs(column: ListQuery['sort_by'], direction: ListQuery['sort']): void {
    this.sortBy = column
    this.sort = direction
    this.goTo(1)
  }

  showPerPage(perPage: PerPage): void {
    this.perPage = perPage
    this.goTo(1)
  }

  goTo(page: number): void {
    this.page = page
    void this.load()
  }

  /** Whether there is a website after (1) or before (-1) this one; from one that isn't on the page it goes to the page. */
  hasBeside(key: string | null, step: 1 | -1): boolean {
    const { websites, page, pages } = this.result ?? { websites: [], page: 1, pages: 1 }
    const at = websites.findIndex((website) => website.key === key)
    return at < 0
      ? websites.length > 0
      : websites[at + step] !== undefined || (page + step >= 1 && page + step <= pages)
  }

  /** The website after or before this one in the list's order, on whichever page; null: there is none. */
  async beside(key: string | null, step: 1 | -1): Promise<WebsiteView | null> {
    if (!this.hasBeside(key, step)) return null
    const websites = this.result?.websites ?? []
    const at = websites.findIndex((website) => website.key === key)
    const near = at < 0 ? websites[0] : websites[at + step]
    if (near) return near
    this.page += step
    await this.load()
    return this.result?.websites.at(step === 1 ? 0 : -1) ?? null
  }

  reset(): void {
    clearTimeout(this.#pause)
    this.search = ''
    this.page = 1
    this.result = null
    this.error = null
  }
}
