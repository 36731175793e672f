import type { WebsiteView } from '../../../shared/website.ts'

/** Maximum number of loaded windows, a few more than the largest screen shows. */
const KEPT = 12

interface Window {
  page: number
  question: number
  age: number
  rows: readonly WebsiteView[]
}

interface Expected {
  /** True if the list still shows the question for which the window was requested. */
  isWanted: () => boolean
  /** Stores the rows, and drops the most distant windows, except `kept`. */
  take: (page: number, rows: readonly WebsiteView[], kept: number) => void
}

/**
 * The loaded windows of a list, by their number from 1. After a new question, the old ones are shown until the first
 * new one arrives.
 */
export class ListWindows {
  #windows: readonly Window[] = $state.raw([])
  #question = 0
  #age = 0

  get(page: number): readonly WebsiteView[] | undefined {
    return this.#windows.find((window) => window.page === page)?.rows
  }

  /** True if the window of the current question is here and nothing has changed since it was fetched. */
  has(page: number): boolean {
    return this.#windows.some(
      (window) => window.page === page && window.question === this.#question && window.age === this.#age,
    )
  }

  /** True if a window of the current question has arrived. */
  isAnswered(): boolean {
    return this.#windows.some(({ question }) => question === this.#question)
  }

  /** Returns the position of a website in the whole list, with windows of `size` rows. Null if it is not loaded. */
  find(key: string, size: number): number | null {
    for (const { page, rows } of this.#windows) {
      const at = rows.findIndex((row) => row.key === key)
      if (at >= 0) return (page - 1) * size + at
    }
    return null
  }

  /** Starts a new question, which no loaded window answers. */
  begin(): void {
    this.#question += 1
  }

  /** Marks the loaded windows as outdated. */
  expire(): void {
    this.#age += 1
  }

  /** Returns how to store a window. Call it when the window is requested. */
  expect(): Expected {
    const question = this.#question
    const age = this.#age
    const take: Expected['take'] = (page, rows, kept) => {
      const distance = (other: Window) => (other.page === kept ? 0 : Math.abs(other.page - page))
      const others = this.#windows
        .filter((window) => window.question === question && window.page !== page)
        .toSorted((a, b) => distance(a) - distance(b))
      this.#windows = [{ page, question, age, rows }, ...others].slice(0, KEPT)
    }
    return { isWanted: () => question === this.#question, take }
  }
}
