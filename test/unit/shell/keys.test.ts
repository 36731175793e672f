import { afterEach, expect, test, vi } from 'vitest'
import { ariaKeys, isPressed, keyCaps, keyName } from '../../../src/renderer/lib/keys.ts'

const on = (computer: string): unknown => vi.stubGlobal('navigator', { userAgent: `Mozilla/5.0 (${computer})` })
const MAC = 'Macintosh; Intel Mac OS X 10_15_7'
afterEach(() => vi.unstubAllGlobals())

const OF_A_MAC = { k: '⌘K', n: '⌘⇧N', enter: ['⌘', '↩'], up: ['⌥', '↑'], del: '⌦', aria: 'Meta+Shift+N' }
const OF_OTHERS = {
  k: 'Ctrl+K',
  n: 'Ctrl+Shift+N',
  enter: ['Ctrl', 'Enter'],
  up: ['Alt', '↑'],
  del: 'Del',
  aria: 'Control+Shift+N',
}

test.each([
  [MAC, OF_A_MAC],
  ['X11; Linux x86_64', OF_OTHERS],
  ['Windows NT 10.0; Win64; x64', OF_OTHERS],
])('names keys as they are written on the keyboard: %s', (computer, written) => {
  on(computer)
  expect({
    k: keyName('Mod+K'),
    n: keyName('Mod+Shift+N'),
    enter: keyCaps('Mod+Enter'),
    up: keyCaps('Alt+ArrowUp'),
    del: keyName('Delete'),
    aria: ariaKeys('Mod+Shift+N'),
  }).toEqual(written)
})

test('names the modifier Command on a Mac and Control elsewhere', () => {
  const up: Partial<KeyboardEvent> = { key: 'k', metaKey: false, ctrlKey: false, altKey: false, shiftKey: false }
  const down = (held: 'metaKey' | 'ctrlKey') => ({ ...up, [held]: true }) as KeyboardEvent
  on(MAC)
  expect([isPressed('Mod+K', down('metaKey')), isPressed('Mod+K', down('ctrlKey'))]).toEqual([true, false])
  on('X11; Linux x86_64')
  expect([isPressed('Mod+K', down('metaKey')), isPressed('Mod+K', down('ctrlKey'))]).toEqual([false, true])
})
