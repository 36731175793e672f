/**
 * Copies a text to the clipboard, during a click or key of the user. Uses the Copy command, because the page has no
 * clipboard permission. Returns true if it succeeded.
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
 * Replaces a part of a field's text as if it were typed, so that the field's own Undo reverts it. `from` and `to` are in
 * characters. Returns false for a disabled field.
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
