import type { SitewardBridge } from '../../../preload/bridge.ts'
import { type AppError, type Result, ok } from '../../../shared/result.ts'
import { MAX_BULK_WEBSITES } from '../../../shared/fields.ts'
import type { ListPlace } from '../../../shared/form-draft.ts'
import type { Settings } from '../../../shared/state.ts'
import type { ListQuery, PageSize, WebsitePage, WebsiteView } from '../../../shared/website.ts'
import type { Arrangement, SavedView } from '../../../shared/saved-view.ts'
import { completions, parseSearch, type Completion, type OwnFilterValues } from '../../../shared/search.ts'
import type { ColumnName } from '../../../shared/list-settings.ts'
import { coalesced } from '../../lib/coalesced.ts'
import { ListFilters } from './list-filters.svelte.ts'
import { Selection } from './selection.svelte.ts'
import { ListWindows } from './list-windows.svelte.ts'
import { ListColumns } from './website-list-columns.svelte.ts'
import { hintOf } from './filter-text.ts'

/** Number of rows that are loaded at once if the list isn't divided into pages. */
const ROWS_PER_WINDOW = 100

/** The list of websites: one page, or all, loaded in windows while the user scrolls. Old rows are shown until new ones arrive. */
export class WebsiteList {
  readonly #bridge: SitewardBridge
  readonly #keep: (settings: Partial<Settings>) => void
  readonly #own: () => OwnFilterValues
  readonly #windows = new ListWindows()
  /** The rows that are drawn: `from` is the first, `to` the one after the last. */
  #view = { from: 0, to: 1 }

  search = $state('')
  sortBy: ListQuery['sort_by'] = $state('id')
  sort: ListQuery['sort'] = $state('desc')
  perPage: PageSize = $state('all')
  page = $state(1)

  /** The saved view that is open. Its order and columns are not stored as those of the list. */
  view: SavedView | null = $state.raw(null)

  /** The last response without its rows; null before the first one. */
  result: Omit<WebsitePage, 'websites'> | null = $state.raw(null)
  error: AppError | null = $state.raw(null)
  /** The row in the tab order, as an index on the page. It moves with its website. */
  active = $state(0)
  /** The index of the first visible row. */
  top = $state(0)
  /** Increases whenever a page, search or order is opened. The screen then scrolls to the row `top`. */
  loads = $state(0)

