export const ADD_ID = 'add-website'

const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('button[data-website]')]

/** Focuses the row of a website; where it isn't on the page (or there was none), the button that adds one. */
export function focusRow(key: string | null): void {
  const row = rows().find((button) => button.dataset['website'] === key)
  ;(row ?? document.getElementById(ADD_ID))?.focus()
}

/** Brings the row of a website into view, without the focus. */
export const showRow = (key: string): void =>
  rows()
    .find((button) => button.dataset['website'] === key)
    ?.scrollIntoView({ block: 'nearest' })

/** Moves along the rows with the arrow keys, Home and End. */
export function moveAlongRows(event: KeyboardEvent): void {
  const all = rows()
  const at = all.findIndex((row) => row === document.activeElement)
  if (at < 0) return
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key]
  if (to === undefined) return
  event.preventDefault()
  all[Math.min(Math.max(to, 0), all.length - 1)]?.focus()
}
