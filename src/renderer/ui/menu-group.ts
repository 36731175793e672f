export interface MenuItem {
  label: string
  /** Identifies the item, if another one may have the same label. */
  key?: string
  /** One letter at the start of the item. */
  initial?: string
  /** True if the initial has a dot, because the item needs attention. The detail says why. */
  alert?: boolean
  /** A second line below the label. */
  detail?: string
  /** A note at the end of the item. */
  note?: string | undefined
  /** True or false makes the item a switch, which leaves the menu open; undefined makes it an action. */
  checked?: boolean
  run: () => void
}
export interface MenuGroup {
  /** Shown above the items. */
  name?: string
  /** True if at most one of the items is checked. Choosing one closes the menu. */
  choice?: boolean
  items: readonly MenuItem[]
}
