import { m } from '../../../messages/index.ts'
import { actionTexts, type ActionName } from '../../app/action-texts.ts'
import { windowActions, PALETTE_KEYS, textSizeActions } from '../../app/keys.ts'
import type { Keys } from '../../lib/keys.ts'

interface Shortcut {
  /** Several combinations for the same action, or those for the two directions of an action. */
  keys: readonly Keys[]
  label: () => string
}

const shortcutOf = (name: ActionName): Shortcut => {
  const { keys, label } = actionTexts[name]
  return { keys: keys === undefined ? [] : [keys], label }
}

/** All keyboard shortcuts, grouped by where they work. */
export const shortcutGroups: { id: string; name: () => string; shortcuts: Shortcut[] }[] = [
  {
    id: 'anywhere',
    name: m.shortcuts_anywhere,
    shortcuts: [
      { keys: [PALETTE_KEYS], label: m.shortcuts_anywhere_commands },
      ...[...windowActions, ...textSizeActions].map(shortcutOf),
      { keys: ['Mod+Alt+1…9'], label: m.shortcuts_anywhere_accounts },
      { keys: ['Escape'], label: m.shortcuts_anywhere_escape },
    ],
  },
  {
    id: 'search',
    name: m.shortcuts_search,
    shortcuts: [
      { keys: ['ArrowUp', 'ArrowDown'], label: m.shortcuts_search_choose },
      { keys: ['Tab', 'Enter'], label: m.shortcuts_search_take },
      { keys: ['ArrowDown'], label: m.shortcuts_search_list },
      { keys: ['Backspace', 'Delete'], label: m.shortcuts_search_last },
      { keys: ['Escape'], label: m.shortcuts_search_escape },
    ],
  },
  {
    id: 'list',
    name: m.shortcuts_list,
    shortcuts: [
      { keys: ['ArrowUp', 'ArrowDown'], label: m.shortcuts_list_step },
      { keys: ['PageUp', 'PageDown'], label: m.shortcuts_list_screen },
      { keys: ['Home', 'End'], label: m.shortcuts_list_end },
      { keys: ['Enter'], label: m.shortcuts_list_open },
      { keys: ['Shift+F10'], label: m.shortcuts_list_menu },
      { keys: [' '], label: m.shortcuts_list_select },
      { keys: ['Shift+ArrowUp', 'Shift+ArrowDown'], label: m.shortcuts_list_extend },
      { keys: ['Shift+PageUp', 'Shift+PageDown'], label: m.shortcuts_list_extend_screen },
      { keys: ['Shift+Home', 'Shift+End'], label: m.shortcuts_list_extend_end },
      shortcutOf('selectAll'),
      shortcutOf('clearSelection'),
    ],
  },
  {
    id: 'recorder',
    name: m.shortcuts_recorder,
    shortcuts: [
      { keys: ['Escape', 'Tab'], label: m.common_cancel },
      { keys: ['Backspace'], label: m.settings_shortcut_remove },
    ],
  },
  {
    id: 'column',
    name: m.shortcuts_column,
    shortcuts: [
      { keys: ['ArrowLeft', 'ArrowRight'], label: m.shortcuts_column_resize },
      { keys: ['Home', 'End'], label: m.shortcuts_column_limit },
      { keys: ['Enter'], label: m.shortcuts_column_fit },
    ],
  },
  {
    id: 'editor',
    name: m.shortcuts_editor,
    shortcuts: [shortcutOf('save'), shortcutOf('previous'), shortcutOf('next'), shortcutOf('closeEditor')],
  },
  {
    id: 'commands',
    name: m.shortcuts_commands,
    shortcuts: [
      { keys: ['ArrowUp', 'ArrowDown'], label: m.shortcuts_commands_step },
      { keys: ['Enter'], label: m.shortcuts_commands_run },
    ],
  },
  {
    id: 'menus',
    name: m.shortcuts_menus,
    shortcuts: [
      { keys: ['ArrowUp', 'ArrowDown'], label: m.shortcuts_menus_step },
      { keys: ['Home', 'End'], label: m.shortcuts_menus_end },
      { keys: ['Enter', ' '], label: m.shortcuts_menus_take },
      { keys: ['Escape'], label: m.shortcuts_menus_close },
    ],
  },
  {
    id: 'choices',
    name: m.shortcuts_choices,
    shortcuts: [
      { keys: ['ArrowLeft', 'ArrowUp'], label: m.shortcuts_choices_previous },
      { keys: ['ArrowRight', 'ArrowDown'], label: m.shortcuts_choices_next },
    ],
  },
  {
    id: 'dialogs',
    name: m.shortcuts_dialogs,
    shortcuts: [
      { keys: ['Mod+Enter'], label: m.shortcuts_dialogs_confirm },
      { keys: ['Escape'], label: m.shortcuts_dialogs_cancel },
    ],
  },
]
