import { expect, test } from 'vitest'
import { createGlobalShortcut } from '../../../src/main/shell/global-shortcut.ts'
import { shortcutSchema } from '../../../src/shared/shortcut.ts'

test('registers the latest keys alone, and keeps the former ones if another program has the new ones', () => {
  const held = new Set<string>()
  const shortcut = createGlobalShortcut(
    {
      register: (keys: string) => keys !== 'CommandOrControl+Alt+T' && Boolean(held.add(keys)),
      unregister: (keys: string) => void held.delete(keys),
    },
    () => undefined,
  )
  expect([shortcut(''), shortcut('Mod+Shift+K'), shortcut('Mod+Shift+K')]).toEqual([true, true, true])
  expect([...held]).toEqual(['CommandOrControl+Shift+K'])
  expect(shortcut('Mod+Alt+T')).toBe(false)
  expect([...held]).toEqual(['CommandOrControl+Shift+K'])
  expect(shortcut('Alt+Shift+F5')).toBe(true)
  expect([...held]).toEqual(['Alt+Shift+F5'])
  expect(shortcut('')).toBe(true)
  expect([...held]).toEqual([])
})

test.each([
  'Mod+C',
  'Shift+A',
  'K',
  'Alt+F4',
  'Mod+Shift+',
  'Shift+Mod+K',
  'Mod+Shift+ö',
  'Mod+Shift+F13',
  'Super+Alt+K',
])('does not accept %s as the shortcut', (keys) => expect(shortcutSchema.safeParse(keys).success).toBe(false))
