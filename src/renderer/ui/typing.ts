/**
 * Copies a text to the clipboard. Returns false on failure. The page has no clipboard permission, so this uses the Copy command,
 * which works only during a click or key press.
 */
export function copyText(text: string): boolean {
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
 * Focuses a field and replaces a part of its text as if it were typed, so that its undo reverts it. `from` and `to` are offsets.
 * Returns false if the text was not changed, for example because the field is disabled.
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
