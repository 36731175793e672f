import { Menu, type MenuItemConstructorOptions } from 'electron'
import type { Screen } from '../../shared/destination.ts'

/** The application menu: what the OS expects (copy and paste on macOS hang on it), and the screens by number. */
export function setApplicationMenu(actions: { show: (screen: Screen) => void; quit: () => void }): void {
  const go = (label: string, screen: Screen, number: number): MenuItemConstructorOptions => ({
    label,
    accelerator: `CmdOrCtrl+${number}`,
    click: () => actions.show(screen),
  })
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      {
        label: 'Siteward',
        submenu: [
          go('Websites', 'websites', 1),
          go('Pending changes', 'pending', 2),
          go('Profiles', 'profiles', 3),
          go('Account', 'account', 4),
          go('Settings', 'settings', 5),
          { type: 'separator' },
          { label: 'Quit', accelerator: 'CmdOrCtrl+Q', click: actions.quit },
        ],
      },
      { role: 'editMenu' },
      {
        label: 'View',
        submenu: [{ role: 'resetZoom' }, { role: 'zoomIn' }, { role: 'zoomOut' }],
      },
      { role: 'windowMenu' },
    ]),
  )
}
