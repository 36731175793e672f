import { afterEach, expect, test, vi } from 'vitest'
import { setUpPartNames } from '../../../src/renderer/features/shared/check-text.ts'
import { advancedSwitches } from '../../../src/renderer/features/shared/switches.ts'

afterEach(() => void vi.unstubAllGlobals())

test.each([
  ['X11; Linux x86_64', 'Tray', 'Hide the tray icon'],
  ['Macintosh; Intel Mac OS X 10_15_7', 'Menu bar', 'Hide the menu bar icon'],
])('names the place of the icon as the system does (%s)', (computer, part, label) => {
  vi.stubGlobal('navigator', { userAgent: `Mozilla/5.0 (${computer})` })
  expect(setUpPartNames.tray()).toBe(part)
  expect(advancedSwitches.flatMap(({ switches }) => switches.map((each) => each.label()))).toContain(label)
})
