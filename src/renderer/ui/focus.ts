const lost = (): boolean => document.activeElement === null || document.activeElement === document.body

/**
 * Where what had the focus is gone, gives it to what took its place in a list (`data-next`), else to where the screen
 * begins (`data-home`).
 */
export function keepFocus(): void {
  if (!lost()) return
  const next = document.querySelector<HTMLElement>('[data-next]') ?? document.querySelector<HTMLElement>('[data-home]')
  next?.focus()
}

/**
 * For a list whose items (`data-item`) go away under the person's hands: the item in the place of the one that had the
 * focus takes it, at once or when a dialog that stands before the list has closed.
 */
export function keepPlace(list: HTMLElement): () => void {
  const items = (): HTMLElement[] => [...list.querySelectorAll<HTMLElement>('[data-item]')]
  let [held, at]: [Element | null, number] = [null, -1]

  const hold = ({ target }: FocusEvent): void => {
    for (const item of items()) delete item.dataset['next']
    held = target instanceof Element ? target.closest('[data-item]') : null
    at = items().findIndex((item) => item === held)
  }
  const watcher = new MutationObserver(() => {
    if (held === null || held.isConnected) return
    const all = items()
    const next = all[Math.min(Math.max(at, 0), all.length - 1)]
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
