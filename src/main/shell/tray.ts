import { Menu, Tray, type Rectangle } from 'electron'
import { join } from 'node:path'
import { throttleTray, type ThrottledTray } from './tray-throttle.ts'
import type { TrayQuirks } from './tray-quirks.ts'
import type { TrayAction, TrayItem, TrayView } from './tray-view.ts'

export interface TrayIcon extends ThrottledTray {
  /** Bounds of the icon as the system reports them, which may be empty (window-place.ts, {@link besideIcon}). */
  bounds(): Rectangle
}

export type TrayActions = Record<TrayAction, () => void>

export interface TrayParts {
  /** Folder of the images. */
  resources: string
  quirks: TrayQuirks
  first: TrayView
  actions: TrayActions
  clock: Parameters<typeof throttleTray>[0]
}

export function createTray({ resources, quirks, first, actions, clock }: TrayParts): TrayIcon {
  const image = ({ kind }: TrayView): string => join(resources, quirks.image(kind))
  const tray = new Tray(image(first))
  tray.setToolTip(first.toolTip)
  setMenu(first.items)
  if (quirks.opensByClick) tray.on('click', actions.open)

  function setMenu(items: TrayItem[]): void {
    tray.setContextMenu(
      Menu.buildFromTemplate(
        items.map((item) => {
          if (item === null) return { type: 'separator' as const }
          const { label, does, enabled } = item
          return { label, enabled, ...(does && { click: actions[does] }) }
        }),
      ),
    )
  }

  const throttled = throttleTray(clock, first, (view, shown) => {
    if (view.kind !== shown.kind) tray.setImage(image(view))
    if (view.toolTip !== shown.toolTip) tray.setToolTip(view.toolTip)
    if (JSON.stringify(view.items) !== JSON.stringify(shown.items)) setMenu(view.items)
  })
  return { ...throttled, bounds: () => tray.getBounds() }
}
