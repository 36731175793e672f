import { COLUMN_WIDTH, columnNames, defaultColumns, type ColumnName } from '../../shared/list-settings.ts'
import type { Settings } from '../../shared/state.ts'

/**
 * The columns with their widths in rem before the user changes them. What comes first is kept before the others in a narrow
 * list, after the domain; the editor shows what there is no room for. Without the state's column its mark stands beside the domain.
 */
const WIDTHS: Record<ColumnName, number> = {
  privacy: 6.4,
  created: 8.2,
  email: 5.4,
  bots: 6.2,
  state: 10.6,
  changed: 8.2,
  ips: 5.4,
  params: 7.2,
  id: 5.4,
}
const importance = Object.keys(WIDTHS) as ColumnName[]

/** The domain takes what the others leave, and at least this: most of them are whole then. */
const LEAST_DOMAIN = 21

/** The columns of the list beside the domain: which are wanted, how wide they are, and which of them there is room for. */
export class ListColumns {
  readonly #keep: (settings: Partial<Settings>) => void
  #chosen: readonly ColumnName[] = $state.raw(defaultColumns)
  #widths: Settings['listWidths'] = $state.raw({})
  #kept: Settings['listWidths'] = {}
  /** How wide the list is, in rem. */
  room = $state(Infinity)

  /** Those that there's room for, in the order in which they stand. */
  readonly shown: readonly ColumnName[] = $derived.by(() => {
    let left = this.room - LEAST_DOMAIN
    const fits = importance.filter((name) => {
      if (!this.#chosen.includes(name) || this.widthOf(name) > left) return false
      left -= this.widthOf(name)
      return true
    })
    return columnNames.filter((name) => fits.includes(name))
  })

  /** Of those, the ones that are text alone: all but the state, which is the first. */
  readonly texts = $derived(this.shown.filter((name) => name !== 'state'))

  /** The value of `grid-template-columns` for the domain and them. */
  readonly track = $derived(['minmax(0, 1fr)', ...this.shown.map((name) => `${this.widthOf(name)}rem`)].join(' '))

  constructor(keep: (settings: Partial<Settings>) => void) {
    this.#keep = keep
  }

  arrange({ listColumns, listWidths }: Pick<Settings, 'listColumns' | 'listWidths'>): void {
    this.#chosen = listColumns
    this.#widths = this.#kept = listWidths
  }

  has(name: ColumnName): boolean {
    return this.#chosen.includes(name)
  }

  toggle(name: ColumnName): void {
    this.#choose(columnNames.filter((one) => this.has(one) !== (one === name)))
  }

  /** The columns and widths that there are before anybody has chosen. */
  reset(): void {
    this.#widths = {}
    this.settle()
    this.#choose(defaultColumns)
  }

  widthOf(name: ColumnName): number {
    return this.#widths[name] ?? WIDTHS[name]
  }

  /** As wide as it can be here, in rem: the domain keeps its room, so that no column goes because another grows. */
  mostOf(name: ColumnName): number {
    const others = this.shown.reduce((sum, one) => sum + (one === name ? 0 : this.widthOf(one)), 0)
    const room = Math.floor((this.room - LEAST_DOMAIN - others) * 10) / 10
    return Math.min(COLUMN_WIDTH.most, Math.max(this.widthOf(name), room))
  }

  /** Shown at once, and remembered once it's settled. */
  resize(name: ColumnName, rem: number): void {
    const wide = Math.min(this.mostOf(name), Math.max(COLUMN_WIDTH.least, rem))
    this.#widths = { ...this.#widths, [name]: Math.round(wide * 10) / 10 }
  }

  settle(): void {
    if (this.#widths === this.#kept) return
    this.#kept = this.#widths
    this.#keep({ listWidths: this.#widths })
  }

  #choose(names: readonly ColumnName[]): void {
    this.#chosen = names
    this.#keep({ listColumns: [...names] })
  }
}
