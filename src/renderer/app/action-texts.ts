import { m } from '../../messages/index.ts'
import { ariaKeys, keysText, isOnMac, type Keys } from '../lib/keys.ts'

/** The texts and the shortcut of an action. */
export interface ActionText {
  label: () => string
  /** Other words that find the action in the palette, separated by commas. */
  synonyms?: () => string
  keys?: Keys
}

/** The label, synonyms and keys of each action that the command palette or a keyboard shortcut can run, by group. */
export const actionGroups = {
  goTo: {
    websites: { label: m.action_websites, synonyms: m.action_websites_synonyms, keys: 'Mod+1' },
    pending: { label: m.action_pending, synonyms: m.action_pending_synonyms, keys: 'Mod+2' },
    activity: { label: m.action_activity, synonyms: m.action_activity_synonyms },
    presets: { label: m.action_presets, synonyms: m.action_presets_synonyms, keys: 'Mod+3' },
    account: { label: m.action_account, synonyms: m.action_account_synonyms, keys: 'Mod+4' },
    settings: { label: m.action_settings, synonyms: m.action_settings_synonyms, keys: 'Mod+5' },
  },
  editor: {
    save: { label: m.common_save, synonyms: m.action_save_synonyms, keys: 'Mod+Enter' },
    previous: { label: m.action_previous, synonyms: m.action_previous_synonyms, keys: 'Alt+ArrowUp' },
    next: { label: m.action_next, synonyms: m.action_next_synonyms, keys: 'Alt+ArrowDown' },
    deleteOpen: { label: m.action_delete_open, synonyms: m.action_delete_open_synonyms },
    closeEditor: { label: m.action_close_editor, synonyms: m.action_close_editor_synonyms, keys: 'Escape' },
  },
  websites: {
    search: { label: m.list_search, synonyms: m.action_search_synonyms, keys: '/' },
    add: { label: m.list_add, synonyms: m.action_add_synonyms, keys: 'Mod+N' },
    bulkCreate: { label: m.bulk_create_ask, synonyms: m.action_bulk_create_synonyms, keys: 'Mod+Shift+N' },
    openList: { label: m.action_open_list, synonyms: m.action_open_list_synonyms },
    selectAll: { label: m.action_select_all, synonyms: m.action_select_all_synonyms, keys: 'Mod+A' },
    clearSelection: { label: m.selection_clear, synonyms: m.action_clear_selection_synonyms, keys: 'Escape' },
    editSelected: { label: m.action_edit_selected, synonyms: m.action_edit_selected_synonyms, keys: 'Mod+E' },
    copySelected: { label: m.copy_action_selected, synonyms: m.copy_synonyms },
    deleteSelected: { label: m.action_delete_selected, synonyms: m.action_delete_selected_synonyms },
    tagSelected: { label: m.tags_action, synonyms: m.tags_action_synonyms },
    importTable: { label: m.table_import, synonyms: m.action_import_table_synonyms },
    compareList: { label: m.compare_ask, synonyms: m.action_compare_list_synonyms },
    exportCsv: { label: m.action_export_csv, synonyms: m.action_export_csv_synonyms },
    exportJson: { label: m.action_export_json, synonyms: m.action_export_json_synonyms },
    exportSelectedCsv: { label: m.action_export_selected_csv, synonyms: m.action_export_csv_synonyms },
    exportSelectedJson: { label: m.action_export_selected_json, synonyms: m.action_export_json_synonyms },
    bulkChange: { label: m.action_bulk_change, synonyms: m.action_bulk_change_synonyms },
    refresh: {
      label: m.list_refresh,
      synonyms: m.action_refresh_synonyms,
      /** F5 works on a Mac too (keys.ts), but only while Fn is held, so another shortcut is shown there. */
      get keys() {
        return isOnMac() ? 'Mod+R' : 'F5'
      },
    },
  },
  list: {
    nextPage: { label: m.pager_next, synonyms: m.action_next_page_synonyms },
    previousPage: { label: m.pager_previous, synonyms: m.action_previous_page_synonyms },
    saveView: { label: m.view_save_ask, synonyms: m.view_action_synonyms },
    resetColumns: { label: m.list_columns_reset, synonyms: m.action_reset_columns_synonyms },
  },
  presets: {
    newPreset: { label: m.preset_add, synonyms: m.action_new_preset_synonyms },
    saveAsPreset: { label: m.action_save_as_preset, synonyms: m.action_save_as_preset_synonyms },
  },
  changes: {
    undo: { label: m.action_undo, synonyms: m.action_undo_synonyms, keys: 'Mod+Z' },
    sendNow: { label: m.common_send_now, synonyms: m.action_send_now_synonyms },
    pause: { label: m.settings_pause, synonyms: m.action_pause_synonyms },
    resume: { label: m.common_resume, synonyms: m.action_resume_synonyms },
    export: { label: m.common_export_pending, synonyms: m.action_export_synonyms },
    import: { label: m.action_import, synonyms: m.action_import_synonyms },
  },
  settings: {
    newAddress: { label: m.address_add, synonyms: m.action_address_synonyms },
    replaceAddress: { label: m.address_replace, synonyms: m.action_address_synonyms },
    exportSettings: { label: m.settings_export_ask, synonyms: m.action_export_settings_synonyms },
    importSettings: { label: m.settings_import_ask, synonyms: m.action_import_settings_synonyms },
    checkSetUp: { label: m.check_run, synonyms: m.action_check_setup_synonyms },
    copyDiagnostics: { label: m.check_diagnostics_copy, synonyms: m.action_copy_diagnostics_synonyms },
    checkUpdate: { label: m.update_check, synonyms: m.action_update_synonyms },
    downloadUpdate: { label: m.action_download_update, synonyms: m.action_update_synonyms },
    restartToUpdate: { label: m.update_restart, synonyms: m.action_update_synonyms },
  },
  window: {
    themeLight: { label: m.action_theme_light, synonyms: m.action_theme_light_synonyms },
    themeDark: { label: m.action_theme_dark, synonyms: m.action_theme_dark_synonyms },
    themeSystem: { label: m.action_theme_system, synonyms: m.action_theme_system_synonyms },
    textLarger: { label: m.menu_text_larger, synonyms: m.action_text_larger_synonyms, keys: 'Mod+Plus' },
    textSmaller: { label: m.menu_text_smaller, synonyms: m.action_text_smaller_synonyms, keys: 'Mod+-' },
    textNormal: { label: m.menu_text_normal, synonyms: m.action_text_normal_synonyms, keys: 'Mod+0' },
    shortcuts: { label: m.action_shortcuts, synonyms: m.action_shortcuts_synonyms, keys: '?' },
    quit: { label: m.action_quit, synonyms: m.action_quit_synonyms, keys: 'Mod+Q' },
  },
  connections: {
    addConnection: { label: m.connections_add, synonyms: m.action_add_connection_synonyms },
    enterKey: { label: m.key_enter_ask, synonyms: m.action_enter_key_synonyms },
    replaceKey: { label: m.replace_key_ask, synonyms: m.action_replace_key_synonyms },
    askKeychain: { label: m.account_try_keychain, synonyms: m.action_try_keychain_synonyms },
    disconnect: { label: m.disconnect_ask, synonyms: m.action_disconnect_synonyms },
  },
} as const satisfies Record<string, Record<string, ActionText>>

