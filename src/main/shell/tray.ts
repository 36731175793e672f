import { Menu, Tray, type MenuItemConstructorOptions, type Rectangle } from 'electron'
import { join } from 'node:path'
import { throttleTray, type ThrottledTray } from './tray-throttle.ts'
import type { TrayQuirks } from './tray-quirks.ts'
import type { TrayAction, TrayItem, TrayView } from './tray-view.ts'

/** The tray icon with its menu. */
export interface TrayIcon extends ThrottledTray {
  /** Returns the bounds of the icon as the system reports them. They may be empty (window-place.ts, `boundsBesideIcon`). */
  bounds(): Rectangle
  remove(): void
}

/** `account`: the id of the account that the item is about. */
export type TrayActions = Record<TrayAction, (account?: string) => void>

/** The first content of the tray icon, its pictures, and the actions of its menu. */
export interface TrayOptions {
  /** Folder of the icons. */
  resources: string
  quirks: TrayQuirks
  first: TrayView
  actions: TrayActions
  clock: Parameters<typeof throttleTray>[0]
}

export function createTray({ resources, quirks, first, actions, clock }: TrayOptions): TrayIcon {
  const image = ({ kind }: TrayView): string => join(resources, quirks.image(kind))
  const tray = new Tray(image(first))
  tray.setToolTip(first.toolTip)
  setMenu(first.items)
  setTitle(first.count)
  if (quirks.opensByClick) tray.on('click', () => actions.open())

  function setMenu(items: TrayItem[]): void {
    tray.setContextMenu(Menu.buildFromTemplate(items.map(template)))
  }

  function setTitle(count: number): void {
    if (quirks.hasTitle) tray.setTitle(count > 0 ? String(count) : '')
  }

  function template(item: TrayItem): MenuItemConstructorOptions {
    if (item === null) return { type: 'separator' }
    const { label, does, enabled, account, items } = item
    return {
      label,
      enabled,
      ...(does && { click: () => actions[does](account) }),
      ...(items && { submenu: items.map(template) }),
    }
  }

  const throttled = throttleTray(clock, first, (view, shown) => {
    if (view.kind !== shown.kind) tray.setImage(image(view))
    if (view.count !== shown.count) setTitle(view.count)
    if (view.toolTip !== shown.toolTip) tray.setToolTip(view.toolTip)
    if (JSON.stringify(view.items) !== JSON.stringify(shown.items)) setMenu(view.items)
  })
  return {
    ...throttled,
    bounds: () => tray.getBounds(),
    remove() {
      throttled.stop()
      tray.destroy()
    },
  }
}
