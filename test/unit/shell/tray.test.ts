import type { MenuItemConstructorOptions } from 'electron'
import { beforeEach, expect, test, vi } from 'vitest'
import { createTray, type TrayActions } from '../../../src/main/shell/tray.ts'
import { trayQuirks } from '../../../src/main/shell/tray-quirks.ts'
import { trayView } from '../../../src/main/shell/tray-view.ts'
import type { AppState } from '../../../src/shared/state.ts'
import { anAppState } from '../../component/support/fixtures.ts'
import { fakeClock } from '../outbox/clock.ts'

const { titles, menus, FakeTray } = vi.hoisted(() => {
  const titles: string[] = []
  const menus: MenuItemConstructorOptions[][] = []
  class FakeTray {
    setTitle = (title: string) => void titles.push(title)
    setToolTip() {}
    setImage() {}
    setContextMenu() {}
    on() {}
    destroy() {}
  }
  return { titles, menus, FakeTray }
})
vi.mock('electron', () => ({
  Tray: FakeTray,
  Menu: { buildFromTemplate: (items: MenuItemConstructorOptions[]) => void menus.push(items) },
}))

beforeEach(() => void titles.splice(0))

/** Shows these states in the tray, one after another. Returns the titles that were set. */
function titlesOn(platform: NodeJS.Platform, [first = {}, ...later]: Partial<AppState>[]): string[] {
  const view = (change: Partial<AppState>) => trayView(anAppState(change), new Map(), false)
  const tray = createTray({
    resources: '',
    quirks: trayQuirks(platform),
    first: view(first),
    actions: {} as TrayActions,
    clock: fakeClock(),
  })
  for (const change of later) tray.render(view(change))
  tray.remove()
  return titles
}

test('the menu bar of macOS shows the number of changes that need attention, and no title without any', () => {
  expect(titlesOn('darwin', [{}, { waiting: 3 }, { parked: 2, waiting: 3 }, { parked: 1 }, {}])).toEqual([
    '',
    '2',
    '1',
    '',
  ])
})

test('the menu bar of macOS shows the number of changes that need attention from the start of the app', () => {
  expect(titlesOn('darwin', [{ parked: 4 }])).toEqual(['4'])
})

test.each(['linux', 'win32'] as const)('no title is set on %s', (platform) => {
  expect(titlesOn(platform, [{ parked: 1 }, {}])).toEqual([])
})

test('“Send now” in the sub-menu of an account sends its changes only', () => {
  const sent: (string | undefined)[] = []
  const others = [{ name: 'Garden', waiting: 2 }]
  createTray({
    resources: '',
    quirks: trayQuirks('linux'),
    first: trayView(anAppState({ waiting: 1, others }), new Map(), false),
    actions: { sendNow: (account) => void sent.push(account) } as TrayActions,
    clock: fakeClock(),
  })
  const items = menus.at(-1) ?? []
  const subMenu = items.find(({ label }) => label?.startsWith('Garden'))?.submenu as MenuItemConstructorOptions[]
  for (const menu of [subMenu, items]) {
    const item = menu.find(({ label }) => label === 'Send now')
    item?.click?.({} as never, undefined, {} as never)
  }
  expect(sent).toEqual(['other-0', undefined])
})
