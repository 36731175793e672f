import { afterEach, expect, test, vi } from 'vitest'
import { baseLocale, overwriteGetLocale } from '../../../src/messages/index.ts'
import { ariaKeys, isPressed, keyCaps, keysText, pressedShortcut } from '../../../src/renderer/lib/keys.ts'

/** Pretends that the window runs on this computer. */
const on = (computer: string): unknown => vi.stubGlobal('navigator', { userAgent: `Mozilla/5.0 (${computer})` })
const MAC = 'Macintosh; Intel Mac OS X 10_15_7'
afterEach(() => {
  vi.unstubAllGlobals()
  overwriteGetLocale(() => baseLocale)
})

const OF_A_MAC = { k: '⌘K', n: '⌘⇧N', enter: ['⌘', '↩'], up: ['⌥', '↑'], del: '⌦⌫', aria: 'Meta+Shift+N' }
const OF_OTHERS = {
  k: 'Ctrl+K',
  n: 'Ctrl+Shift+N',
  enter: ['Ctrl', 'Enter'],
  up: ['Alt', '↑'],
  del: 'Del+Backspace',
  aria: 'Control+Shift+N',
}

test.each([
  [MAC, OF_A_MAC],
  ['X11; Linux x86_64', OF_OTHERS],
  ['Windows NT 10.0; Win64; x64', OF_OTHERS],
])('names keys as they are written on the keyboard: %s', (computer, written) => {
  on(computer)
  expect({
    k: keysText('Mod+K'),
    n: keysText('Mod+Shift+N'),
    enter: keyCaps('Mod+Enter'),
    up: keyCaps('Alt+ArrowUp'),
    del: keysText('Delete+Backspace'),
    aria: ariaKeys('Mod+Shift+N'),
  }).toEqual(written)
})

test('shows the names of keyboard keys in the language of the app', () => {
  on('X11; Linux x86_64')
  overwriteGetLocale(() => 'de')
  expect(keyCaps('Mod+Backspace')).toEqual(['Strg', 'Rücktaste'])
})

test('takes Command for the modifier on a Mac, and Control elsewhere', () => {
  const up: Partial<KeyboardEvent> = { key: 'k', metaKey: false, ctrlKey: false, altKey: false, shiftKey: false }
  const down = (held: 'metaKey' | 'ctrlKey') => ({ ...up, [held]: true }) as KeyboardEvent
  on(MAC)
  expect([isPressed('Mod+K', down('metaKey')), isPressed('Mod+K', down('ctrlKey'))]).toEqual([true, false])
  on('X11; Linux x86_64')
  expect([isPressed('Mod+K', down('metaKey')), isPressed('Mod+K', down('ctrlKey'))]).toEqual([false, true])
})

test('records a key only with two modifiers or more, and not as the character that Shift and Alt make of it', () => {
  const none = { key: '', code: '', metaKey: false, ctrlKey: false, altKey: false, shiftKey: false }
  const pressed = (keys: Partial<KeyboardEvent>) => pressedShortcut({ ...none, ...keys } as KeyboardEvent)
  on('X11; Linux x86_64')
  expect(pressed({ key: 'Control', ctrlKey: true })).toBeUndefined()
  expect(pressed({ key: 'k', code: 'KeyK', ctrlKey: true })).toBeNull()
  expect(pressed({ key: 'k', code: 'KeyK', metaKey: true, shiftKey: true })).toBeNull()
  expect(pressed({ key: 'K', code: 'KeyK', ctrlKey: true, shiftKey: true })).toBe('Mod+Shift+K')
  expect(pressed({ key: 'Z', code: 'KeyY', ctrlKey: true, shiftKey: true })).toBe('Mod+Shift+Z')
  expect(pressed({ key: '!', code: 'Digit1', altKey: true, shiftKey: true })).toBe('Alt+Shift+1')
  expect(pressed({ key: ' ', code: 'Space', ctrlKey: true, altKey: true })).toBe('Mod+Alt+Space')
  on(MAC)
  expect(pressed({ key: '˚', code: 'KeyK', metaKey: true, altKey: true })).toBe('Mod+Alt+K')
  expect(pressed({ key: 'K', code: 'KeyK', ctrlKey: true, shiftKey: true })).toBeNull()
})
