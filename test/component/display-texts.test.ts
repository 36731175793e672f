import { expect, test } from 'vitest'
import { diffLines, foldLines } from '../../src/renderer/lib/line-diff.ts'
import { Toasts } from '../../src/renderer/app/toasts.svelte.ts'
import { formatDuration, setFormatLocale } from '../../src/shared/display/format.ts'

test.each([
  [0, '1\u00a0sec'],
  [2.4, '3\u00a0sec'],
  [59, '59\u00a0sec'],
  [61, '1\u00a0min'],
  [719, '12\u00a0min'],
  [3600, '1\u00a0hr'],
  [4300, '1\u00a0hr, 10\u00a0min'],
  [86_400, '24\u00a0hr'],
])('formats %d seconds as %s, which breaks only between units', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text)
})

test('writes a duration without spaces in Japanese', () => {
  setFormatLocale(() => 'ja')
  expect(formatDuration(4300)).toBe('1時間10分')
  setFormatLocale(() => 'en')
})

test('shows the removed and added lines of a list, and no change for another order', () => {
  expect(diffLines(['a', 'b', 'c'], ['c', 'd', 'a'])).toEqual([
    { text: 'a', mark: 'same' },
    { text: 'b', mark: 'removed' },
    { text: 'c', mark: 'same' },
    { text: 'd', mark: 'added' },
  ])
})

test('folds equal lines, and shows differing ones up to a limit', () => {
  const numbered = (n: number, from = 0) => Array.from({ length: n }, (_, i) => `line ${String(from + i)}`)
  const folded = foldLines(diffLines(numbered(10), [...numbered(10), ...numbered(100, 10)]))
  expect(folded.filter((line) => 'text' in line)).toHaveLength(3 + 40)
  expect(folded.filter((line) => 'folded' in line)).toEqual([
    { folded: 7, mark: 'same' },
    { folded: 60, mark: 'added' },
  ])
})

test('replaces a toast without an action by the next one, and keeps one that can undo something', () => {
  const toasts = new Toasts(() => 0)
  const undo = { label: 'Undo', run: () => Promise.resolve(), edit: 'e1' }
  toasts.show('a.example will be deleted.', undo)
  toasts.show('What you chose for b.example will be sent.')
  toasts.show('What you chose for c.example will be sent.')
  expect(toasts.list.map(({ text }) => text)).toEqual([
    'a.example will be deleted.',
    'What you chose for c.example will be sent.',
  ])
})
