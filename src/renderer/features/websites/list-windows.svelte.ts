import type { WebsiteView } from '../../../shared/website.ts'

/** Windows that are kept: some more than the largest window on the screen shows. */
const KEPT = 12

interface Window {
  page: number
  question: number
  age: number
  rows: readonly WebsiteView[]
}

interface Expected {
  /** Whether nothing else has been asked since. */
  isWanted: () => boolean
  /** Keeps the rows, and drops the windows farthest from them, except `kept`. */
  take: (page: number, rows: readonly WebsiteView[], kept: number) => void
}

/**
 * The windows of a list that are here, by their number from 1. Those of the question before stay to be looked at until the
 * first one of the new question comes.
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

  /** Whether anything of this question has come. */
  isAnswered(): boolean {
    return this.#windows.some(({ question }) => question === this.#question)
  }

  /** The place of a website from the first one of the list, with windows of `size` rows; null: it isn't here. */
  find(key: string, size: number): number | null {
    for (const { page, rows } of this.#windows) {
      const at = rows.findIndex((row) => row.key === key)
      if (at >= 0) return (page - 1) * size + at
    }
    return null
  }

  /** Another question: nothing that is here answers it. */
  begin(): void {
    this.#question += 1
  }

  /** Something has changed since what is here was fetched. */
  expire(): void {
    this.#age += 1
  }

  /** To be called as a window is asked for. */
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
