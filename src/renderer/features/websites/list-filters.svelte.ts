import {
  withoutNegation,
  splitSearch,
  serializeSearch,
  type Filter,
  type FilterName,
  type OwnFilterValues,
} from '../../../shared/search.ts'

interface List {
  readonly search: string
  type(search: string): void
}

/** The filters of the search that are shown as chips, and the text in the search field. */
export class ListFilters {
  readonly #list: List
  readonly #own: () => OwnFilterValues

  readonly #parts = $derived.by(() => splitSearch(this.#list.search, this.#own()))
  readonly chips = $derived(this.#parts.chips)
  readonly text = $derived(this.#parts.text)

  constructor(list: List, own: () => OwnFilterValues) {
    this.#list = list
    this.#own = own
  }

  type(text: string): void {
    this.#show(splitSearch(serializeSearch(this.chips, text), this.#own()))
  }

  /** Makes a chip of the filter at the end of the text. Returns false if there is none. */
  finish(): boolean {
    const finished = splitSearch(`${this.#list.search} `, this.#own())
    if (finished.text.length > this.text.length) return false
    this.#show(finished)
    return true
  }

  /** Searches with these filters and this text. A repeated filter is kept once. */
  #show({ chips, text }: { chips: readonly Filter[]; text: string }): void {
    this.#list.type(serializeSearch(chips, text))
  }

  /** Returns the value of the filter with this name; null without one; '' if there are several or it is negated. */
  valueOf(name: FilterName): string | null {
    const [first, ...rest] = this.chips.filter((chip) => chip.name === name)
    if (!first) return null
    const { not, value } = withoutNegation(first)
    return rest.length > 0 || not ? '' : value
  }

  /** Replaces all filters with this name by one with this value. Null: removes them. */
  choose(name: FilterName, value: string | null): void {
    const at = this.chips.findIndex((chip) => chip.name === name)
    const otherChips = this.chips.filter((chip) => chip.name !== name)
    const chosen = value === null ? [] : [{ name, value, not: false } as Filter]
    this.#list.type(serializeSearch(otherChips.toSpliced(at < 0 ? otherChips.length : at, 0, ...chosen), this.text))
  }

  remove(chip: Filter): void {
    this.#list.type(
      serializeSearch(
        this.chips.filter((one) => one !== chip),
        this.text,
      ),
    )
  }

  /** Removes all chips. The text in the search field stays. */
  clear(): void {
    this.#list.type(this.text)
  }
}
