import { afterEach, expect, test, vi } from 'vitest'
import { errorText } from '../../../src/messages/errors.ts'
import { fail } from '../../../src/shared/result.ts'
import { checkText, setUpPartNames } from '../../../src/renderer/features/shared/check-text.ts'
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

test.each([
  ['X11; Linux x86_64', 'taskbar', true],
  ['Windows NT 10.0; Win64; x64', 'taskbar', false],
  ['Macintosh; Intel Mac OS X 10_15_7', 'Dock', false],
])(
  'only on Linux, the hint at “Minimize the window when you close it” names desktops without tray icons (%s)',
  (computer, place, isNamed) => {
    vi.stubGlobal('navigator', { userAgent: `Mozilla/5.0 (${computer})` })
    const hint = advancedSwitches
      .flatMap(({ switches }) => switches)
      .find(({ setting }) => setting === 'keepWindow')
      ?.hint()
    expect(hint?.startsWith(`The window stays in the ${place} instead of being hidden.`)).toBe(true)
    expect(hint?.includes('doesn’t show tray icons')).toBe(isNamed)
  },
)

test.each([
  ['X11; Linux x86_64', true],
  ['Windows NT 10.0; Win64; x64', false],
  ['Macintosh; Intel Mac OS X 10_15_7', false],
])('only on Linux, the check of the keychain names one to install (%s)', (computer, isNamed) => {
  vi.stubGlobal('navigator', { userAgent: `Mozilla/5.0 (${computer})` })
  const check = { part: 'keychain', found: 'bad', code: 'keychain-missing' } as const
  const text = checkText(check, { keychain: 'missing', hasAccount: false, hidesTray: false })
  expect(text).toMatch(/^Couldn’t access the keychain\./)
  expect(text.includes('gnome-keyring')).toBe(isNamed)
})

test.each([
  ['Windows NT 10.0; Win64; x64', 'Change this in Windows Settings > Apps > Startup.'],
  ['Macintosh; Intel Mac OS X 10_15_7', 'Change this in System Settings > General > Login Items & Extensions.'],
])('if the system refuses the start at sign-in, names only the place in its own settings (%s)', (computer, advice) => {
  vi.stubGlobal('navigator', { userAgent: `Mozilla/5.0 (${computer})` })
  expect(errorText(fail('autostart-refused').error).advice).toBe(advice)
})
