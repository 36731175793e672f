export interface MenuItem {
  label: string
  /** A note at the end of the item. */
  note?: string | undefined
  /** True or false makes the item a switch, which leaves the menu open; undefined makes it an action. */
  checked?: boolean
  run: () => void
}
export interface MenuGroup {
  /** Shown above the items. */
  name?: string
  /** True if exactly one of the items is checked. Choosing one closes the menu. */
  choice?: boolean
  items: readonly MenuItem[]
}
