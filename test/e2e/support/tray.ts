import type { ElectronApplication } from '@playwright/test'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Variant } from '@jellybrick/dbus-next'
import { PNG } from 'pngjs'
import { root } from '../../../scripts/setup/project.mjs'
import type { Bus } from './bus.ts'

export interface IconAddress {
  /** The unique name of the icon's program on the bus. */
  name: string
  path: string
}

/** The tray icon as the panel sees it, over D-Bus. */
export interface Tray {
  /** Returns the name of the icon's picture in `resources/tray/linux`: `another` for any other picture, `none` without one. */
  picture(): Promise<string>
  toolTip(): Promise<string>
  /** Returns the whole menu in order: one line per group, with disabled entries in parentheses. */
  menu(): Promise<string[]>
  disabledLabels(): Promise<string[]>
  click(): Promise<void>
  choose(label: string, subMenu?: RegExp): Promise<void>
  /** Returns the sub-menus in order: the label of the item, and the sub-menu written like the menu. */
  subMenus(): Promise<[label: string, menu: string[]][]>
  /** The names of the signals by which icons and menus have announced changes. The caller may empty the list. */
  drawn: string[]
}

interface Item {
  id: number
  /** Empty for a separator. */
  label: string
  enabled: boolean
  items: Item[]
}

type Layout = [id: number, properties: Record<string, Variant | undefined>, children: Variant<Layout>[]]

const pictures = join(root, 'resources/tray/linux')

export function createTray(bus: Bus, icons: () => readonly IconAddress[], drawn: string[]): Tray {
  function item() {
    const [icon, ...more] = icons()
    if (icon === undefined || more.length > 0) throw new Error(`expected one icon, found ${String(icons().length)}`)
    return { ...icon, interface: 'org.kde.StatusNotifierItem' }
  }
  const properties = () => bus.properties(item())

  async function menu() {
    const { Menu } = await properties()
    return { name: item().name, path: String(Menu?.value), interface: 'com.canonical.dbusmenu' }
  }

  async function items(): Promise<Item[]> {
    const [, layout] = await bus.call(await menu(), 'GetLayout', 'iias', 0, -1, [])
    return itemsIn(layout as Layout)
  }

  return {
    drawn,
    async picture() {
      const { IconPixmap } = await properties()
      const [pixmap] = IconPixmap?.value as [width: number, height: number, argb: Buffer][]
      return pixmap === undefined ? 'none' : nameOf(pixmap[2])
    },
    async toolTip() {
      const { ToolTip } = await properties()
      const [, , title] = ToolTip?.value as [name: string, pixmaps: unknown, title: string]
      return title
    },
    menu: async () => written(await items()),
    async subMenus() {
      const withSubMenu = (await items()).filter((item) => item.items.length > 0)
      return withSubMenu.map((item) => [item.label, written(item.items)])
    },
    disabledLabels: async () =>
      (await items()).filter(({ label, enabled }) => label && !enabled).map(({ label }) => label),
    async click() {
      await bus.call(item(), 'Activate', 'ii', 0, 0)
    },
    async choose(wanted, subMenu) {
      const all = await items()
      const among = subMenu === undefined ? all : (all.find(({ label }) => subMenu.test(label))?.items ?? [])
      const found = among.find(({ label, enabled }) => enabled && label === wanted)
      if (found === undefined) throw new Error(`the tray has no ${wanted}`)
      await bus.call(await menu(), 'Event', 'isvu', found.id, 'clicked', new Variant('i', 0), 0)
    },
  }
}

function itemsIn([, , children]: Layout): Item[] {
  return children.map(({ value }) => {
    const [id, { label, enabled, type }] = value
    return {
      id,
      label: type?.value === 'separator' ? '' : String(label?.value).replaceAll('__', '_'),
      enabled: enabled?.value !== false,
      items: itemsIn(value),
    }
  })
}

function written(items: Item[]): string[] {
  const lines = items.map(({ label, enabled }) => (label === '' || enabled ? label : `(${label})`))
  return lines.join(' | ').split(' |  | ')
}

function nameOf(argb: Buffer): string {
  const file = readdirSync(pictures).find((name) =>
    isSame(PNG.sync.read(readFileSync(join(pictures, name))).data, argb),
  )
  return file === undefined ? 'another' : basename(file, '.png').replace('@2x', '')
}

/** Allows for rounding: Electron stores colors multiplied by their opacity, which changes those of transparent pixels. */
function isSame(rgba: Buffer, argb: Buffer): boolean {
  if (rgba.length !== argb.length) return false
  return rgba.every((byte, at) => {
    const pixel = at - (at % 4)
    const opacity = (rgba[pixel + 3] ?? 0) / 255
    if (at === pixel + 3) return byte === argb[pixel]
    return Math.abs(byte - (argb[at + 1] ?? 0)) * opacity <= 1
  })
}

export const isWindowVisible = (app: ElectronApplication): Promise<boolean> =>
  app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().some((window) => window.isVisible() && !window.isMinimized()),
  )

/** Closes the window like its title bar: in a turn of the event loop of its own, not amid other work like `evaluate`. */
export const closeWindow = (app: ElectronApplication): Promise<void> =>
  app.evaluate(async ({ BrowserWindow }) => {
    await new Promise(setImmediate)
    for (const window of BrowserWindow.getAllWindows()) window.close()
  })
