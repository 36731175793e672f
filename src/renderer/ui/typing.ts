/**
 * Copies a text to the clipboard, and returns true if this succeeded. It uses the Copy command, because the page has no clipboard
 * permission, and therefore works only while a click or key of the user is handled.
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
 * Focuses a field and replaces a part of its text as if it were typed, so that the Undo of the field reverts it. `from` and `to`
 * are in characters. Returns false if the text was not changed, for example because the field is disabled.
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
