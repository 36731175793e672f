import { app, nativeTheme } from 'electron'
import { join } from 'node:path'
import type { HistoryEntry } from '../shared/edit.ts'
import type { AppState, Settings } from '../shared/state.ts'
import type { Connections } from './connection/ports.ts'
import { createBroadcast, type Broadcast } from './ipc/broadcast.ts'
import type { Log } from './log/log.ts'
import type { Clock } from './outbox/ports.ts'
import { createAutostart } from './shell/autostart.ts'
import { createChosenFiles, type ChosenFiles } from './shell/chosen-files.ts'
import { createClosing } from './shell/close-target.ts'
import { createDestinations, type Destinations } from './shell/destinations.ts'
import { createDock } from './shell/dock.ts'
import { createLateTray } from './shell/deferred-tray.ts'
import { createLetGo } from './shell/unload-timer.ts'
import { createNewsFeed, type LeftEdits } from './shell/notification-feed.ts'
import { createNotifications } from './shell/notifications.ts'
import { createSettings, type SettingsPanel } from './shell/settings.ts'
import { createTray, type TrayActions } from './shell/tray.ts'
import type { Panels, TrayHost } from './shell/tray-host.ts'
import { trayQuirks } from './shell/tray-quirks.ts'
import { trayView } from './shell/tray-view.ts'
import { createFormDrafts, type FormDraftKeeper } from './shell/form-draft.ts'
import { createMainWindow, type MainWindow } from './shell/window.ts'
import { tellsPlaces } from './shell/window-place.ts'
import type { AppStore } from './storage/app.ts'

export interface ShellParts {
  /** The folder of pictures. */
  resources: string
  preload: string
  /** Where the page comes from. */
  url: string
  store: AppStore
  connections: Connections
  state: () => AppState
  /** Started without its window. */
  hidden: boolean
  /** The person has changed a setting. */
  onSettings: (now: ReturnType<SettingsPanel['now']>) => void
  /** The window is on the screen, or isn't any more. */
  onVisible: (visible: boolean) => void
  /** The page's process has ended, and the page is loaded anew. */
  onReload: () => void
  panels: Panels
  clock: Clock
  log: Log
}

/** What of the app is on the person's desktop: the window, the tray, what it tells them, and their settings. */
export interface Shell {
  window: MainWindow
  broadcast: Broadcast
  settings: SettingsPanel
  destinations: Destinations
  formDrafts: FormDraftKeeper
  files: ChosenFiles
  /** Whether a panel shows our icon just now; null: it can't be told. */
  hasTray: TrayHost
  /** The state as it is now, and what has left the outbox: the tray shows it, and what is news is told. */
  tell(state: AppState, edits: LeftEdits): void
  /** Tells nothing any more, and lets no window go. */
  stop(): void
}

const toldOf = { tray: 'toldOfTray', taskbar: 'toldOfTaskbar' } as const

export function composeShell({ store, connections, state, clock, log, ...parts }: ShellParts): Shell {
  const dock = createDock(app.dock, !parts.hidden || store.settings().keepWindow)
  const window = createMainWindow({
    preload: parts.preload,
    icon: join(parts.resources, 'icon.png'),
    url: parts.url,
    onVisible: visible,
    afterCrash: { onReload: parts.onReload, onGivenUp: () => notifications.tellOfPage(), log },
    onOpen(open) {
      dock(open)
      if (open) letGo.opened()
      else letGo.closed()
    },
    onClose: createClosing({
      keeps: () => store.settings().keepWindow,
      hasTray: () => tray.isShown(),
      told: {
        has: (where) => store.note(toldOf[where]) === true,
        note: (where) => void store.saveNote(toldOf[where], true),
      },
      tell: (where) => notifications.tellOfAway(where),
    }),
    place: { read: () => store.note('windowPlace'), write: (place) => void store.saveNote('windowPlace', place) },
    tellsPlaces: tellsPlaces(process.platform, process.env, app.commandLine.getSwitchValue('ozone-platform')),
    trayIcon: () => tray.bounds(),
    log,
  })
  const formDrafts = createFormDrafts({
    connection: () => connections.active()?.record.id ?? null,
    read: () => store.note('formDrafts'),
    write: (note) => void store.saveNote('formDrafts', note),
  })
  const letGo = createLetGo(
    clock.after,
    () => !formDrafts.isHeld(),
    () => {
      window.letGo()
      connections.active()?.letGo()
    },
  )
  const broadcast = createBroadcast(() => window.contents(), log)

  nativeTheme.themeSource = store.settings().theme
  const autostart = createAutostart(app, process.platform, process.env)
  autostart.refresh()
  const settings = createSettings({
    store,
    autostart,
    onChange(now) {
      nativeTheme.themeSource = now.theme
      parts.onSettings(now)
      broadcast('settingsChanged', now)
    },
  })

  const open = (): void => window.show()
  const destinations = createDestinations(open, () => broadcast('destination', undefined))
  const { leadTo } = destinations
  const notifications = createNotifications((destination) => (destination === null ? open() : leadTo(destination)))
  const news = createNewsFeed({
    clock,
    isFocused: () => window.isFocused(),
    settings: settings.now,
    tell: notifications.tell,
  })
  let known: { now: AppState; last: HistoryEntry | null } = { now: state(), last: null }
  let isOpen = false
  const render = (): void => tray.render(trayView(known.now, known.last, isOpen))
  function visible(now: boolean): void {
    isOpen = now
    parts.onVisible(now)
    render()
  }
  /** From where nothing else tells that it wasn't kept. */
  function change(changes: Partial<Settings>): void {
    const changed = settings.change(changes)
    if (!changed.ok) notifications.tellOfError(changed.error)
  }
  const quirks = trayQuirks(process.platform)
  const actions: TrayActions = {
    open,
    quit: () => app.quit(),
    sendNow: () => void connections.active()?.outbox.sendNow(),
    pause: () => change({ paused: true }),
    resume: () => change({ paused: false }),
    add: () => leadTo({ to: 'add', domain: '' }),
    settings: () => leadTo({ to: 'screen', screen: 'settings' }),
  }
  const tray = createLateTray({
    panels: parts.panels,
    after: clock.after,
    first: trayView(known.now, known.last, isOpen),
    make: (first) => createTray({ resources: parts.resources, quirks, first, actions, clock }),
  })

  return {
    window,
    broadcast,
    settings,
    destinations,
    formDrafts,
    hasTray: tray.isShown,
    files: createChosenFiles(() => window.contents()),
    tell(now, edits) {
      known = { now, last: edits.last }
      render()
      news.heard(now, edits)
    },
    stop() {
      tray.stop()
      news.stop()
      letGo.opened()
    },
  }
}
