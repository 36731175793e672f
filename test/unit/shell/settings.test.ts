import { beforeEach, expect, test } from 'vitest'
import { createSettings } from '../../../src/main/shell/settings.ts'
import { fail, ok, type Result } from '../../../src/shared/result.ts'
import { defaultSettings, type Settings } from '../../../src/shared/state.ts'

let kept: Settings
let isOn: boolean
let told: Settings[]
let saving: Result<void>
/** Number of saves that succeed. */
let savings: Result<void>[]
let switching: Result<void>
beforeEach(() => {
  kept = defaultSettings
  isOn = false
  told = []
  savings = []
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
  onChange: (now) => told.push(now),
})

test('saves, applies and reports a change', () => {
  expect(settings.change({ startWithSession: true, theme: 'dark' })).toMatchObject({ ok: true })
  expect(settings.now()).toMatchObject({ startWithSession: true, theme: 'dark' })
  expect(isOn).toBe(true)
  expect(told).toMatchObject([{ startWithSession: true, theme: 'dark' }])
})

test('changes nothing if the disk refuses the setting', () => {
  saving = fail('disk-full')
  expect(settings.change({ startWithSession: true })).toMatchObject({ ok: false, error: { code: 'disk-full' } })
  expect(isOn).toBe(false)
  expect(told).toEqual([])
})

test('saves nothing of a change if the system refuses autostart', () => {
  switching = fail('autostart-refused')
  const refused = settings.change({ startWithSession: true, theme: 'dark' })
  expect(refused).toMatchObject({ ok: false, error: { code: 'autostart-refused' } })
  expect(settings.now()).toEqual(defaultSettings)
  expect(told).toEqual([])
})

test('applies what is on disk if the old settings can’t be restored', () => {
  switching = fail('autostart-refused')
  savings = [ok(undefined), fail('disk-full')]
  expect(settings.change({ startWithSession: true, theme: 'dark' }).ok).toBe(false)
  expect(told).toEqual([settings.now()])
  expect(settings.now()).toEqual({ ...defaultSettings, theme: 'dark' })
})
