import { Menu, type MenuItemConstructorOptions } from 'electron'
import type { Screen } from '../../shared/destination.ts'
import type { Settings } from '../../shared/state.ts'
import { textSizeBeside, type TextSize } from '../../shared/text-size.ts'
import { menuWords } from '../../words/shell.ts'

/** The application menu: what the OS expects (copy and paste on macOS hang on it), and the screens by number. */
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
  // What each app's own menu has there, with its keys.
  const onMac: MenuItemConstructorOptions[] =
    process.platform === 'darwin'
      ? [{ role: 'hide' }, { role: 'hideOthers' }, { role: 'unhide' }, { type: 'separator' }]
      : []
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      {
        label: menuWords.app,
        submenu: [
          go(menuWords.websites, 'websites', 1),
          go(menuWords.pending, 'pending', 2),
          go(menuWords.presets, 'presets', 3),
          go(menuWords.account, 'account', 4),
          go(menuWords.settings, 'settings', 5),
          { type: 'separator' },
          ...onMac,
          { label: menuWords.quit, accelerator: 'CmdOrCtrl+Q', click: actions.quit },
        ],
      },
      { role: 'editMenu' },
      {
        label: menuWords.view,
        submenu: [
          text(menuWords.textNormal, '0', () => 100),
          text(menuWords.textLarger, 'Plus', (now) => textSizeBeside(now, 1)),
          text(menuWords.textSmaller, '-', (now) => textSizeBeside(now, -1)),
        ],
      },
      { role: 'windowMenu' },
    ]),
  )
}
