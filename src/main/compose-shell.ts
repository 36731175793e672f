import { app, globalShortcut, nativeTheme } from 'electron'
import { join } from 'node:path'
import type { HistoryEntry } from '../shared/edit.ts'
import type { AppState, Settings } from '../shared/state.ts'
import type { Connections } from './connection/ports.ts'
import { createBroadcast } from './ipc/broadcast.ts'
import type { Log } from './log/log.ts'
import type { Clock } from './outbox/ports.ts'
import { createAutostart } from './shell/autostart.ts'
import { attentionCount, createBadge } from './shell/badge.ts'
import { createFileDialogs } from './shell/chosen-files.ts'
import { createCloseTarget } from './shell/close-target.ts'
import { createPendingDestination } from './shell/destinations.ts'
import { createDock } from './shell/dock.ts'
import { createDeferredTray } from './shell/deferred-tray.ts'
import { createUnloadTimer } from './shell/unload-timer.ts'
import { createGlobalShortcut } from './shell/global-shortcut.ts'
import { createNotificationFeed, type OutboxProgress } from './shell/notification-feed.ts'
import { createNotifications } from './shell/notifications.ts'
import { createSettings, type SettingsControl } from './shell/settings.ts'
import { createTray, type TrayActions } from './shell/tray.ts'
import type { TrayPanelCheck } from './shell/tray-host.ts'
import { trayQuirks } from './shell/tray-quirks.ts'
import { trayView } from './shell/tray-view.ts'
import { createFormDrafts } from './shell/form-draft.ts'
import { createMainWindow } from './shell/window.ts'
import { reportsPosition } from './shell/window-place.ts'
import type { AppStore } from './storage/app.ts'

/** Everything that the window, the tray and the menus need: folders, stores and callbacks. */
export interface ComposeShellOptions {
  /** Folder of the icons. */
  resources: string
  preload: string
  url: string
  store: AppStore
  connections: Connections
  state: () => AppState
  /** True if the app starts without showing its window. */
  hidden: boolean
  onSettings: (now: ReturnType<SettingsControl['now']>) => void
  onVisible: (visible: boolean) => void
  /** Called when the page has crashed and is being reloaded. */
  onReload: () => void
  panels: TrayPanelCheck
  clock: Clock
  log: Log
}

/** The parts of the app that belong to the desktop: window, tray, menu, notifications. */
export type Shell = ReturnType<typeof composeShell>

/** True if an app that starts hidden shows a minimized window: the user keeps closed windows minimized, or has no tray icon. */
export const startsMinimized = ({ keepWindow, hideTray }: Settings): boolean => keepWindow || hideTray

/** Names under which the store remembers that the user was notified where a closed window goes. */
const closeTargetNotes = { tray: 'toldOfTray', taskbar: 'toldOfTaskbar' } as const

