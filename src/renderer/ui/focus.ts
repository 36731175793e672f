const lost = (): boolean => document.activeElement === null || document.activeElement === document.body

/**
 * Where what had the focus is gone, gives it to what took its place in a list (`data-next`), else to where the screen
 * begins (`data-home`). Before a dialog nothing else can have it.
 */
export function keepFocus(): void {
  if (!lost()) return
  const dialog = [...document.querySelectorAll<HTMLElement>('dialog:modal')].at(-1)
  const within = dialog ?? document
  const next =
    within.querySelector<HTMLElement>('[data-next]') ?? within.querySelector<HTMLElement>('[data-home]') ?? dialog
  next?.focus()
}

/** Does that wherever something goes with the focus: it tells of it as what is left does, and isn't seen a moment later. */
export function guardFocus(): () => void {
  const left = ({ target }: FocusEvent): void => {
    setTimeout(() => {
      if (target instanceof Element && !target.checkVisibility()) keepFocus()
    })
  }
  document.addEventListener('focusout', left)
  return () => document.removeEventListener('focusout', left)
}

/**
 * For a list whose items (`data-item`) go away under the person's hands, or change: where the button that had the focus is
 * gone its item takes it, or the item in that one's place, at once or when a dialog that stands before the list has closed.
 */
export function keepPlace(list: HTMLElement): () => void {
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
    keepFocus()
  })
  list.addEventListener('focusin', hold)
  watcher.observe(list, { childList: true, subtree: true })
  return () => {
    list.removeEventListener('focusin', hold)
    watcher.disconnect()
  }
}

export const SEARCH_ID = 'search-websites'

/**
 * Gives the focus to the search of the websites: at once, so that the next key is in it; a frame later where it's only drawn by a
 * change of screen that comes now, or where a dialog goes that held the focus.
 */
export function focusSearch(): void {
  const search = (): HTMLElement | null => document.getElementById(SEARCH_ID)
  search()?.focus()
  if (!search() || document.activeElement !== search()) requestAnimationFrame(() => search()?.focus())
}

export const ADD_ID = 'add-website'

export const focusAdd = (): void => document.getElementById(ADD_ID)?.focus()

/**
 * Focuses the active row of the websites, the one that takes part in the order of Tab and is always drawn; where the list is
 * empty, the button that adds a website.
 */
export function focusActive(): void {
  const row = document.querySelector<HTMLElement>('button[data-row][tabindex="0"]')
  if (row) row.focus({ preventScroll: true })
  else focusAdd()
}

/**
 * Presses the button that does this (`data-action`), as if by hand; it may only be drawn by a change of screen that comes
 * now. The focus goes to it, but for one that is in the same form or section already.
 */
export const pressAction = (name: string): void =>
  void requestAnimationFrame(() => {
    const button = document.querySelector<HTMLElement>(`[data-action="${CSS.escape(name)}"]`)
    if (!button?.closest('form, section')?.contains(document.activeElement)) button?.focus()
    button?.click()
  })

/** Scrolls the row of a website into view without focusing it. */
export const showRow = (key: string): void =>
  document.querySelector(`button[data-website="${CSS.escape(key)}"]`)?.scrollIntoView({ block: 'nearest' })
