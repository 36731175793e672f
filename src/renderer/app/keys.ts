import { m } from '../../messages/index.ts'
import { isPressed, isOnMac, type Keys } from '../lib/keys.ts'
import { actionTexts, type ActionName } from './action-texts.ts'
import { actionsOf } from './actions.ts'
import type { Model } from './model.svelte.ts'

export const PALETTE_KEYS: Keys = 'Mod+K'

/** The keys that switch to the first nine accounts. */
export const accountKeys: readonly Keys[] = Array.from({ length: 9 }, (_, at) => `Mod+Alt+${String(at + 1)}`)

/** Returns the label of the action that has these keys, or undefined. */
export function actionWithKeys(keys: Keys): string | undefined {
  if (accountKeys.includes(keys)) return m.shortcuts_anywhere_accounts()
  return Object.values(actionTexts)
    .find((action) => action.keys === keys)
    ?.label()
}

/** The actions with keys that show a screen. The application menu has their keys too. */
const screenActions: readonly ActionName[] = ['websites', 'pending', 'presets', 'account', 'settings']

/** The actions whose keys work on every screen, but not while a dialog is open. */
export const windowActions: readonly ActionName[] = [
  ...screenActions,
  'search',
  'add',
  'bulkCreate',
  'editSelected',
  'undo',
  'refresh',
  'shortcuts',
  'quit',
]

/** The actions whose keys work while a dialog is open too, because its text may be too small to read. */
export const textSizeActions: readonly ActionName[] = ['textLarger', 'textSmaller', 'textNormal']

/** Runs the action for the text size whose keys are pressed. */
export function handleTextSizeKeys(app: Model, event: KeyboardEvent): void {
  if (!event.defaultPrevented) run(event, actionFor(textSizeActions, app, event))
}

/**
 * Runs the action whose keys are pressed, if no dialog is open. While the Filter panel is open, only actions that show a screen
 * run. Keys that type or undo text are left to a text field.
 */
export function handleShellKeys(app: Model, event: KeyboardEvent): void {
  if (event.defaultPrevented) return
  const screenAction = actionFor(screenActions, app, event)
  if (!isDialogOrPanelOpen()) run(event, shellAction(app, event))
  else if (document.querySelector('dialog:modal') === null) run(event, screenAction)
  // Otherwise the application menu would show the screen.
  else if (screenAction) event.preventDefault()
}

/**
 * Runs an action in place of the key's effect in the browser. Without an action, and during the composition of an input method,
 * the key keeps that effect.
 */
function run(event: KeyboardEvent, action: (() => void) | undefined): void {
  if (action === undefined || event.isComposing) return
  event.preventDefault()
  action()
}

/**
 * Returns the action whose keys are pressed; undefined if there is none, if it isn't possible now, or if the key is for a text
 * field.
 */
function shellAction(app: Model, event: KeyboardEvent): (() => void) | undefined {
  if (isPressed(PALETTE_KEYS, event)) return () => (app.over = 'commands')
  const account = app.appState?.accounts[pressedAccountIndex(event)]
  if (account !== undefined) return () => app.switchTo(account)
  if (event.key === 'Escape' && app.screen === 'websites') return closeOrClearAction(app)
  const isText = handlesKeysItself(event.target)
  if (isText && typesText(event)) return undefined
  // A key that is held down would undo one change after another, and unsaved input may be what the user wants to take back.
  const { form } = app.editor
  const hasUnsaved = form?.dirty === true && !form.deleting
  const isForInput = (isText && !isUntouchedSearch(event.target)) || event.repeat || hasUnsaved
  if (isPressed('Mod+Z', event) && isForInput) return undefined
  // On a Mac, the action has other keys too.
  if (isPressed('F5', event)) return actionsOf(app).refresh || undefined
  return actionFor(windowActions, app, event)
}

/** Returns the position of the account whose keys are pressed, or -1. AltGr, which types characters, is Control+Alt on Windows. */
function pressedAccountIndex(event: KeyboardEvent): number {
  if (!(isOnMac() ? event.metaKey : event.ctrlKey) || !event.altKey || event.getModifierState('AltGraph')) return -1
  // With Alt, some keyboards type another character on this key.
  return /^Digit[1-9]$/.test(event.code) ? Number(event.code.at(-1)) - 1 : -1
}

/** Returns the one of these actions whose keys are pressed; undefined if there is none, or if it isn't possible now. */
function actionFor(names: readonly ActionName[], app: Model, event: KeyboardEvent): (() => void) | undefined {
  const name = names.find((each) => isPressed(actionTexts[each].keys ?? '', event))
  return (name && actionsOf(app)[name]) || undefined
}

/** Returns the action that closes the editor, or else the one that clears the selection. */
function closeOrClearAction(app: Model): (() => void) | undefined {
  const { closeEditor, clearSelection } = actionsOf(app)
  return closeEditor || clearSelection || undefined
}

/** True for a key that types a character. */
const typesText = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean => key.length === 1 && !ctrlKey && !metaKey

/** True for a text field or a selection list, which use keys themselves. */
const handlesKeysItself = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('input:not([type="checkbox"], [type="radio"]), textarea, select') !== null

/** True for the search field while it is empty and the user has typed nothing in it that its own Undo could take back. */
const isUntouchedSearch = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.dataset['untouched'] !== undefined

/** True if a dialog or the Filter panel is open. */
const isDialogOrPanelOpen = (): boolean => document.querySelector('[role="alertdialog"], [role="dialog"]') !== null
