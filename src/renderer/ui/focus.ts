/** Where what had the focus is gone, gives it to where the screen begins (`data-home`). */
export function keepFocus(): void {
  const { activeElement, body } = document
  if (activeElement !== null && activeElement !== body) return
  document.querySelector<HTMLElement>('[data-home]')?.focus()
}
