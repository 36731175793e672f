import { completions, type Completion, type OwnFilterValues } from '../../../shared/search.ts'
import { hintOf } from './filter-text.ts'

/** The suggestions below the search field, with the option that the arrow keys have reached. */
export class SearchSuggestions {
  readonly #typed: () => string
  readonly #own: () => OwnFilterValues
  /** `typed` shows suggestions for the typed text, `all` shows all filters after an arrow key in an empty field. */
  #open: 'no' | 'typed' | 'all' = $state('no')
  /** The index of the current option. −1 if there is none; then Enter searches. */
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

  /** Shows suggestions for a changed text. */
  begin(): void {
    this.#open = 'typed'
    this.at = -1
  }

  close(): void {
    this.#open = 'no'
    this.at = -1
  }

  /**
   * Moves to the next (1) or previous (-1) option. After the last option and before the first one comes the field, where no option
   * is current. If the suggestions are closed, 1 opens them. Returns false if there are no options.
   */
  move(step: 1 | -1): boolean {
    if (this.#open === 'no' && step === 1) this.#open = this.#typed().trim() === '' ? 'all' : 'typed'
    const count = this.options.length
    if (count === 0) return false
    this.at = ((this.at + 1 + step + count + 1) % (count + 1)) - 1
    return true
  }
}
