import type { Step } from './editor.svelte.ts'
import { ALSO_SAVES, paneActs } from '../../../words/editor.ts'
import { isPressed, onMac } from '../../../words/keys.ts'

/** What a key asks of the pane while it's open, wherever the focus is but in a dialog before it; null: nothing. */
export function paneKey(event: KeyboardEvent): 'save' | Step | null {
  if (event.repeat || isIn(event, '[role="alertdialog"], [role="dialog"]')) return null
  if (isPressed(paneActs.save.keys, event) || isPressed(ALSO_SAVES, event)) return 'save'
  // On macOS these lead through a text by its paragraphs.
  if (onMac() && isIn(event, 'textarea')) return null
  if (isPressed(paneActs.next.keys, event)) return 'next'
  return isPressed(paneActs.previous.keys, event) ? 'previous' : null
}

const isIn = ({ target }: KeyboardEvent, what: string): boolean =>
  target instanceof Element && target.closest(what) !== null
