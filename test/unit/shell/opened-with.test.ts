import { EventEmitter } from 'node:events'
import { beforeEach, expect, test, vi } from 'vitest'
import { openedWith } from '../../../src/main/shell/opened-with.ts'

const electron = vi.hoisted(() => ({ app: null as unknown as EventEmitter }))
vi.mock('electron', () => electron)

const link = (domain: string): string => `siteward://website/${domain}`

/** Opens a link as macOS does. Returns true if the app has accepted the link. */
function openUrl(url: string): boolean {
  let taken = false
  electron.app.emit('open-url', { preventDefault: () => (taken = true) }, url)
  return taken
}

beforeEach(() => void (electron.app = new EventEmitter()))

test('follows early links of macOS in order once there is a listener, and later ones at once', () => {
  const opened = openedWith(['siteward'])
  expect([openUrl(link('a.example')), openUrl(link('b.example'))]).toEqual([true, true])
  const followed: string[] = []
  opened.onLink((url) => followed.push(url))
  expect(followed).toEqual([link('a.example'), link('b.example')])
  openUrl(link('c.example'))
  expect(followed).toEqual([link('a.example'), link('b.example'), link('c.example')])
})

test('follows the link of the command line before those of events', () => {
  const opened = openedWith(['siteward', link('a.example')])
  openUrl(link('b.example'))
  const followed: string[] = []
  opened.onLink((url) => followed.push(url))
  expect(followed).toEqual([link('a.example'), link('b.example')])
})

test.each([
  ['darwin', true, true],
  ['darwin', false, false],
  ['linux', true, false],
] as const)('on %s, opened at login: %s, hidden at start: %s', (platform, wasOpenedAtLogin, hidden) => {
  vi.spyOn(process, 'platform', 'get').mockReturnValue(platform)
  Object.assign(electron.app, { getLoginItemSettings: () => ({ wasOpenedAtLogin }) })
  expect(openedWith(['siteward']).hidden).toBe(hidden)
  vi.restoreAllMocks()
})
