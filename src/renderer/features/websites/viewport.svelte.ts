/** Number of rows drawn above and below the visible ones, so that fast scrolling shows no gap. */
const ROWS_AROUND = 8
/** The last measured height of a row in pixels, for the first drawing of a new list. */
let lastRowHeight = 38

/**
 * Computes which rows of a long list are drawn: the visible ones, some around them, and the active one, because it may have the
 * focus. All rows have the same height. The head covers the top of the scroll box. Sizes are in CSS pixels.
 */
export class Viewport {
  readonly #count: () => number
  /** The scroll position. */
  top = $state(0)
  /** The height of the scroll box, including the head. */
  height = $state(0)
  head = $state(0)
  #row = $state(lastRowHeight)

  constructor(count: () => number) {
    this.#count = count
  }

  get row(): number {
    return this.#row
  }

  set row(height: number) {
    this.#row = lastRowHeight = height
  }

  /** The height of the part in which rows are visible. */
  get #room(): number {
    return Math.max(0, this.height - this.head)
  }

  /** The first visible row. */
  get from(): number {
    return Math.floor(this.top / this.row)
  }

  /** The row after the last visible one. */
  get to(): number {
    return Math.min(this.#count(), Math.ceil((this.top + this.#room) / this.row))
  }

  /** Number of rows that PageDown moves. */
  get page(): number {
    return Math.max(1, Math.floor(this.#room / this.row) - 1)
  }

  /** The visible rows and some around them. `behind`: the row after the last one. */
  get near(): { from: number; behind: number } {
    const from = Math.max(0, Math.min(this.from, this.#count()) - ROWS_AROUND)
    return { from, behind: Math.min(this.#count(), Math.max(this.to, this.from) + ROWS_AROUND) }
  }

  drawn(active: number): number[] {
    const { from, behind } = this.near
    const rows = Array.from({ length: Math.max(0, behind - from) }, (_, n) => from + n)
    if (active < from && active < this.#count()) rows.unshift(active)
    if (active >= behind && active < this.#count()) rows.push(active)
    return rows
  }

  /** Returns the nearest scroll position that shows the whole row. */
  topFor(index: number): number {
    const begin = index * this.row
    if (begin < this.top) return begin
    return Math.max(this.top, begin + this.row - this.#room)
  }
}
