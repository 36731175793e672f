import type { ElectronApplication } from '@playwright/test'
import { basename } from 'node:path'
import type { HostControls } from '../../../scripts/host/controls.ts'

/** The tray as the host has recorded it; Electron gives no way to read one back. */
export function trayOf(app: ElectronApplication) {
  const look = () =>
    app.evaluate((electron) => {
      const [tray, ...more] = (electron as never as { host: HostControls }).host.trays
      if (tray === undefined || more.length > 0) throw new Error('there is to be one tray')
      const items = tray.menu?.items ?? []
      return {
        image: tray.image.path,
        toolTip: tray.toolTip,
        items: items.map(({ type, label, enabled }) => ({ label: type === 'separator' ? '' : label, enabled })),
      }
    })
  return {
    picture: async () => basename((await look()).image, '.png'),
    toolTip: async () => (await look()).toolTip,
    /** All of it, in order: a line for each group; what can't be chosen is in brackets. */
    menu: async () => {
      const lines = (await look()).items.map(({ label, enabled }) => (label === '' || enabled ? label : `(${label})`))
      return lines.join(' | ').split(' |  | ')
    },
    /** What can't be chosen only tells. */
    told: async () => (await look()).items.filter(({ label, enabled }) => label && !enabled).map(({ label }) => label),
    click: () =>
      app.evaluate(async (electron) => {
        await new Promise(setImmediate) // {@link closeWindow}
        ;(electron as never as { host: HostControls }).host.trays[0]?.emit('click')
      }),
    choose: (label: string) =>
      app.evaluate(async (electron, wanted) => {
        await new Promise(setImmediate) // {@link closeWindow}
        const { host } = electron as never as { host: HostControls }
        const item = host.trays[0]?.menu?.items.find((each) => each.label === wanted)
        if (item === undefined) throw new Error(`the tray has no ${wanted}`)
        ;(item as { click: () => void }).click()
      }, label),
  }
}

/** How many icons the app has made: with a panel there it's one, a moment after the start. */
export const traysOf = (app: ElectronApplication): Promise<number> =>
  app.evaluate((electron) => (electron as never as { host: HostControls }).host.trays.length)

export const isWindowVisible = (app: ElectronApplication): Promise<boolean> =>
  app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().some((window) => window.isVisible() && !window.isMinimized()),
  )

/** The last one that was shown. */
export const clickNotification = (app: ElectronApplication): Promise<void> =>
  app.evaluate(async (electron) => {
    await new Promise(setImmediate) // {@link closeWindow}
    ;(electron as never as { host: HostControls }).host.notifications.at(-1)?.emit('click')
  })

/**
 * As its own cross does it. What is evaluated comes in by the inspector, in the middle of whatever main is at; what a person
 * does comes in a turn of its own.
 */
export const closeWindow = (app: ElectronApplication): Promise<void> =>
  app.evaluate(async ({ BrowserWindow }) => {
    await new Promise(setImmediate)
    for (const window of BrowserWindow.getAllWindows()) window.close()
  })
