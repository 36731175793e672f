import { m } from '../../messages/index.ts'
import { isPressed, isOnMac, type Keys } from '../lib/keys.ts'
import { actionTexts, type ActionName } from './action-texts.ts'
import { actionsOf } from './actions.ts'
import type { Model } from './model.svelte.ts'

/** The shortcut that opens the palette. */
export const PALETTE_KEYS: Keys = 'Mod+K'

/** The shortcuts that switch to the first nine accounts. */
export const accountKeys: readonly Keys[] = Array.from({ length: 9 }, (_, at) => `Mod+Alt+${String(at + 1)}`)

/** Returns the label of the action that has this shortcut, or undefined. */
export function labelOfActionWithKeys(keys: Keys): string | undefined {
  if (accountKeys.includes(keys)) return m.shortcuts_anywhere_accounts()
  return Object.values(actionTexts)
    .find((action) => action.keys === keys)
    ?.label()
}

/** The actions that show a screen and have a shortcut, which the application menu of the system uses too. */
const screenActions: readonly ActionName[] = ['websites', 'pending', 'presets', 'account', 'settings']

/** Actions whose shortcuts work on every screen. */
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

/** Actions whose shortcuts also work while a dialog is open, because the text of the dialog may be too small to read. */
export const textSizeActions: readonly ActionName[] = ['textLarger', 'textSmaller', 'textNormal']

/** Changes the text size if its shortcut is pressed. */
export function handleTextSizeKeys(app: Model, event: KeyboardEvent): void {
  if (!event.defaultPrevented) run(event, actionFor(textSizeActions, app, event))
}

/**
 * Runs the action whose shortcut is pressed. Nothing runs while a dialog is open, and only actions that show a screen while the
 * Filter panel is open. A text field gets the keys that type or undo text.
 */
export function handleShellKeys(app: Model, event: KeyboardEvent): void {
  if (event.defaultPrevented) return
  const screenAction = actionFor(screenActions, app, event)
  if (!isDialogOrPanelOpen()) run(event, shellAction(app, event))
  else if (document.querySelector('dialog:modal') === null) run(event, screenAction)
  // A dialog is open. Without this, the application menu would run the shortcut and show the screen behind the dialog.
  else if (screenAction) event.preventDefault()
}

/** Runs an action instead of what the browser does for the key, except while an input method is composing text. */
function run(event: KeyboardEvent, action: (() => void) | undefined): void {
  if (action === undefined || event.isComposing) return
  event.preventDefault()
  action()
}

/** Returns the action whose shortcut is pressed, if it is possible now and no text field needs the key. */
function shellAction(app: Model, event: KeyboardEvent): (() => void) | undefined {
  if (isPressed(PALETTE_KEYS, event)) return () => (app.over = 'commands')
  const account = app.appState?.accounts[pressedAccountIndex(event)]
  if (account !== undefined) return () => app.switchTo(account)
  if (event.key === 'Escape' && app.screen === 'websites') return closeOrClearAction(app)
  const isText = handlesKeysItself(event.target)
  if (isText && typesText(event)) return undefined
  // Ctrl+Z isn't handled for a held key, which would undo change after change, nor with unsaved input, which it may be meant for.
  const { form } = app.editor
  const hasUnsaved = form?.dirty === true && !form.deleting
  const isForInput = (isText && !isUntouchedSearch(event.target)) || event.repeat || hasUnsaved
  if (isPressed('Mod+Z', event) && isForInput) return undefined
  // F5 also refreshes on a Mac, where the shortcut shown in the UI is another one.
  if (isPressed('F5', event)) return actionsOf(app).refresh || undefined
  return actionFor(windowActions, app, event)
}

/** Returns the index of the account whose shortcut is pressed, or -1. On Windows, AltGr looks like Control+Alt but types text. */
function pressedAccountIndex(event: KeyboardEvent): number {
  if (!(isOnMac() ? event.metaKey : event.ctrlKey) || !event.altKey || event.getModifierState('AltGraph')) return -1
  // `event.key` can't be used: with Alt, some keyboards type another character than the digit.
  return /^Digit[1-9]$/.test(event.code) ? Number(event.code.at(-1)) - 1 : -1
}

function actionFor(names: readonly ActionName[], app: Model, event: KeyboardEvent): (() => void) | undefined {
  const name = names.find((each) => isPressed(actionTexts[each].keys ?? '', event))
  return (name && actionsOf(app)[name]) || undefined
}

function closeOrClearAction(app: Model): (() => void) | undefined {
  const { closeEditor, clearSelection } = actionsOf(app)
  return closeEditor || clearSelection || undefined
}

const typesText = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean => key.length === 1 && !ctrlKey && !metaKey

/** True for elements that use the keyboard themselves, such as a text field. */
const handlesKeysItself = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('input:not([type="checkbox"], [type="radio"]), textarea, select') !== null

/** True for an empty search field that the user hasn't typed in, so that Ctrl+Z can undo the last change of a website. */
const isUntouchedSearch = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.dataset['untouched'] !== undefined

const isDialogOrPanelOpen = (): boolean => document.querySelector('[role="alertdialog"], [role="dialog"]') !== null
