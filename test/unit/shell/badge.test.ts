import { expect, test } from 'vitest'
import { attentionCount, createBadge } from '../../../src/main/shell/badge.ts'
import { trayView } from '../../../src/main/shell/tray-view.ts'
import { anAppState } from '../../component/support/fixtures.ts'

/** Creates the badge. `shown` lists what it has set: a number on the icon, or on Windows the text of the mark in the taskbar. */
function start(platform: NodeJS.Platform) {
  const shown: (number | string | null)[] = []
  const app = { setBadgeCount: (count?: number) => shown.push(count ?? 0) > 0 }
  return { shown, badge: createBadge({ platform, app, setOverlay: (text) => void shown.push(text) }) }
}

test.for(['darwin', 'linux'] as const)('on %s, sets the number on the icon only when it changes', (platform) => {
  const { shown, badge } = start(platform)
  for (const count of [0, 2, 2, 1, 0, 0]) badge(count)
  expect(shown).toEqual([2, 1, 0])
})

test('marks the button in the taskbar of Windows, with a text for screen readers', () => {
  const { shown, badge } = start('win32')
  for (const count of [0, 2, 1, 0]) badge(count)
  expect(shown).toEqual(['2 changes need attention', '1 change needs attention', null])
})

test('counts the changes of all accounts that need attention, not those that are pending', () => {
  const state = anAppState({ waiting: 5, parked: 2 })
  const [account] = state.accounts
  if (account === undefined) throw new Error('no account')
  const two = { ...state, accounts: [account, { ...account, id: 'other', parked: 3 }] }
  expect([attentionCount(state), attentionCount(two)]).toEqual([2, 5])
  expect(trayView(two, new Map(), true).count).toBe(5)
})
