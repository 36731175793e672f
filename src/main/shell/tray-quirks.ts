import { join } from 'node:path'
import type { TrayKind } from './tray-view.ts'

/**
 * In what the trays of the systems differ.
 *
 * macOS: "click" comes although the menu opens by it (https://github.com/electron/electron/pull/24200), so it may not
 * open the window as well. The picture is a template by its name: the system draws it in the panel's colour.
 *
 * Windows: a double click is two clicks before it's one double click; opening twice does nothing, toggling would. The
 * picture is an ICO, from which the system takes the size of its scale.
 *
 * Linux: by the desktop a click opens the menu or is a "click" (https://github.com/electron/electron/issues/14941,
 * https://github.com/electron/electron/pull/36333), so all must be in the menu, "Open" first. A menu shows what changed
 * only when it's set anew. Some panels flash with each new picture, the same one too
 * (https://github.com/electron/electron/issues/6301). A second tray of a process falls back to what many panels don't
 * show (https://github.com/electron/electron/pull/51532): there's one, made once. A panel that comes after it never shows it
 * (https://github.com/Foundry376/Mailspring/issues/2863, https://github.com/pop-os/cosmic-applets/issues/1528), and with the session
 * the app may start before the panel: it's waited for (late-tray.ts). Electron 43.3 to 44.0 registers icons in ways
 * that GNOME's panel refuses (https://github.com/electron/electron/issues/53213): none of those may be built with. Whether
 * a panel shows icons at all is asked for in tray-host.ts, and where macOS and Windows have them is judged in
 * window-place.ts, `besideIcon`.
 */
export interface TrayQuirks {
  opensByClick: boolean
  /** Path of the picture in the folder of resources. */
  image(kind: TrayKind): string
}

export function trayQuirks(platform: NodeJS.Platform): TrayQuirks {
  if (platform === 'darwin') {
    return { opensByClick: false, image: (kind) => join('tray', 'macos', `${kind}Template.png`) }
  }
  if (platform === 'win32') return { opensByClick: true, image: (kind) => join('tray', 'windows', `${kind}.ico`) }
  return { opensByClick: true, image: (kind) => join('tray', 'linux', `${kind}.png`) }
}