export type ActionGroup = keyof typeof actionGroups
/** The name of an action that a shortcut, the palette or a menu can run. */
export type ActionName = { [G in ActionGroup]: keyof (typeof actionGroups)[G] }[ActionGroup]

/** The headings of the groups of actions in the palette. */
export const groupNames: Record<ActionGroup, () => string> = {
  goTo: m.palette_go_to,
  editor: m.palette_editor,
  websites: m.palette_websites,
  list: m.palette_list,
  presets: m.palette_presets,
  changes: m.palette_changes,
  settings: m.palette_settings,
  window: m.palette_window,
  connections: m.palette_connections,
}

/** The texts of all actions, by name. */
export const actionTexts = Object.assign({}, ...Object.values(actionGroups)) as Record<ActionName, ActionText>

/** Returns the shortcut of an action for use in a sentence, such as "Ctrl+K"; '' if it has none. */
export const actionKeysText = (name: ActionName): string => keysText(actionTexts[name].keys ?? '')

/** Returns the label of an action with its shortcut. */
export const actionTooltip = (name: ActionName): string =>
  m.common_with_keys({ label: actionTexts[name].label(), keys: actionKeysText(name) })

/** Returns the shortcut of an action in the format of `aria-keyshortcuts`; '' if it has none. */
export const actionAriaKeys = (name: ActionName): string => ariaKeys(actionTexts[name].keys ?? '')
