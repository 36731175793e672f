import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inProject } from '../../../scripts/setup/project.mjs'

const page = readFileSync(inProject('docs', 'security.md'), 'utf8')

/** A file of tests in backquotes, and behind a colon the words, between commas, by which some of its titles are known. */
const named = [...page.matchAll(/`((?:e2e|unit|component|fuzz)\/[^`]+)`(?:: ([^;`|\n]+))?/g)].map(
  ([, file = '', words = '']) => ({ file, words: words.split(',').map((word) => word.trim()) }),
)

test('each test that the security page names is there, under the name that it gives', () => {
  expect(named.length).toBeGreaterThan(60)
  const missing = named.flatMap(({ file, words }) => {
    const path = inProject('test', file)
    if (!existsSync(path)) return [file]
    const titles = readFileSync(path, 'utf8').match(/'[^'\n]*'/g) ?? []
    const has = (word: string): boolean => titles.some((title) => plain(title).includes(plain(word)))
    return words.filter((word) => word !== '' && !has(word)).map((word) => `${file}: ${word}`)
  })
  expect(missing).toEqual([])
})

const plain = (text: string): string => text.toLowerCase().replaceAll('’', "'")

test('each claim has its test, or says why there is none', () => {
  const tables = page.split(/\n(?!\|)/).map((block) => block.split('\n').filter((line) => line.startsWith('|')))
  const lastOf = (row = ''): string => row.split('|').at(-2)?.trim() ?? ''
  const claims = tables.filter(([head]) => lastOf(head) === 'test').flatMap((rows) => rows.slice(2))
  expect(claims.length).toBeGreaterThan(60)
  expect(claims.filter((row) => !/\.(test|spec)\.ts`|^the same|^none: ./.test(lastOf(row)))).toEqual([])
})
