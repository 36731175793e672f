import { actionWords, PALETTE_KEYS, type ActionName } from './actions.ts'
import { paneActs } from './editor.ts'
import type { Keys } from './keys.ts'

interface Shortcut {
  /** Each of them does it. */
  keys: readonly Keys[]
  does: string
}

/** Whose keys work anywhere in the window. The application's menu has some of them too, where there is one. */
export const anywhere: readonly ActionName[] = [
  'websites',
  'pending',
  'presets',
  'account',
  'settings',
  'search',
  'add',
  'bulkCreate',
  'editSelected',
  'refresh',
  'shortcuts',
  'quit',
]

/** The same, behind a dialog too. */
export const textSizeNames: readonly ActionName[] = ['textLarger', 'textSmaller', 'textNormal']

const keysOf = (name: ActionName): readonly Keys[] => {
  const { keys } = actionWords[name]
  return keys === undefined ? [] : [keys]
}

/** Every key that does something, where it does. */
export const shortcutGroups: { name: string; shortcuts: Shortcut[] }[] = [
  {
    name: 'Anywhere',
    shortcuts: [
      { keys: [PALETTE_KEYS], does: 'All commands' },
      ...[...anywhere, ...textSizeNames].map((name) => ({ keys: keysOf(name), does: actionWords[name].label })),
      { keys: ['Escape'], does: 'Close what is open, then clear the selection' },
    ],
  },
  {
    name: 'In the search',
    shortcuts: [
      { keys: ['ArrowDown', 'ArrowUp'], does: 'The filters there are' },
      { keys: ['Tab', 'Enter'], does: 'Take the one that is marked' },
      { keys: ['ArrowDown'], does: 'On to the list, where there are none' },
      { keys: ['Escape'], does: 'Close them, then clear the search' },
    ],
  },
  {
    name: 'In the list',
    shortcuts: [
      { keys: ['ArrowUp', 'ArrowDown'], does: 'The website above, below' },
      { keys: ['PageUp', 'PageDown'], does: 'As many as are in view' },
      { keys: ['Home', 'End'], does: 'The first website, the last' },
      { keys: ['Enter'], does: 'Open the website' },
      { keys: [' '], does: 'Select the website' },
      { keys: ['Shift+ArrowUp', 'Shift+ArrowDown'], does: 'Select as far as there' },
      { keys: ['Shift+PageUp', 'Shift+PageDown'], does: 'Select as many as are in view' },
      { keys: ['Shift+Home', 'Shift+End'], does: 'Select to the first, to the last' },
      { keys: keysOf('selectAll'), does: actionWords.selectAll.label },
      { keys: keysOf('clearSelection'), does: actionWords.clearSelection.label },
    ],
  },
  {
    name: 'At the edge of a column',
    shortcuts: [
      { keys: ['ArrowLeft', 'ArrowRight'], does: 'Wider, narrower' },
      { keys: ['Home', 'End'], does: 'The narrowest, the widest' },
      { keys: ['Enter'], does: 'As wide as what is in it' },
    ],
  },
  {
    name: 'In the editor',
    shortcuts: [
      ...Object.values(paneActs).map(({ label, keys }) => ({ keys: [keys], does: label })),
      { keys: keysOf('closeEditor'), does: actionWords.closeEditor.label },
    ],
  },
  {
    name: 'In the commands',
    shortcuts: [
      { keys: ['ArrowUp', 'ArrowDown'], does: 'The one above, below' },
      { keys: ['Enter'], does: 'Do it' },
    ],
  },
  {
    name: 'In menus',
    shortcuts: [
      { keys: ['ArrowUp', 'ArrowDown'], does: 'The one above, below' },
      { keys: ['Home', 'End'], does: 'The first, the last' },
      { keys: ['Enter', ' '], does: 'Take it' },
      { keys: ['Escape'], does: 'Close the menu' },
    ],
  },
  {
    name: 'Among choices and tabs',
    shortcuts: [
      { keys: ['ArrowLeft', 'ArrowUp'], does: 'The one before' },
      { keys: ['ArrowRight', 'ArrowDown'], does: 'The next' },
    ],
  },
  {
    name: 'In dialogs and forms',
    shortcuts: [{ keys: ['Escape'], does: 'Cancel; what is typed is asked about first' }],
  },
]
