import { completions, type Completion } from '../../../shared/search.ts'

/** The list under the search field: what the last word may become, and which of it the arrow keys are at. */
export class Completing {
  readonly #typed: () => string
  readonly #presets: () => readonly string[]
  /** Shown while something is typed, and for all filters at an arrow key. */
  #open: 'no' | 'typed' | 'all' = $state('no')
  /** −1: none, so that Enter searches. */
  at = $state(-1)

  constructor(typed: () => string, presets: () => readonly string[]) {
    this.#typed = typed
    this.#presets = presets
  }

  get options(): Completion[] {
    return this.#open === 'no' ? [] : completions(this.#typed(), this.#open === 'all', this.#presets())
  }

  get current(): Completion | undefined {
    return this.options[this.at]
  }

  /** Something was typed. */
  begin(): void {
    this.#open = 'typed'
    this.at = -1
  }

  close(): void {
    this.#open = 'no'
    this.at = -1
  }

  /** Along the options, and through the field again; false: there are none. */
  move(step: 1 | -1): boolean {
    if (this.#open === 'no' && step === 1) this.#open = this.#typed().trim() === '' ? 'all' : 'typed'
    const count = this.options.length
    if (count === 0) return false
    this.at = ((this.at + 1 + step + count + 1) % (count + 1)) - 1
    return true
  }
}
