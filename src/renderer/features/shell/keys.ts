import { actionsOf } from '../../app/actions.ts'
import type { Model } from '../../app/model.svelte.ts'
import { actionWords, PALETTE_KEYS, type ActionName } from '../../../words/actions.ts'
import { isPressed } from '../../../words/keys.ts'
import { anywhere, textSizeNames } from '../../../words/shortcuts.ts'

/** The keys for the size of the text; they work behind a dialog too, which may be what can't be read. */
export function textKeys(app: Model, event: KeyboardEvent): void {
  if (!event.defaultPrevented) take(event, pressed(textSizeNames, app, event))
}

/** The keys that work anywhere in the window; those that write something do so only where nobody is writing. */
export function shellKeys(app: Model, event: KeyboardEvent): void {
  if (!event.defaultPrevented && !isCovered()) take(event, wanted(app, event))
}

function take(event: KeyboardEvent, run: (() => void) | undefined): void {
  if (run === undefined) return
  event.preventDefault()
  run()
}

function wanted(app: Model, event: KeyboardEvent): (() => void) | undefined {
  if (isPressed(PALETTE_KEYS, event)) return () => (app.over = 'commands')
  if (event.key === 'Escape' && app.screen === 'websites') return leaves(app)
  if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && isTyping(event.target)) return undefined
  return pressed(anywhere, app, event)
}

function pressed(names: readonly ActionName[], app: Model, event: KeyboardEvent): (() => void) | undefined {
  const name = names.find((each) => isPressed(actionWords[each].keys ?? '', event))
  return (name && actionsOf(app)[name]) || undefined
}

/** The editor goes first, then what is selected. */
function leaves(app: Model): (() => void) | undefined {
  const { closeEditor, clearSelection } = actionsOf(app)
  return closeEditor || clearSelection || undefined
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('input:not([type="checkbox"], [type="radio"]), textarea, select') !== null

/** What stands before everything else has its own keys. */
const isCovered = (): boolean => document.querySelector('[role="alertdialog"], [role="dialog"]') !== null
