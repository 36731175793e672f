import type { WebsiteView } from '../../../shared/website.ts'

/** Maximum number of loaded windows, a few more than the largest screen shows. */
const MAX_WINDOWS = 12

/** A part of the list that one request has loaded. */
interface LoadedWindow {
  page: number
  /** The number of the query that the window answers. */
  query: number
  /** The number of times that the list had changed when the window was requested. */
  age: number
  rows: readonly WebsiteView[]
}

/** A window that was requested and has not arrived yet. */
interface PendingWindow {
  /** True if the list still shows the query for which the window was requested. */
  isCurrent: () => boolean
  /**
   * Stores the rows, and drops the windows of other queries. If there are too many windows, drops the most distant ones too,
   * except `keptPage`.
   */
  store: (page: number, rows: readonly WebsiteView[], keptPage: number) => void
}

/**
 * The loaded windows of a list, by their number from 1. After a new query, the old ones are shown until the first
 * new one arrives.
 */
export class ListWindows {
  #windows: readonly LoadedWindow[] = $state.raw([])
  /** The number of the current query. */
  #query = 0
  /** The number of times that the list has changed. */
  #age = 0

  /** Returns the rows of a window, even outdated ones; undefined if it is not loaded. */
  get(page: number): readonly WebsiteView[] | undefined {
    return this.#windows.find((window) => window.page === page)?.rows
  }

  /** True if the window of the current query is here and nothing has changed since it was fetched. */
  has(page: number): boolean {
    return this.#windows.some(
      (window) => window.page === page && window.query === this.#query && window.age === this.#age,
    )
  }

  /** True if a window of the current query has arrived. */
  isAnswered(): boolean {
    return this.#windows.some(({ query }) => query === this.#query)
  }

  /** Returns the position of a website in the whole list, with windows of `size` rows. Null if it is not loaded. */
  find(key: string, size: number): number | null {
    for (const { page, rows } of this.#windows) {
      const at = rows.findIndex((row) => row.key === key)
      if (at >= 0) return (page - 1) * size + at
    }
    return null
  }

  /** Starts a new query, which no loaded window answers. */
  begin(): void {
    this.#query += 1
  }

  /** Drops all windows, also those that were requested. */
  clear(): void {
    this.#windows = []
    this.begin()
  }

  /** Marks the loaded windows as outdated. */
  expire(): void {
    this.#age += 1
  }

  /** Returns how to store a window. Call it when the window is requested. */
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
