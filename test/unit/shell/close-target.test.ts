import { expect, test } from 'vitest'
import { createCloseTarget, type BackgroundPlace } from '../../../src/main/shell/close-target.ts'

/** `close` returns where the closed window goes. `notifications` lists the places that the user was notified of. */
function start(desktop: { keeps: boolean; hides?: boolean; hasTray: boolean | null }) {
  const notifications: BackgroundPlace[] = []
  const noted = new Set<BackgroundPlace>()
  const close = createCloseTarget({
    keepsWindow: () => desktop.keeps,
    hidesTray: () => desktop.hides === true,
    hasTray: async () => desktop.hasTray,
    notified: { has: (where) => noted.has(where), add: (where) => noted.add(where) },
    notify: (where) => notifications.push(where),
  })
  return { close, notifications }
}

test('hides the window if there is a tray icon, else minimizes it, and notifies once of each', async () => {
  const desktop = { keeps: false, hasTray: true as boolean | null }
  const { close, notifications } = start(desktop)
  expect([await close(), await close()]).toEqual(['tray', 'tray'])
  desktop.hasTray = false
  expect([await close(), await close()]).toEqual(['taskbar', 'taskbar'])
  desktop.hasTray = null
  expect(await close()).toBe('tray')
  expect(notifications).toEqual(['tray', 'taskbar'])
})

test('does not notify a user who keeps the window in the taskbar', async () => {
  const { close, notifications } = start({ keeps: true, hasTray: true })
  expect(await close()).toBe('taskbar')
  expect(notifications).toEqual([])
})

test('closing the window quits the app if the user hides the tray icon, but not if they keep the window in the taskbar', async () => {
  const desktop = { keeps: false, hides: true, hasTray: false }
  const { close, notifications } = start(desktop)
  expect(await close()).toBe('quit')
  desktop.keeps = true
  expect(await close()).toBe('taskbar')
  expect(notifications).toEqual([])
})
