import { Menu, Tray } from 'electron'
import { join } from 'node:path'
import type { TrayQuirks } from './tray-quirks.ts'
import type { TrayAction, TrayItem, TrayView } from './tray-view.ts'

export interface TrayIcon {
  render(view: TrayView): void
}

export type TrayActions = Record<TrayAction, () => void>

/** State in, one render out: what is shown already isn't drawn again. */
export function createTray(resources: string, quirks: TrayQuirks, first: TrayView, actions: TrayActions): TrayIcon {
  const image = ({ kind }: TrayView): string => join(resources, quirks.image(kind))
  const tray = new Tray(image(first))
  tray.setToolTip(first.toolTip)
  setMenu(first.items)
  if (quirks.opensByClick) tray.on('click', actions.open)
  let shown = first

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

  return {
    render(view) {
      if (view.kind !== shown.kind) tray.setImage(image(view))
      if (view.toolTip !== shown.toolTip) tray.setToolTip(view.toolTip)
      // A menu that is open closes when it's set anew.
      if (JSON.stringify(view.items) !== JSON.stringify(shown.items)) setMenu(view.items)
      shown = view
    },
  }
}
