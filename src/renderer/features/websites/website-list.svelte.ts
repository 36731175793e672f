import type { SitewardBridge } from '../../../preload/bridge.ts'
import { type AppError, type Result, ok } from '../../../shared/result.ts'
import type { ListPlace } from '../../../shared/form-draft.ts'
import type { Settings } from '../../../shared/state.ts'
import type { ListQuery, PageSize, WebsitePage, WebsiteView } from '../../../shared/website.ts'
import { completions, parseSearch, type Completion } from '../../../shared/search.ts'
import { coalesced } from '../../lib/coalesced.ts'
import { ListFilters } from './list-filters.svelte.ts'
import { Selection } from './selection.svelte.ts'
import { ListWindows } from './list-windows.svelte.ts'
import { ListColumns } from './website-list-columns.svelte.ts'

/** Rows that are fetched at once where all of them are on one page. */
const WINDOW = 100

/**
 * The view, by the interface's own parameters: a page of it, or all of it in windows that are fetched as they're scrolled
 * to. Old rows stay until new ones are there; what is far from those in view is let go.
 */
export class WebsiteList {
  readonly #bridge: SitewardBridge
  readonly #keep: (settings: Partial<Settings>) => void
  readonly #presets: () => readonly string[]
  readonly #windows = new ListWindows()
  #view = { from: 0, to: 1 }

  search = $state('')
  sortBy: ListQuery['sort_by'] = $state('id')
  sort: ListQuery['sort'] = $state('desc')
  perPage: PageSize = $state('all')
  page = $state(1)

  result: Omit<WebsitePage, 'websites'> | null = $state.raw(null)
  error: AppError | null = $state.raw(null)
  /** The row that takes part in the order of Tab, counted from the first one shown; it goes where its website goes. */
  active = $state(0)
  /** The first row that can be seen. */
  top = $state(0)
  /** Counts the questions, so that the screen begins at the top of each answer. */
  asked = $state(0)

