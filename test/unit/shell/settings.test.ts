import { beforeEach, expect, test } from 'vitest'
import { createSettings } from '../../../src/main/shell/settings.ts'
import { fail, ok, type Result } from '../../../src/shared/result.ts'
import { defaultSettings, type Settings } from '../../../src/shared/state.ts'

let kept: Settings
let isOn: boolean
let published: Settings[]
/** The result of saving once {@link savings} is empty. */
let saving: Result<void>
/** The results of the next saves, in order. */
let savings: Result<void>[]
/** The result of switching autostart on or off. */
let switching: Result<void>
/** The shortcut that the app has registered, and the one that another program has. */
let [registered, taken] = ['', '']
beforeEach(() => {
  kept = defaultSettings
  isOn = false
  published = []
  savings = []
  registered = taken = ''
  saving = switching = ok(undefined)
})

const settings = createSettings({
  store: {
    settings: () => kept,
    saveSettings(next) {
      const saved = savings.shift() ?? saving
      if (saved.ok) kept = next
      return saved
    },
  },
  autostart: {
    isOn: () => isOn,
    set(on) {
      if (switching.ok) isOn = on
      return switching
    },
  },
  shortcut(keys) {
    if (keys !== '' && keys === taken) return false
    registered = keys
    return true
  },
  onChange: (now) => published.push(now),
})

test('saves, applies and reports a change', () => {
  expect(settings.change({ startWithSession: true, theme: 'dark' })).toMatchObject({ ok: true })
  expect(settings.now()).toMatchObject({ startWithSession: true, theme: 'dark' })
  expect(isOn).toBe(true)
  expect(published).toMatchObject([{ startWithSession: true, theme: 'dark' }])
})

test('changes nothing if the disk refuses the setting', () => {
  saving = fail('disk-full')
  expect(settings.change({ startWithSession: true })).toMatchObject({ ok: false, error: { code: 'disk-full' } })
  expect(isOn).toBe(false)
  expect(published).toEqual([])
})

test('saves nothing of a change if the system refuses autostart', () => {
  switching = fail('autostart-refused')
  const refused = settings.change({ startWithSession: true, theme: 'dark' })
  expect(refused).toMatchObject({ ok: false, error: { code: 'autostart-refused' } })
  expect(settings.now()).toEqual(defaultSettings)
  expect(published).toEqual([])
})

test('if autostart is refused and the old settings can’t be saved again, applies the new settings that are on disk', () => {
  switching = fail('autostart-refused')
  savings = [ok(undefined), fail('disk-full')]
  expect(settings.change({ startWithSession: true, theme: 'dark' }).ok).toBe(false)
  expect(published).toEqual([settings.now()])
  expect(settings.now()).toEqual({ ...defaultSettings, theme: 'dark' })
})

test('refuses a change whose shortcut another program has', () => {
  expect(settings.change({ searchShortcut: 'Mod+Shift+K' }).ok).toBe(true)
  taken = 'Mod+Alt+F1'
  const refused = settings.change({ searchShortcut: taken, theme: 'dark' })
  expect(refused).toMatchObject({ ok: false, error: { code: 'shortcut-taken' } })
  expect([settings.now().searchShortcut, settings.now().theme, registered]).toEqual([
    'Mod+Shift+K',
    'system',
    'Mod+Shift+K',
  ])
})

test('saves other settings even if another program has taken the current shortcut', () => {
  expect(settings.change({ searchShortcut: 'Mod+Shift+K' }).ok).toBe(true)
  taken = 'Mod+Shift+K'
  expect(settings.change({ theme: 'dark' }).ok).toBe(true)
})

test('registers the former shortcut again if the disk refuses the new one', () => {
  expect(settings.change({ searchShortcut: 'Mod+Shift+K' }).ok).toBe(true)
  saving = fail('disk-full')
  expect(settings.change({ searchShortcut: '' }).ok).toBe(false)
  expect(registered).toBe('Mod+Shift+K')
})
