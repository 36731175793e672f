export interface MenuItem {
  label: string
  /** Identifies the item if another one may have the same label. */
  key?: string
  /** One letter at the start of the item. */
  initial?: string
  /** True if the initial gets a dot, because the item needs attention. `detail` says why. */
  alert?: boolean
  /** A second line below the label. */
  detail?: string
  /** A note at the end of the item. */
  note?: string | undefined
  /** True or false makes the item a switch, which keeps the menu open. Undefined makes it an action. */
  checked?: boolean
  run: () => void
}
export interface MenuGroup {
  /** The heading above the items. */
  name?: string
  /** True if at most one of the items is checked. Choosing one closes the menu. */
  choice?: boolean
  items: readonly MenuItem[]
}
