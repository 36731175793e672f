import type { ListDirection } from './editor.svelte.ts'
import { actionTexts, type ActionName } from '../../app/action-texts.ts'
import { isPressed, isOnMac, type Keys } from '../../lib/keys.ts'

/** The usual shortcut for saving, accepted in addition to the one of the action. */
const ALSO_SAVES: Keys = 'Mod+S'

/** Returns the editor action whose shortcut is pressed. Null in a dialog, or while an input method is composing text. */
export function editorActionOf(event: KeyboardEvent): 'save' | ListDirection | null {
  if (event.repeat || event.isComposing || isIn(event, '[role="alertdialog"], [role="dialog"]')) return null
  if (isAction('save', event) || isPressed(ALSO_SAVES, event)) return 'save'
  // On macOS, these keys move between paragraphs in a text field.
  if (isOnMac() && isIn(event, 'textarea')) return null
  if (isAction('next', event)) return 'next'
  return isAction('previous', event) ? 'previous' : null
}

const isAction = (name: ActionName, event: KeyboardEvent): boolean => isPressed(actionTexts[name].keys ?? '', event)

const isIn = ({ target }: KeyboardEvent, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null
