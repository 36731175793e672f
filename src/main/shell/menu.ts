import { Menu, type BrowserWindow, type MenuItemConstructorOptions } from 'electron'
import { m } from '../../messages/index.ts'
import type { Screen } from '../../shared/destination.ts'
import type { Settings } from '../../shared/state.ts'
import { nextTextSize, type TextSize } from '../../shared/text-size.ts'

/** Copy and paste on macOS depend on the standard items of this menu. */
export function setApplicationMenu(actions: {
  show: (screen: Screen) => void
  quit: () => void
  settings: { now: () => Pick<Settings, 'textSize'>; change: (changes: Pick<Settings, 'textSize'>) => unknown }
}): void {
  const { settings } = actions
  const text = (label: string, key: string, next: (now: TextSize) => TextSize): MenuItemConstructorOptions => ({
    label,
    accelerator: `CmdOrCtrl+${key}`,
    click: () => void settings.change({ textSize: next(settings.now().textSize) }),
  })
  const go = (label: string, screen: Screen, number: number): MenuItemConstructorOptions => ({
    label,
    accelerator: `CmdOrCtrl+${number}`,
    click: () => actions.show(screen),
  })
  // The standard items of macOS' app menu.
  const onMac: MenuItemConstructorOptions[] =
    process.platform === 'darwin'
      ? [
          { role: 'hide', label: m.menu_hide() },
          { role: 'hideOthers', label: m.menu_hide_others() },
          { role: 'unhide', label: m.menu_show_all() },
          { type: 'separator' },
        ]
      : []
  // The zoom role has no effect on the other systems.
  const zoomOnMac: MenuItemConstructorOptions[] =
    process.platform === 'darwin' ? [{ role: 'zoom', label: m.menu_zoom() }] : []
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      {
        label: m.menu_app(),
        submenu: [
          go(m.menu_websites(), 'websites', 1),
          go(m.menu_pending(), 'pending', 2),
          go(m.menu_presets(), 'presets', 3),
          go(m.menu_account(), 'account', 4),
          // An ellipsis is usual only in macOS' app menu.
          go(process.platform === 'darwin' ? m.menu_settings() : m.action_settings(), 'settings', 5),
          { type: 'separator' },
          ...onMac,
          { label: m.action_quit(), accelerator: 'CmdOrCtrl+Q', click: actions.quit },
        ],
      },
      {
        role: 'editMenu',
        label: m.menu_edit(),
        submenu: [
          { role: 'undo', label: m.menu_undo() },
          { role: 'redo', label: m.menu_redo() },
          { type: 'separator' },
          { role: 'cut', label: m.menu_cut() },
          { role: 'copy', label: m.menu_copy() },
          { role: 'paste', label: m.menu_paste() },
          { role: 'delete', label: m.menu_delete() },
          { type: 'separator' },
          { role: 'selectAll', label: m.menu_select_all() },
        ],
      },
      {
        label: m.menu_view(),
        submenu: [
          text(m.menu_text_normal(), '0', () => 100),
          text(m.menu_text_larger(), 'Plus', (now) => nextTextSize(now, 1)),
          text(m.menu_text_smaller(), '-', (now) => nextTextSize(now, -1)),
        ],
      },
      {
        role: 'windowMenu',
        label: m.menu_window(),
        submenu: [
          { role: 'minimize', label: m.menu_minimize() },
          ...zoomOnMac,
          { role: 'close', label: m.menu_close() },
        ],
      },
    ]),
  )
}

/** Adds the context menu for text. Chromium reports none for an element with its own menu, and lets no one copy a password. */
export function addTextMenu(window: BrowserWindow): void {
  window.webContents.on('context-menu', (_event, { isEditable, selectionText, editFlags, x, y, menuSourceType }) => {
    if (!isEditable && selectionText === '') return
    const copy: MenuItemConstructorOptions = { role: 'copy', label: m.menu_copy(), enabled: editFlags.canCopy }
    const items: MenuItemConstructorOptions[] = isEditable
      ? [
          { role: 'undo', label: m.menu_undo(), enabled: editFlags.canUndo },
          { role: 'redo', label: m.menu_redo(), enabled: editFlags.canRedo },
          { type: 'separator' },
          { role: 'cut', label: m.menu_cut(), enabled: editFlags.canCut },
          copy,
          { role: 'paste', label: m.menu_paste(), enabled: editFlags.canPaste },
          { type: 'separator' },
          { role: 'selectAll', label: m.menu_select_all(), enabled: editFlags.canSelectAll },
        ]
      : [copy]
    Menu.buildFromTemplate(items).popup({ window, x, y, sourceType: menuSourceType })
  })
}
