export interface MenuItem {
  label: string
  /** More about the item, at its end. */
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
