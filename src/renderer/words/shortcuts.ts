import { actionGroups, PALETTE_KEYS } from './actions.ts'
import { paneActs } from './editor.ts'
import type { Keys } from './keys.ts'

interface Shortcut {
  keys: Keys
  does: string
}

const ofActions = Object.values(actionGroups).flatMap((group) =>
  Object.values(group).flatMap((words) => ('keys' in words ? [{ keys: words.keys, does: words.label }] : [])),
)

/** Every key that does something, where it does. */
export const shortcutGroups: { name: string; shortcuts: Shortcut[] }[] = [
  { name: 'Anywhere', shortcuts: [{ keys: PALETTE_KEYS, does: 'All commands' }, ...ofActions] },
  {
    name: 'In the search',
    shortcuts: [
      { keys: 'ArrowDown', does: 'The filters there are' },
      { keys: 'Tab', does: 'Take the one that is marked' },
      { keys: 'Escape', does: 'Clear it' },
    ],
  },
  {
    name: 'In the list',
    shortcuts: [
      { keys: 'ArrowUp', does: 'The website above' },
      { keys: 'ArrowDown', does: 'The website below' },
      { keys: 'Home', does: 'The first website' },
      { keys: 'End', does: 'The last website' },
      { keys: 'Enter', does: 'Open the website' },
      { keys: ' ', does: 'Select the website' },
      { keys: 'Shift+ArrowDown', does: 'Select down to here' },
      { keys: 'Mod+A', does: 'Select all that match' },
    ],
  },
  {
    name: 'In the editor',
    shortcuts: [
      ...Object.values(paneActs).map(({ label, keys }) => ({ keys, does: label })),
      { keys: 'Escape', does: 'Close it' },
    ],
  },
]
