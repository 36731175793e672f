import { afterEach, describe, expect, test, vi } from 'vitest'
import { ariaKeys, isPressed, keyCaps, keyName } from '../../../src/words/keys.ts'

const on = (computer: string): unknown => vi.stubGlobal('navigator', { userAgent: `Mozilla/5.0 (${computer})` })
const MAC = 'Macintosh; Intel Mac OS X 10_15_7'
afterEach(() => vi.unstubAllGlobals())

describe('keys are named as they’re written on the keyboard', () => {
  test('of a Mac', () => {
    on(MAC)
    expect(keyName('Mod+K')).toBe('⌘K')
    expect(keyName('Mod+Shift+N')).toBe('⌘⇧N')
    expect(keyCaps('Mod+Enter')).toEqual(['⌘', '↩'])
    expect(keyCaps('Alt+ArrowUp')).toEqual(['⌥', '↑'])
    expect(keyName('Delete')).toBe('⌦')
    expect(ariaKeys('Mod+Shift+N')).toBe('Meta+Shift+N')
  })

  test.each(['X11; Linux x86_64', 'Windows NT 10.0; Win64; x64'])('of another computer: %s', (computer) => {
    on(computer)
    expect(keyName('Mod+K')).toBe('Ctrl+K')
    expect(keyName('Mod+Shift+N')).toBe('Ctrl+Shift+N')
    expect(keyCaps('Mod+Enter')).toEqual(['Ctrl', 'Enter'])
    expect(keyCaps('Alt+ArrowUp')).toEqual(['Alt', '↑'])
    expect(keyName('Delete')).toBe('Del')
    expect(ariaKeys('Mod+Shift+N')).toBe('Control+Shift+N')
  })
})

test('the key that is held is Command on a Mac, and Control elsewhere', () => {
  const up: Partial<KeyboardEvent> = { key: 'k', metaKey: false, ctrlKey: false, altKey: false, shiftKey: false }
  const down = (held: 'metaKey' | 'ctrlKey') => ({ ...up, [held]: true }) as KeyboardEvent
  on(MAC)
  expect([isPressed('Mod+K', down('metaKey')), isPressed('Mod+K', down('ctrlKey'))]).toEqual([true, false])
  on('X11; Linux x86_64')
  expect([isPressed('Mod+K', down('metaKey')), isPressed('Mod+K', down('ctrlKey'))]).toEqual([false, true])
})
