import { completions, type Completion, type OwnFilterValues } from '../../../shared/search.ts'
import { hintOf } from './filter-text.ts'

/** The suggestions below the search field. The arrow keys move through them. */
export class SearchSuggestions {
  readonly #typed: () => string
  readonly #own: () => OwnFilterValues
  /** `typed`: suggestions for the typed text. `all`: all filters, after an arrow key in the empty field. */
  #open: 'no' | 'typed' | 'all' = $state('no')
  /** The index of the current suggestion, or −1. Without one, Enter searches. */
  at = $state(-1)

  constructor(typed: () => string, own: () => OwnFilterValues) {
    this.#typed = typed
    this.#own = own
  }

  get options(): Completion[] {
    return this.#open === 'no' ? [] : completions(this.#typed(), this.#open === 'all', this.#own(), hintOf)
  }

  get current(): Completion | undefined {
    return this.options[this.at]
  }

  begin(): void {
    this.#open = 'typed'
    this.at = -1
  }

  close(): void {
    this.#open = 'no'
    this.at = -1
  }

  /**
   * Moves to the next (1) or previous (-1) suggestion, with none between the last and the first. 1 opens closed suggestions.
   * Returns false if there are none.
   */
  move(step: 1 | -1): boolean {
    if (this.#open === 'no' && step === 1) this.#open = this.#typed().trim() === '' ? 'all' : 'typed'
    const count = this.options.length
    if (count === 0) return false
    this.at = ((this.at + 1 + step + count + 1) % (count + 1)) - 1
    return true
  }
}