export function composeShell({ store, connections, state, clock, log, ...options }: ComposeShellOptions) {
  const dock = createDock(app.dock, !options.hidden || startsMinimized(store.settings()))
  const window = createMainWindow({
    preload: options.preload,
    icon: join(options.resources, 'icon.png'),
    overlay: join(options.resources, 'overlay.png'),
    url: options.url,
    onVisible,
    afterCrash: { onReload: options.onReload, onGiveUp: () => notifications.showPageClosed(), log },
    onOpen(open) {
      dock(open)
      if (open) unloadTimer.opened()
      else unloadTimer.closed()
    },
    onClose: createCloseTarget({
      keepsWindow: () => store.settings().keepWindow,
      hidesTray: () => store.settings().hideTray,
      hasTray: () => tray.isShown(),
      notified: {
        has: (where) => store.note(closeTargetNotes[where]) === true,
        add: (where) => void store.saveNote(closeTargetNotes[where], true),
      },
      notify: (where) => notifications.showClosed(where, store.settings().paused),
    }),
    place: { read: () => store.note('windowPlace'), write: (place) => void store.saveNote('windowPlace', place) },
    reportsPosition: reportsPosition(process.platform, process.env, app.commandLine.getSwitchValue('ozone-platform')),
    trayIcon: () => tray.bounds(),
    quit,
    log,
  })
  const formDrafts = createFormDrafts({
    connection: () => connections.active()?.record.id ?? null,
    read: (id) => store.note(`formDrafts_${id}`),
    write: (id, drafts) => store.saveNote(`formDrafts_${id}`, drafts),
  })
  const unloadTimer = createUnloadTimer(
    clock.after,
    () => !formDrafts.isHeld(),
    () => {
      window.unload()
      for (const connection of connections.all()) connection.freeMemory()
    },
  )
  const broadcast = createBroadcast(() => window.contents(), log)

  nativeTheme.themeSource = store.settings().theme
  const autostart = createAutostart(app, process.platform, process.env)
  autostart.refresh()
  const shortcut = createGlobalShortcut(globalShortcut, () => goTo({ to: 'search' }))
  shortcut(store.settings().searchShortcut)
  const settings = createSettings({
    store,
    autostart,
    shortcut,
    onChange(now) {
      nativeTheme.themeSource = now.theme
      tray.setHidden(now.hideTray)
      options.onSettings(now)
      broadcast('settingsChanged', now)
    },
  })

  /**
   * Quits the app. If typed text would be lost, the page asks first. If the page hasn't taken that request, a second call quits,
   * because the page may hang or have crashed.
   */
  function quit(): void {
    if (formDrafts.isTyped() && !pendingDestination.isPending('quit')) goTo({ to: 'quit' })
    else app.quit()
  }
  const open = (): void => window.show()
  const pendingDestination = createPendingDestination(open, () => broadcast('destination', undefined))
  const { goTo } = pendingDestination
  const notifications = createNotifications((destination, account) => {
    if (destination === null) open()
    else goTo(account === null ? destination : { ...destination, account })
  })
  const notificationFeed = createNotificationFeed({
    clock,
    isFocused: () => window.isFocused(),
    settings: settings.now,
    notify: notifications.show,
    rejectedKeys: { read: () => store.note('rejectedKeys'), write: (ids) => void store.saveNote('rejectedKeys', ids) },
  })
  let latest: { now: AppState; last: ReadonlyMap<string, HistoryEntry> } = { now: state(), last: new Map() }
  let isOpen = false
  const render = (): void => tray.render(trayView(latest.now, latest.last, isOpen))
  function onVisible(now: boolean): void {
    isOpen = now
    options.onVisible(now)
    render()
  }
  /** Changes settings from the tray menu, where only a notification can report an error. */
  function change(changes: Partial<Settings>): void {
    const changed = settings.change(changes)
    if (!changed.ok) notifications.showError(changed.error)
  }
  const badge = createBadge({ platform: process.platform, app, setOverlay: (text) => window.setOverlay(text) })
  const quirks = trayQuirks(process.platform)
  const actions: TrayActions = {
    open(account) {
      if (account === undefined) open()
      else goTo({ to: 'screen', screen: 'websites', account })
    },
    quit,
    sendNow(account) {
      for (const { record, outbox } of connections.all())
        if (account === undefined || record.id === account) void outbox.sendNow()
    },
    pause: () => change({ paused: true }),
    resume: () => change({ paused: false }),
    add: () => goTo({ to: 'add', domain: '' }),
    settings: () => goTo({ to: 'screen', screen: 'settings' }),
  }
  const tray = createDeferredTray({
    panels: options.panels,
    after: clock.after,
    first: trayView(latest.now, latest.last, isOpen),
    hidden: store.settings().hideTray,
    make: (first) => createTray({ resources: options.resources, quirks, first, actions, clock }),
  })

  return {
    window,
    broadcast,
    settings,
    pendingDestination,
    formDrafts,
    quit,
    /** True if a panel of the desktop shows the icon; null if unknown. */
    hasTray: tray.isShown,
    files: createFileDialogs(() => window.contents()),
    update(now: AppState, edits: ReadonlyMap<string, OutboxProgress>): void {
      const last = [...edits].flatMap(([id, { last }]) => (last === null ? [] : [[id, last] as const]))
      latest = { now, last: new Map(last) }
      render()
      badge(attentionCount(now))
      notificationFeed.update(now, edits)
    },
    remoteChanges: notificationFeed.remoteChanges,
    stop(): void {
      tray.stop()
      notificationFeed.stop()
      unloadTimer.opened()
    },
  }
}
