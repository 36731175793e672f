import { Variant } from '@jellybrick/dbus-next'
import { joinBus } from './bus.ts'
import { createTray, type IconAddress, type Tray } from './tray.ts'

/**
 * A panel that shows icons: it owns the name of the StatusNotifierWatcher on the session bus, and says whether there is
 * a host (https://www.freedesktop.org/wiki/Specifications/StatusNotifierItem/StatusNotifierWatcher/).
 */
export interface Panel {
  /** The only icon on the panel. Its methods throw if there is none, or more than one. */
  tray: Tray
  count(): number
  /** Number of icons that have been registered so far. */
  registered(): number
  stop(): Promise<void>
}

const WATCHER = 'org.kde.StatusNotifierWatcher'
const ITEM = 'org.kde.StatusNotifierItem'
const MENU = 'com.canonical.dbusmenu'

/** Starts a panel on a session bus. `host`: whether the panel says that it shows icons. */
export async function startPanel(address: string, { host = true } = {}): Promise<Panel> {
  const bus = await joinBus(address)
  let icons: IconAddress[] = []
  let registered = 0
  const drawn: string[] = []

  for (const interfaceName of [ITEM, MENU]) {
    await bus.listen(interfaceName, ({ member }) => drawn.push(member))
  }
  await bus.listen('org.freedesktop.DBus', ({ member, body: [name, , owner] }) => {
    if (member === 'NameOwnerChanged' && owner === '') icons = icons.filter((icon) => icon.name !== name)
  })
  await bus.serve(WATCHER, WATCHER, {
    Get: () => ['v', new Variant('b', host)],
    RegisterStatusNotifierItem: ({ sender, body: [service] }) => {
      // A program gives its name on the bus, the path of the icon, or both.
      const path = /\/.*/.exec(String(service))?.[0] ?? '/StatusNotifierItem'
      icons.push({ name: sender, path })
      registered += 1
      return ['']
    },
  })

  return {
    tray: createTray(bus, () => icons, drawn),
    count: () => icons.length,
    registered: () => registered,
    stop: () => bus.leave(),
  }
}
