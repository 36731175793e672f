import { COLUMN_WIDTH, columnNames, defaultColumns, type ColumnName } from '../../../shared/list-settings.ts'
import type { Settings } from '../../../shared/state.ts'

/**
 * The columns with their default widths in rem. In a narrow list the first columns are kept longest, after the domain; the
 * editor shows the values of the hidden columns. Without the state column, the mark is beside the domain.
 */
const DEFAULT_WIDTHS: Record<ColumnName, number> = {
  privacy: 7.6,
  tags: 11.8,
  created: 8.2,
  email: 5.9,
  bots: 7.4,
  state: 10.6,
  changed: 8.2,
  ips: 5.4,
  params: 7.2,
  id: 5.4,
}
/** The columns in the order in which they get room: in a narrow list, the last ones are hidden first. */
const columnsByImportance = Object.keys(DEFAULT_WIDTHS) as ColumnName[]

/** Minimum width of the domain column in rem, at which most domains are whole. The domain gets all space that is left. */
const MIN_DOMAIN_WIDTH = 21

/** The columns besides the domain: which are chosen, their widths, and which of them fit. */
export class ListColumns {
  readonly #keep: (settings: Partial<Settings>) => void
  #chosen: readonly ColumnName[] = $state.raw(defaultColumns)
  #widths: Settings['listWidths'] = $state.raw({})
  #savedWidths: Settings['listWidths'] = {}
  /** False while there are no tags: then there is no column for them. */
  hasTags = $state(false)
  /** Width of the list in rem. */
  room = $state(Infinity)

  /** The columns that fit, in order. */
  readonly shown: readonly ColumnName[] = $derived.by(() => {
    let left = this.room - MIN_DOMAIN_WIDTH
    const fits = columnsByImportance.filter((name) => {
      if (name === 'tags' && !this.hasTags) return false
      if (!this.#chosen.includes(name) || this.widthOf(name) > left) return false
      left -= this.widthOf(name)
      return true
    })
    return columnNames.filter((name) => fits.includes(name))
  })

  readonly showsState = $derived(this.shown.includes('state'))
  readonly showsTags = $derived(this.shown.includes('tags'))

  /** The shown columns that contain only a text. They follow the state and the tags. */
  readonly texts = $derived(this.shown.filter((name) => name !== 'state' && name !== 'tags'))

  /** The value of `grid-template-columns` for all columns. */
  readonly track = $derived(['minmax(0, 1fr)', ...this.shown.map((name) => `${this.widthOf(name)}rem`)].join(' '))

  constructor(keep: (settings: Partial<Settings>) => void) {
    this.#keep = keep
  }

  arrange({ listColumns, listWidths }: Pick<Settings, 'listColumns' | 'listWidths'>): void {
    this.#chosen = listColumns
    this.#widths = this.#savedWidths = listWidths
  }

  /** The columns that can be chosen. */
  get offered(): readonly ColumnName[] {
    return columnNames.filter((name) => name !== 'tags' || this.hasTags)
  }

  /** The columns that the user has chosen, even those that don't fit. */
  get chosen(): readonly ColumnName[] {
    return this.#chosen
  }

  /** Shows other columns without storing the choice. */
  show(names: readonly ColumnName[]): void {
    this.#chosen = names
  }

  /** True if the user has chosen the column, even if it doesn't fit. */
  has(name: ColumnName): boolean {
    return this.#chosen.includes(name)
  }

  toggle(name: ColumnName): void {
    this.#choose(columnNames.filter((one) => this.has(one) !== (one === name)))
  }

  /** Restores the default columns and widths. The column of the tags is one of them while there are tags. */
  reset(): void {
    this.#widths = {}
    this.settle()
    this.#choose(columnNames.filter((name) => defaultColumns.includes(name) || (name === 'tags' && this.hasTags)))
  }

  /** Returns the width of a column in rem: the one that the user has set, or the default. */
  widthOf(name: ColumnName): number {
    return this.#widths[name] ?? DEFAULT_WIDTHS[name]
  }

  /**
   * Returns the maximum width of a column in rem: the domain keeps its minimum, so that no column is hidden because
   * another grows.
   */
  maxWidthOf(name: ColumnName): number {
    const otherWidths = this.shown.reduce((sum, one) => sum + (one === name ? 0 : this.widthOf(one)), 0)
    const room = Math.floor((this.room - MIN_DOMAIN_WIDTH - otherWidths) * 10) / 10
    return Math.min(COLUMN_WIDTH.max, Math.max(this.widthOf(name), room))
  }

  /** Sets the width of a column, within its limits. {@link settle} stores it. */
  resize(name: ColumnName, rem: number): void {
    const width = Math.min(this.maxWidthOf(name), Math.max(COLUMN_WIDTH.min, rem))
    this.#widths = { ...this.#widths, [name]: Math.round(width * 10) / 10 }
  }

  /** Stores the widths, if they have changed. */
  settle(): void {
    if (this.#widths === this.#savedWidths) return
    this.#savedWidths = this.#widths
    this.#keep({ listWidths: this.#widths })
  }

  #choose(names: readonly ColumnName[]): void {
    this.#chosen = names
    this.#keep({ listColumns: [...names] })
  }
}