  /** What the search says: a text for the service's own search, and filters. */
  readonly sought = $derived.by(() => parseSearch(this.search, this.#presets()))
  readonly #size = $derived(this.perPage === 'all' ? WINDOW : this.perPage)
  /** How many rows lie before the first one shown. */
  readonly before = $derived(this.perPage === 'all' || !this.result ? 0 : (this.result.page - 1) * this.perPage)
  /** How many rows are shown, fetched or not. */
  readonly count = $derived(
    this.perPage === 'all'
      ? (this.result?.matching ?? 0)
      : Math.max(0, Math.min(this.perPage, (this.result?.matching ?? 0) - this.before)),
  )

  readonly filters: ListFilters
  readonly selection: Selection
  readonly columns: ListColumns

  /** `keep`: remembers how the list is arranged. `presets`: their names, which may stand in the search. */
  constructor(
    bridge: SitewardBridge,
    keep: (settings: Partial<Settings>) => void,
    presets: () => readonly string[] = () => [],
  ) {
    this.#bridge = bridge
    this.#keep = keep
    this.#presets = presets
    this.filters = new ListFilters(this, presets)
    this.selection = new Selection(bridge, this)
    this.columns = new ListColumns(keep)
  }

  /** As it was when the app was last used. */
  arrange(settings: Settings): void {
    this.sortBy = settings.listOrder.by
    this.sort = settings.listOrder.sort
    this.perPage = settings.listPages
    this.columns.arrange(settings)
    this.#windows.begin()
  }

  /** A row of those shown; undefined: it isn't here yet. */
  row(index: number): WebsiteView | undefined {
    const at = this.before + index
    return this.#windows.get(this.#windowOf(index))?.[at % this.#size]
  }

  /** Where a website is shown, as far as it's here. */
  indexOf(key: string): number | null {
    const at = this.#windows.find(key, this.#size)
    return at === null || at < this.before ? null : at - this.before
  }

  /** Fetches the rows that are drawn. */
  show(from: number, to: number): void {
    this.#view = { from, to }
    void this.#fill()
  }

  /** Whatever is here may be behind. */
  load(): Promise<void> {
    this.#windows.expire()
    return this.#fill()
  }

  readonly #fill = coalesced(async () => {
    for (let page = this.#missing(); page !== null; page = this.#missing()) {
      if (!(await this.#fetch(page))) return
    }
  })

  /** What is asked for, but for the page. */
  question() {
    const { text: search, filters } = this.sought
    return { search, filters, sort_by: this.sortBy, sort: this.sort }
  }

  #missing(): number | null {
    if (this.perPage !== 'all') return this.#windows.has(this.page) ? null : this.page
    const last = Math.max(1, Math.ceil(this.count / WINDOW))
    const to = Math.min(last, this.#windowOf(Math.max(0, this.#view.to - 1)))
    const from = Math.min(to, this.#windowOf(this.#view.from))
    for (let page = from; page <= to; page++) if (!this.#windows.has(page)) return page
    const active = this.#windowOf(this.active)
    return active <= last && !this.#windows.has(active) ? active : null
  }

  #windowOf = (index: number): number => Math.floor((this.before + index) / this.#size) + 1

  async #fetch(page: number): Promise<boolean> {
    const expected = this.#windows.expect()
    const answer = await this.#ask(page)
    if (!expected.isWanted()) return true
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return false
    const { websites, ...result } = answer.value
    const isFirst = !this.#windows.isAnswered()
    const key = isFirst ? undefined : this.row(this.active)?.key
    expected.take(result.page, websites, this.#windowOf(this.active))
    this.result = result
    if (this.perPage !== 'all') this.page = result.page
    // What comes in before the active website moves it along.
    const at = key === undefined ? null : this.indexOf(key)
    this.active = Math.max(0, Math.min(at ?? this.active, this.count - 1))
    return true
  }

  /** What was typed last may be the beginning of a filter: the first of those. */
  get begun(): Completion | undefined {
    return this.sought.problems.length > 0 ? undefined : completions(this.search, false, this.#presets())[0]
  }

  /** What can't be sought isn't found; how many there are of what isn't sought is asked all the same. */
  async #ask(page: number): Promise<Result<WebsitePage>> {
    const question = { ...this.question(), per_page: this.#size, page }
    if (this.sought.problems.length === 0) return this.#bridge.listWebsites(question)
    const all = await this.#bridge.listWebsites({ ...question, search: '', filters: [], page: 1 })
    return all.ok ? ok({ ...all.value, websites: [], matching: 0, page: 1, pages: 1 }) : all
  }

  /** Asks at once, as it's asked of this computer; while that is answered what is typed last is all that is asked next. */
  type(search: string): void {
    this.search = search
    // Those that are chosen may not be among those that are found.
    this.selection.clear()
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
    this.#keep({ listOrder: { by: column, sort: direction } })
    this.goTo(1)
  }

  showPerPage(perPage: PageSize): void {
    this.perPage = perPage
    this.#keep({ listPages: perPage })
    this.goTo(1)
  }

  /** For a page that comes after this one: {@link WebsiteList.resume}. */
  get place(): ListPlace {
    const { search, sortBy, sort, perPage, page, active } = this
    return { search, sortBy, sort, perPage, page, active, top: this.top, chosen: this.selection.place }
  }

  /** Goes back to where it was. */
  resume(place: ListPlace): void {
    this.search = place.search
    this.sortBy = place.sortBy
    this.sort = place.sort
    this.perPage = place.perPage
    this.goTo(place.page, place.active, place.top)
    this.selection.resume(place.chosen)
  }

  /** Asks anew, from the top of a page, or from further down. */
  goTo(page: number, active = 0, top = 0): void {
    this.page = page
    this.active = active
    this.#view = { from: top, to: top + 1 }
    this.top = top
    this.#windows.begin()
    this.asked += 1
    void this.#fill()
  }

  /** Whether there is a website after (1) or before (-1) this one; from one that isn't here it goes to the first. */
  hasBeside(key: string | null, step: 1 | -1): boolean {
    const at = key === null ? null : this.indexOf(key)
    if (at === null) return this.count > 0
    const beside = this.before + at + step
    return beside >= 0 && beside < (this.result?.matching ?? 0)
  }

  /** The website after or before this one in the list's order, on whichever page; null: there is none. */
  async beside(key: string | null, step: 1 | -1): Promise<WebsiteView | null> {
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
    this.search = ''
    this.page = 1
    this.active = 0
    this.#view = { from: 0, to: 1 }
    this.top = 0
    this.result = null
    this.error = null
    this.selection.clear()
    this.#windows.begin()
  }
}
