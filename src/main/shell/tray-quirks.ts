import { join } from 'node:path'
import type { Urgency } from '../../messages/account-status.ts'

/**
 * Differences between the trays of the systems.
 *
 * macOS: "click" is emitted although the click opens the menu (https://github.com/electron/electron/pull/24200), so it must
 * not open the window as well. The name of the image makes it a template, which the system draws in the panel's color.
 *
 * Windows: a double click is emitted as two clicks before it, so a click must not toggle the window. The image is an ICO, from
 * which the system takes the size for its scale.
 *
 * Linux: depending on the desktop, a click opens the menu or emits "click" (https://github.com/electron/electron/issues/14941,
 * https://github.com/electron/electron/pull/36333), so the menu must contain everything, "Open" first. A menu shows changes
 * only when it is set again. Some panels flash with each image that is set, even the same one
 * (https://github.com/electron/electron/issues/6301). A process must create only one tray, because a second one uses a protocol
 * that many panels don't show (https://github.com/electron/electron/pull/51532). A panel that starts later never shows the tray
 * (https://github.com/Foundry376/Mailspring/issues/2863, https://github.com/pop-os/cosmic-applets/issues/1528), so
 * deferred-tray.ts waits for one. GNOME's panel refuses the icons of Electron 43.3 to 44.0
 * (https://github.com/electron/electron/issues/53213): don't build with these versions.
 */
export interface TrayQuirks {
  opensByClick: boolean
  /** True if the system can show text beside the icon. */
  hasTitle: boolean
  /** Path in the resources folder. */
  image(kind: Urgency): string
}

/** Returns the quirks of a system's tray. */
export function trayQuirks(platform: NodeJS.Platform): TrayQuirks {
  if (platform === 'darwin') {
    return { opensByClick: false, hasTitle: true, image: (kind) => join('tray', 'macos', `${kind}Template.png`) }
  }
  if (platform === 'win32')
    return { opensByClick: true, hasTitle: false, image: (kind) => join('tray', 'windows', `${kind}.ico`) }
  return { opensByClick: true, hasTitle: false, image: (kind) => join('tray', 'linux', `${kind}.png`) }
}
