import { COLUMN_WIDTH, columnNames, defaultColumns, type ColumnName } from '../../../shared/list-settings.ts'
import type { Settings } from '../../../shared/state.ts'

/**
 * The default widths in rem, in order of importance: a narrow list hides the last columns first. Without the state column, a mark
 * beside the domain shows the state.
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
const columnsByImportance = Object.keys(DEFAULT_WIDTHS) as ColumnName[]

/** Minimum width of the domain column in rem, enough for most domains. The column also gets all remaining space. */
const MIN_DOMAIN_WIDTH = 21

/** Width of the domain column in rem from which it also has room for the text of most states. */
const DOMAIN_AND_STATE_WIDTH = 27

/** The columns except the domain: which ones the user has chosen, their widths, and which of them fit. */
export class ListColumns {
  readonly #keep: (settings: Partial<Settings>) => void
  #chosen: readonly ColumnName[] = $state.raw(defaultColumns)
  #widths: Settings['listWidths'] = $state.raw({})
  #savedWidths: Settings['listWidths'] = {}
  /** If there are no tags, there is no column for them. */
  hasTags = $state(false)
  /** Width of the list in rem. */
  room = $state(Infinity)

  /** The chosen columns that fit. */
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
  /** True if the marks beside the domains have a text. It depends on no domain, so that all rows look alike. */
  readonly hasRoomForState = $derived(
    this.room - this.shown.reduce((sum, name) => sum + this.widthOf(name), 0) >= DOMAIN_AND_STATE_WIDTH,
  )
  readonly showsTags = $derived(this.shown.includes('tags'))

  /** The shown columns that contain only a text. */
  readonly texts = $derived(this.shown.filter((name) => name !== 'state' && name !== 'tags'))

  /** The value of `grid-template-columns`. */
  readonly track = $derived(['minmax(0, 1fr)', ...this.shown.map((name) => `${this.widthOf(name)}rem`)].join(' '))

  constructor(keep: (settings: Partial<Settings>) => void) {
    this.#keep = keep
  }

  arrange({ listColumns, listWidths }: Pick<Settings, 'listColumns' | 'listWidths'>): void {
    this.#chosen = listColumns
    this.#widths = this.#savedWidths = listWidths
  }

  get offered(): readonly ColumnName[] {
    return columnNames.filter((name) => name !== 'tags' || this.hasTags)
  }

  /** The columns that the user has chosen, even if they don't fit. */
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

  /** Restores the default columns and widths. Tags are a default column if there are any. */
  reset(): void {
    this.#widths = {}
    this.settle()
    this.#choose(columnNames.filter((name) => defaultColumns.includes(name) || (name === 'tags' && this.hasTags)))
  }

  /** Returns the width of a column in rem: the user's, or the default. */
  widthOf(name: ColumnName): number {
    return this.#widths[name] ?? DEFAULT_WIDTHS[name]
  }

  /** Returns the maximum width of a column in rem. The domain keeps its minimum, so that growing hides no other column. */
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

  /** Stores the widths if they have changed. */
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
