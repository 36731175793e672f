import type { WebsiteView } from '../../../shared/website.ts'

/** Maximum number of loaded windows: a few more than the largest screen shows. */
const MAX_WINDOWS = 12

/** The rows that one request has loaded. */
interface LoadedWindow {
  page: number
  /** The number of the query (search, filters, order) that has loaded the rows. */
  query: number
  /** The number of changes of the list before the rows were requested. */
  age: number
  rows: readonly WebsiteView[]
}

/** A window that was requested but hasn't arrived yet. */
interface PendingWindow {
  /** True if the list still has the query of the request. */
  isCurrent: () => boolean
  /** Stores the rows and removes those of other queries, and the most distant ones if too many, but not `keptPage`. */
  store: (page: number, rows: readonly WebsiteView[], keptPage: number) => void
}

/** The loaded parts ("windows") of a list, numbered from 1. After a new query, old rows stay until the first new ones arrive. */
export class ListWindows {
  #windows: readonly LoadedWindow[] = $state.raw([])
  #query = 0
  /** Number of times that the list has changed, to find outdated windows. */
  #age = 0

  /** Returns the rows of a window, even outdated ones; undefined if it isn't loaded. */
  get(page: number): readonly WebsiteView[] | undefined {
    return this.#windows.find((window) => window.page === page)?.rows
  }

  /** True if the window is loaded for the current query and isn't outdated. */
  has(page: number): boolean {
    return this.#windows.some(
      (window) => window.page === page && window.query === this.#query && window.age === this.#age,
    )
  }

  /** True if a window of the current query has arrived. */
  isAnswered(): boolean {
    return this.#windows.some(({ query }) => query === this.#query)
  }

  /** Returns the position of a website in the whole list. `size`: rows per window. Null if the website isn't loaded. */
  find(key: string, size: number): number | null {
    for (const { page, rows } of this.#windows) {
      const at = rows.findIndex((row) => row.key === key)
      if (at >= 0) return (page - 1) * size + at
    }
    return null
  }

  /** Starts a new query, so that all windows have to be loaded again. */
  begin(): void {
    this.#query += 1
  }

  /** Removes all windows, and ignores those that were requested. */
  clear(): void {
    this.#windows = []
    this.begin()
  }

  expire(): void {
    this.#age += 1
  }

  /** Must be called when a window is requested. The result stores the response. */
  expect(): PendingWindow {
    const query = this.#query
    const age = this.#age
    const store: PendingWindow['store'] = (page, rows, keptPage) => {
      const distance = (other: LoadedWindow) => (other.page === keptPage ? 0 : Math.abs(other.page - page))
      const otherWindows = this.#windows
        .filter((window) => window.query === query && window.page !== page)
        .toSorted((a, b) => distance(a) - distance(b))
      this.#windows = [{ page, query, age, rows }, ...otherWindows].slice(0, MAX_WINDOWS)
    }
    return { isCurrent: () => query === this.#query, store }
  }
}
