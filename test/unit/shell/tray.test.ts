import { beforeEach, expect, test, vi } from 'vitest'
import { createTray, type TrayActions } from '../../../src/main/shell/tray.ts'
import { trayQuirks } from '../../../src/main/shell/tray-quirks.ts'
import { trayView } from '../../../src/main/shell/tray-view.ts'
import type { AppState } from '../../../src/shared/state.ts'
import { anAppState } from '../../component/support/fixtures.ts'
import { fakeClock } from '../outbox/clock.ts'

const { titles, FakeTray } = vi.hoisted(() => {
  const titles: string[] = []
  class FakeTray {
    setTitle = (title: string) => void titles.push(title)
    setToolTip() {}
    setImage() {}
    setContextMenu() {}
    on() {}
    destroy() {}
  }
  return { titles, FakeTray }
})
vi.mock('electron', () => ({ Tray: FakeTray, Menu: { buildFromTemplate: () => ({}) } }))

beforeEach(() => void titles.splice(0))

/** Shows states in the tray of a system, one after the other. Returns the titles that were set. */
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

test('it shows the number from the start', () => {
  expect(titlesOn('darwin', [{ parked: 4 }])).toEqual(['4'])
})

test.each(['linux', 'win32'] as const)('no title is set on %s', (platform) => {
  expect(titlesOn(platform, [{ parked: 1 }, {}])).toEqual([])
})
