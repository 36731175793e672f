/** Rows that are drawn above and below those in view, so that a quick turn of the wheel meets no gap. */
const AROUND = 8
/** How long after the last jump those are drawn again, in milliseconds. */
const REST = 150
/** In pixels, as long as it hasn't been measured; then as it was last: it depends on the window and its text alone. */
let lastRow = 38

/**
 * Which rows of a long list are drawn, where all are of one height: those in view, some around them, and the active one
 * wherever it is, since it may have the focus. Sizes are in CSS pixels; the head lies over the top of what scrolls.
 */
export class Viewport {
  readonly #count: () => number
  #around = $state(0)
  #resting: ReturnType<typeof setTimeout> | undefined
  top = $state(0)
  height = $state(0)
  head = $state(0)
  #row = $state(lastRow)

  constructor(count: () => number) {
    this.#count = count
  }

  /** A jump: the rows that are seen then are drawn first, and those around them a moment later. */
  hurry(): void {
    this.#around = 0
    clearTimeout(this.#resting)
    this.#resting = setTimeout(() => (this.#around = AROUND), REST)
  }

  /** Nothing flies past. */
  get still(): boolean {
    return this.#around > 0
  }

  /** Rows that fly past, a whole view of them at a time, are not drawn around it. */
  scrolled(top: number): void {
    if (Math.abs(top - this.top) > this.#room) this.hurry()
    this.top = top
  }

  get row(): number {
    return this.#row
  }

  set row(height: number) {
    this.#row = lastRow = height
  }

  get #room(): number {
    return Math.max(0, this.height - this.head)
  }

  /** The first row that can be seen. */
  get from(): number {
    return Math.floor(this.top / this.row)
  }

  /** The one behind the last that can be seen. */
  get to(): number {
    return Math.min(this.#count(), Math.ceil((this.top + this.#room) / this.row))
  }

  /** How many rows PageDown goes on. */
  get page(): number {
    return Math.max(1, Math.floor(this.#room / this.row) - 1)
  }

  /** How many are drawn at the top of a list, in view and below. */
  get drawnAtTop(): number {
    return Math.ceil(this.#room / this.row) + AROUND
  }

  /** Those in view and around them; `behind`: the one behind the last. */
  get near(): { from: number; behind: number } {
    const from = Math.max(0, Math.min(this.from, this.#count()) - this.#around)
    return { from, behind: Math.min(this.#count(), Math.max(this.to, this.from) + this.#around) }
  }

  /** The numbers of the rows that are drawn, in order. */
  drawn(active: number): number[] {
    const { from, behind } = this.near
    const rows = Array.from({ length: Math.max(0, behind - from) }, (_, n) => from + n)
    if (active < from && active < this.#count()) rows.unshift(active)
    if (active >= behind && active < this.#count()) rows.push(active)
    return rows
  }

  /** Where to scroll to for this row to be seen whole; the nearest place. */
  topFor(index: number): number {
    const begin = index * this.row
    if (begin < this.top) return begin
    return Math.max(this.top, begin + this.row - this.#room)
  }
}
