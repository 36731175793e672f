import { m } from '../messages/index.ts'
import { paneActs } from './editor.ts'
import type { Keys } from './keys.ts'

interface ActionWords {
  label: string
  /** What else a person may call it. */
  also?: string[]
  keys?: Keys
}

/** What can be done from anywhere, group by group, as the palette lists it: what is open comes first. */
export const actionGroups = {
  'Go to': {
    websites: { label: 'Websites', also: ['list'], keys: 'Mod+1' },
    pending: { label: 'Pending changes', also: ['queue', 'waiting', 'unsent', 'conflicts'], keys: 'Mod+2' },
    sent: { label: 'Sent changes', also: ['history'] },
    presets: { label: 'Presets', also: ['profiles', 'compare', 'defaults'], keys: 'Mod+3' },
    account: { label: 'Account', also: ['plan', 'API key'], keys: 'Mod+4' },
    settings: { label: 'Settings', also: ['preferences', 'options'], keys: 'Mod+5' },
  },
  Editor: {
    save: { ...paneActs.save, also: ['keep', 'send'] },
    next: { ...paneActs.next, also: ['below', 'down'] },
    previous: { ...paneActs.previous, also: ['above', 'up'] },
    deleteOpen: { label: 'Delete the open website', also: ['remove'] },
    closeEditor: { label: 'Close the editor', also: ['leave', 'open website'], keys: 'Escape' },
  },
  Websites: {
    search: { label: 'Search websites', also: ['find', 'filter'], keys: '/' },
    add: { label: 'Add website', also: ['new', 'create'], keys: 'Mod+N' },
    bulkCreate: {
      label: 'Add several websites',
      also: ['new', 'create', 'paste', 'CSV', 'list', 'import'],
      keys: 'Mod+Shift+N',
    },
    openList: { label: 'Add websites from a file', also: ['open', 'CSV', 'TSV', 'import', 'list'] },
    selectAll: { label: 'Select all that match', also: ['every', 'mark'], keys: 'Mod+A' },
    clearSelection: { label: m.selection_clear(), also: ['select none', 'unmark'], keys: 'Escape' },
    editSelected: { label: 'Edit the selected websites', also: ['bulk', 'many', 'change'], keys: 'Mod+E' },
    deleteSelected: { label: 'Delete the selected websites', also: ['bulk', 'many', 'remove'] },
    exportCsv: { label: 'Export the list as CSV', also: ['save', 'file', 'table', 'spreadsheet'] },
    exportJson: { label: 'Export the list as JSON', also: ['save', 'file'] },
    exportSelectedCsv: { label: 'Export the selected websites as CSV', also: ['save', 'file', 'table', 'spreadsheet'] },
    exportSelectedJson: { label: 'Export the selected websites as JSON', also: ['save', 'file'] },
    remoteChanges: { label: 'Show what was changed elsewhere', also: ['others', 'new', 'theirs'] },
    bulkChange: { label: 'Show the last batch', also: ['bulk', 'many', 'several', 'results', 'sent'] },
    allSeen: { label: 'Mark all changes from elsewhere as seen', also: ['others', 'read', 'looked at'] },
    refresh: { label: 'Refresh', also: ['reload', 'read again'], keys: 'F5' },
  },
  List: {
    nextPage: { label: m.pager_next(), also: ['turn', 'further'] },
    previousPage: { label: m.pager_previous(), also: ['turn', 'back'] },
    resetColumns: { label: m.list_columns_reset(), also: ['widths', 'default'] },
  },
  Presets: {
    newPreset: { label: 'New preset', also: ['profile', 'add', 'create'] },
    saveAsPreset: { label: 'Save the open website as a preset', also: ['profile', 'new', 'settings'] },
  },
  Changes: {
    undo: { label: 'Undo the last change', also: ['revert', 'take back', 'set back'] },
    sendNow: { label: 'Send now', also: ['sync', 'deliver', 'retry'] },
    pause: { label: 'Pause sending', also: ['stop', 'hold', 'sync'] },
    resume: { label: 'Resume sending', also: ['continue', 'sync'] },
    export: { label: 'Export pending changes', also: ['save', 'file', 'backup'] },
    import: { label: 'Import pending changes', also: ['open', 'file'] },
  },
  Settings: {
    checkSetUp: { label: m.check_run(), also: ['test', 'trouble', 'problem', 'help'] },
    copyDiagnostics: { label: m.check_diagnostics_copy(), also: ['report', 'trouble', 'problem', 'help'] },
    checkUpdate: { label: 'Look for a newer version', also: ['check now', 'upgrade', 'release'] },
    downloadUpdate: { label: 'Download the newer version', also: ['upgrade', 'fetch', 'release'] },
    restartToUpdate: { label: m.update_restart(), also: ['upgrade', 'install', 'newer version'] },
  },
  Window: {
    themeLight: { label: 'Theme: light', also: ['appearance', 'bright'] },
    themeDark: { label: 'Theme: dark', also: ['appearance', 'night'] },
    themeSystem: { label: 'Theme: as the system', also: ['appearance', 'automatic'] },
    textLarger: { label: 'Larger text', also: ['zoom in', 'size', 'bigger'], keys: 'Mod+Plus' },
    textSmaller: { label: 'Smaller text', also: ['zoom out', 'size'], keys: 'Mod+-' },
    textNormal: { label: 'Normal text size', also: ['zoom', 'reset', '100 %'], keys: 'Mod+0' },
    shortcuts: { label: 'Keyboard shortcuts', also: ['keys', 'help'], keys: '?' },
    quit: { label: 'Quit Siteward', also: ['exit', 'end', 'close'], keys: 'Mod+Q' },
  },
  Connections: {
    addConnection: { label: 'Add a connection', also: ['service', 'account', 'API key'] },
    replaceKey: { label: m.replace_key(), also: ['API key', 'change', 'new', 'password'] },
    askKeychain: { label: m.account_try_keychain(), also: ['unlock', 'API key'] },
    disconnect: { label: 'Disconnect', also: ['log out', 'sign out', 'leave'] },
  },
} as const satisfies Record<string, Record<string, ActionWords>>

export type ActionGroup = keyof typeof actionGroups
export type ActionName = { [G in ActionGroup]: keyof (typeof actionGroups)[G] }[ActionGroup]

/** The same by name. */
export const actionWords = Object.assign({}, ...Object.values(actionGroups)) as Record<ActionName, ActionWords>

export const PALETTE_KEYS: Keys = 'Mod+K'

export const foundWebsites = 'Your websites'
export const nothingCalledSo = 'Nothing is called so.'

export const paletteWords = {
  name: 'Commands',
  search: 'Search commands and websites',
  found: 'Commands and websites',
  shortcuts: 'Keyboard shortcuts',
}