  readonly parsedSearch = $derived.by(() => parseSearch(this.search, this.#own()))
  /** Number of rows per request: a page, or a part of the list without pages (a "window"). */
  readonly #size = $derived(this.perPage === 'all' ? ROWS_PER_WINDOW : this.perPage)
  /** Number of rows on earlier pages. */
  readonly before = $derived(this.perPage === 'all' || !this.result ? 0 : (this.result.page - 1) * this.perPage)
  /** Number of rows on the page, loaded or not. */
  readonly count = $derived(
    this.perPage === 'all'
      ? (this.result?.matching ?? 0)
      : Math.max(0, Math.min(this.perPage, (this.result?.matching ?? 0) - this.before)),
  )

  readonly filters: ListFilters
  readonly selection: Selection
  readonly columns: ListColumns

  /** `keep` stores settings of the list. `own` returns the names of tags and presets, which filters can contain. */
  constructor(
    bridge: SitewardBridge,
    keep: (settings: Partial<Settings>) => void,
    own: () => OwnFilterValues = () => ({}),
  ) {
    this.#bridge = bridge
    this.#keep = (settings) => {
      if (this.view === null || !('listOrder' in settings || 'listColumns' in settings)) keep(settings)
    }
    this.#own = own
    this.filters = new ListFilters(this, own)
    this.selection = new Selection(bridge, this)
    this.columns = new ListColumns(this.#keep)
  }

  /** Applies the settings of the list. An open view keeps its order and columns. */
  arrange(settings: Settings): void {
    const { sortBy, sort, columns } = this.arrangement
    const { listOrder, listColumns } =
      this.view === null ? settings : { listOrder: { by: sortBy, sort }, listColumns: columns }
    this.sortBy = listOrder.by
    this.sort = listOrder.sort
    this.perPage = settings.listPages
    this.columns.arrange({ ...settings, listColumns })
    this.#windows.begin()
  }

  /** Returns a row, or undefined if it isn't loaded. */
  row(index: number): WebsiteView | undefined {
    const at = this.before + index
    return this.#windows.get(this.#windowOf(index))?.[at % this.#size]
  }

  /** Returns the index of a website on the page, or null if it isn't loaded. */
  indexOf(key: string): number | null {
    const at = this.#windows.find(key, this.#size)
    return at === null || at < this.before ? null : at - this.before
  }

  /** Sets which rows are drawn, and loads missing ones. */
  show(from: number, to: number): void {
    this.#view = { from, to }
    void this.#fill()
  }

  /** Loads the drawn rows again, because any of them may be outdated. Other rows are loaded again when they are drawn. */
  load(): Promise<void> {
    this.#windows.expire()
    return this.#fill()
  }

  /** Loads missing and outdated windows one after the other. Stops after an error. */
  readonly #fill = coalesced(async () => {
    for (let page = this.#missing(); page !== null; page = this.#missing()) {
      if (!(await this.#fetch(page))) return
    }
  })

  /** Returns the search, the filters and the order, without the page. */
  query() {
    const { text: search, filters } = this.parsedSearch
    return { search, filters, sort_by: this.sortBy, sort: this.sort }
  }

  /** Returns the number of the next window to load, or null if none is missing. */
  #missing(): number | null {
    if (this.perPage !== 'all') return this.#windows.has(this.page) ? null : this.page
    const last = Math.max(1, Math.ceil(this.count / ROWS_PER_WINDOW))
    const to = Math.min(last, this.#windowOf(Math.max(0, this.#view.to - 1)))
    const from = Math.min(to, this.#windowOf(this.#view.from))
    for (let page = from; page <= to; page++) if (!this.#windows.has(page)) return page
    const active = this.#windowOf(this.active)
    return active <= last && !this.#windows.has(active) ? active : null
  }

  /** Returns the number of the window with this row of the page. */
  #windowOf = (index: number): number => Math.floor((this.before + index) / this.#size) + 1

  /** Loads a window. Ignores the response if the query has changed. On an error, sets `error` and returns false. */
  async #fetch(page: number): Promise<boolean> {
    const expected = this.#windows.expect()
    const answer = await this.#ask(page)
    if (!expected.isCurrent()) return true
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return false
    const { websites, ...result } = answer.value
    const isFirst = !this.#windows.isAnswered()
    const key = isFirst ? undefined : this.row(this.active)?.key
    expected.store(result.page, websites, this.#windowOf(this.active))
    this.result = result
    if (this.perPage !== 'all') this.page = result.page
    // The active row moves with its website if rows are added or removed before it.
    const at = key === undefined ? null : this.indexOf(key)
    this.active = Math.max(0, Math.min(at ?? this.active, this.count - 1))
    return true
  }

  /** The first suggestion for the last word, if it may be the beginning of a filter. */
  get suggestedFilter(): Completion | undefined {
    return this.parsedSearch.problems.length > 0 ? undefined : completions(this.search, false, this.#own(), hintOf)[0]
  }

  /** Requests a page. An invalid search has no results, but the total number of websites is still requested. */
  async #ask(page: number): Promise<Result<WebsitePage>> {
    const query = { ...this.query(), per_page: this.#size, page }
    if (this.parsedSearch.problems.length === 0) return this.#bridge.listWebsites(query)
    const all = await this.#bridge.listWebsites({ ...query, search: '', filters: [], page: 1 })
    return all.ok ? ok({ ...all.value, websites: [], matching: 0, page: 1, pages: 1 }) : all
  }

  /** Changes the search and requests the results at once. During a request, only the latest search waits for the next one. */
  type(search: string): void {
    this.search = search
    // The selected websites may not match the new search.
    this.selection.clear()
    this.goTo(1)
  }

  /** Sorts by a column: dates newest first, domains from A. A second click reverses the order. */
  sortWith(column: ListQuery['sort_by']): void {
    if (this.sortBy === column) this.sortAs(column, this.sort === 'asc' ? 'desc' : 'asc')
    else this.sortAs(column, column === 'id' ? 'desc' : 'asc')
  }

  sortAs(column: ListQuery['sort_by'], direction: ListQuery['sort']): void {
    this.sortBy = column
    this.sort = direction
    this.#keep({ listOrder: { by: column, sort: direction } })
    this.goTo(1)
  }

  showPerPage(perPage: PageSize): void {
    this.perPage = perPage
    this.#keep({ listPages: perPage })
    this.goTo(1)
  }

  /** The values that a new view would save. */
  get arrangement(): Arrangement {
    return { search: this.search.trim(), sortBy: this.sortBy, sort: this.sort, columns: [...this.columns.chosen] }
  }

  get differsFromView(): boolean {
    const { view, arrangement } = this
    if (view === null) return false
    const { search, sortBy, sort, columns } = arrangement
    const isSame = search === view.search.trim() && sortBy === view.sortBy && sort === view.sort
    return !isSame || columns.join() !== view.columns.join()
  }

  openView(view: SavedView): void {
    this.view = view
    this.#show(view)
  }

  /** Closes the open view, and shows all websites in the order and columns of the settings. Does nothing if no view is open. */
  leaveView({ listOrder, listColumns }: Pick<Settings, 'listOrder' | 'listColumns'>): void {
    if (this.view === null) return
    this.view = null
    this.#show({ search: '', sortBy: listOrder.by, sort: listOrder.sort, columns: listColumns })
  }

  #show({ search, sortBy, sort, columns }: Omit<Arrangement, 'columns'> & { columns: readonly ColumnName[] }): void {
    this.sortBy = sortBy
    this.sort = sort
    this.columns.show(columns)
    // The space at the end finishes the last filter, so that it becomes a chip too.
    this.type(search === '' ? '' : `${search} `)
  }

  /** The state that {@link WebsiteList.resume} restores after a reload or restart. */
  get place(): ListPlace {
    const { search, sortBy, sort, perPage, page, active } = this
    const view = this.view && { view: this.view.id }
    return { ...view, search, sortBy, sort, perPage, page, active, top: this.top, chosen: this.selection.place }
  }

  /** Restores everything in `place`, and the open view with its columns. */
  resume(place: ListPlace, view: SavedView | null): void {
    this.view = view
    if (view) this.columns.show(view.columns)
    this.search = place.search
    this.sortBy = place.sortBy
    this.sort = place.sort
    this.perPage = place.perPage
    this.goTo(place.page, place.active, place.top)
    this.selection.resume(place.chosen)
  }

  /** Makes the row of a website the active one, on any page. Returns false if the website isn't in the list. */
  async goToRow(key: string): Promise<boolean> {
    let at = this.indexOf(key)
    if (at === null || at >= this.count) {
      const keys = await this.#bridge.listKeys({ ...this.query(), from: 0, count: MAX_BULK_WEBSITES })
      const found = keys.ok ? keys.value.indexOf(key) : -1
      if (found < 0) return false
      if (this.perPage !== 'all') this.goTo(Math.floor(found / this.perPage) + 1)
      at = this.perPage === 'all' ? found : found % this.perPage
    }
    await this.#fill()
    this.active = this.indexOf(key) ?? at
    return true
  }

  /** Opens a page. `active`: the row in the tab order. `top`: the first visible row. */
  goTo(page: number, active = 0, top = 0): void {
    this.page = page
    this.active = active
    this.#view = { from: top, to: top + 1 }
    this.top = top
    this.#windows.begin()
    this.loads += 1
    void this.#fill()
  }

  /** True if there is a website after (1) or before (-1) this one, on any page, or any at all if this one isn't loaded. */
  hasBeside(key: string | null, step: 1 | -1): boolean {
    const at = key === null ? null : this.indexOf(key)
    if (at === null) return this.count > 0
    const beside = this.before + at + step
    return beside >= 0 && beside < (this.result?.matching ?? 0)
  }

  /** Makes the website after or before this one active, on any page, and returns it. Null if there is none. */
  async goBeside(key: string | null, step: 1 | -1): Promise<WebsiteView | null> {
    if (!this.hasBeside(key, step)) return null
    const at = key === null ? null : this.indexOf(key)
    const to = at === null ? 0 : at + step
    if (to >= 0 && to < this.count) this.active = to
    else {
      this.goTo(this.page + step)
      await this.#fill()
      this.active = step === 1 ? 0 : Math.max(0, this.count - 1)
    }
    await this.#fill()
    return this.row(this.active) ?? null
  }

  reset(): void {
    this.view = null
    this.search = ''
    this.page = 1
    this.active = 0
    this.#view = { from: 0, to: 1 }
    this.top = 0
    this.result = null
    this.error = null
    this.selection.clear()
    this.#windows.clear()
  }
}
