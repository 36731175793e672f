const isFocusLost = (): boolean => document.activeElement === null || document.activeElement === document.body

/**
 * If no element has the focus, focuses the item that follows a removed one (`data-next`), or else the start of the screen
 * (`data-home`). In an open dialog, looks only inside it, or focuses the dialog.
 */
export function restoreLostFocus(): void {
  if (!isFocusLost()) return
  const dialog = [...document.querySelectorAll<HTMLElement>('dialog:modal')].at(-1)
  const within = dialog ?? document
  const homes = [...within.querySelectorAll<HTMLElement>('[data-home]')]
  const home = homes.find((one) => one.checkVisibility())
  const next = within.querySelector<HTMLElement>('[data-next]') ?? home ?? dialog
  // A region may be higher than the window, which would scroll to its middle.
  next?.focus({ preventScroll: next.matches('[role=region]') })
}

/**
 * Calls {@link restoreLostFocus} when the focused element was removed or hidden. At `focusout` it still exists, so this checks a
 * moment later. Returns a function that ends this.
 */
export function watchFocusLoss(): () => void {
  const left = ({ target }: FocusEvent): void => {
    setTimeout(() => {
      if (target instanceof Element && !target.checkVisibility()) restoreLostFocus()
    })
  }
  document.addEventListener('focusout', left)
  return () => document.removeEventListener('focusout', left)
}

/**
 * Keeps the focus in a list whose items (`data-item`) change. If the focused button is removed, focuses its item, or else the
 * item now at its position; behind an open dialog, only after the dialog has closed. Returns a function that ends this.
 */
export function keepListFocus(list: HTMLElement): () => void {
  const items = (): HTMLElement[] => [...list.querySelectorAll<HTMLElement>('[data-item]')]
  let held: { control: Element; item: HTMLElement; at: number } | null = null

  const hold = ({ target }: FocusEvent): void => {
    const all = items()
    for (const item of all) delete item.dataset['next']
    const item = target instanceof Element ? target.closest<HTMLElement>('[data-item]') : null
    held = target instanceof Element && item ? { control: target, item, at: all.indexOf(item) } : null
  }
  const watcher = new MutationObserver(() => {
    if (held === null || held.control.isConnected) return
    const all = items()
    const next = held.item.isConnected ? held.item : all[Math.min(held.at, all.length - 1)]
    held = null
    if (next) next.dataset['next'] = ''
    restoreLostFocus()
  })
  list.addEventListener('focusin', hold)
  watcher.observe(list, { childList: true, subtree: true })
  return () => {
    list.removeEventListener('focusin', hold)
    watcher.disconnect()
  }
}

/** The id of the search field of the list. */
export const SEARCH_ID = 'search-websites'

/** Focuses the search field at once, for the next key, and again in the next frame, if it isn't drawn yet or a dialog closes. */
export function focusSearch(): void {
  const search = (): HTMLElement | null => document.getElementById(SEARCH_ID)
  search()?.focus()
  if (!search() || document.activeElement !== search()) requestAnimationFrame(() => search()?.focus())
}

/** True if the editor hides the search, in a narrow window. */
export const isSearchHidden = (): boolean => document.getElementById(SEARCH_ID)?.checkVisibility() === false

/** The id of the button that adds a website. */
export const ADD_ID = 'add-website'

const focusAdd = (): void => document.getElementById(ADD_ID)?.focus()

/** Focuses the active row of the list of websites, or in an empty list the button that adds a website. */
export function focusActiveRow(): void {
  const row = document.querySelector<HTMLElement>('button[data-row][tabindex="0"]')
  if (row) row.focus({ preventScroll: true })
  else focusAdd()
}

/**
 * Clicks the button of an action (`data-action`) in the next frame, after its screen is drawn. Also focuses it, unless the focus
 * is in the same form or section.
 */
export const clickActionButton = (name: string): void =>
  void requestAnimationFrame(() => {
    const button = document.querySelector<HTMLElement>(`[data-action="${CSS.escape(name)}"]`)
    if (!button?.closest('form, section')?.contains(document.activeElement)) button?.focus()
    button?.click()
  })

/** Focuses the heading of a section of the settings (`data-section`) in the next frame, after the screen is drawn. */
export const focusSection = (name: string): void =>
  void requestAnimationFrame(() => {
    const heading = document.querySelector<HTMLElement>(`[data-section="${CSS.escape(name)}"]`)
    heading?.scrollIntoView()
    heading?.focus()
  })

/** Scrolls the row of a website into view without focusing it. */
export const scrollToRow = (key: string): void =>
  document.querySelector(`button[data-website="${CSS.escape(key)}"]`)?.scrollIntoView({ block: 'nearest' })
