import type { App } from 'electron'
import { m } from '../../messages/index.ts'
import type { AppState } from '../../shared/state.ts'

/** The functions of the system that show the count. */
export interface BadgeOptions {
  platform: NodeJS.Platform
  app: Pick<App, 'setBadgeCount'>
  /** Sets or removes the mark on the window's taskbar button in Windows. The text is for screen readers. */
  setOverlay: (text: string | null) => void
}

/** Number of changes that need attention, in all accounts. */
export const attentionCount = ({ accounts }: Pick<AppState, 'accounts'>): number =>
  accounts.reduce((sum, { parked }) => sum + parked, 0)

/** Shows the count on the app's icon: in macOS' dock and in Linux launchers. Windows has room for a mark only. */
export function createBadge({ platform, app, setOverlay }: BadgeOptions): (count: number) => void {
  let shown = 0
  return (count) => {
    if (count === shown) return
    shown = count
    if (platform === 'win32') setOverlay(count > 0 ? m.status_need_attention({ count }) : null)
    else app.setBadgeCount(count)
  }
}
