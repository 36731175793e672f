/**
 * Puts a text on the clipboard, within the person's own click or key. The page is given no permission, so it's done as
 * the Copy of a menu does it. Answers whether it's there.
 */
export function copy(text: string): boolean {
  const give = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  document.addEventListener('copy', give, true)
  const done = document.execCommand('copy')
  document.removeEventListener('copy', give, true)
  return done
}

/**
 * Puts a text in the place of a part of a field's, as if it were typed: the field's own Undo takes it back, which nothing
 * else leaves whole. The part is given in characters, from and to. Answers whether it could be: not into one that is disabled.
 */
export function typeInto(
  field: HTMLInputElement | HTMLTextAreaElement,
  [from, to]: [number, number],
  text: string,
): boolean {
  field.focus()
  if (document.activeElement !== field) return false
  field.setSelectionRange(from, to)
  return document.execCommand(text === '' ? 'delete' : 'insertText', false, text)
}
