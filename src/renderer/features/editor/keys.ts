import type { Step } from '../../state/editor.svelte.ts'

const isMac = /^Mac/.test(navigator.platform)

/** What a key asks of the pane while it's open, wherever the focus is but in a dialog before it; null: nothing. */
export function paneKey(event: KeyboardEvent): 'save' | Step | null {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = event
  if (event.defaultPrevented || event.repeat || shiftKey || isInDialog(event.target)) return null
  // On macOS Option alone with an arrow moves through a text.
  const [held, other] = isMac ? [metaKey, ctrlKey] : [ctrlKey, metaKey]
  if (key === 'Enter') return held && !other && !altKey ? 'save' : null
  if (!altKey || ctrlKey || metaKey !== isMac) return null
  if (key === 'ArrowDown') return 'next'
  return key === 'ArrowUp' ? 'previous' : null
}

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role="alertdialog"], [role="dialog"]') !== null
