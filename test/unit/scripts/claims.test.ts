import { existsSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { inProject } from '../../../scripts/setup/project.mjs'

const page = readFileSync(inProject('docs', 'security.md'), 'utf8')

/** A file of tests in backquotes, and behind a colon the words, between commas, by which some of its titles are known. */
const named = [...page.matchAll(/`((?:e2e|unit|component|fuzz)\/[^`]+)`(?:: ([^;`|\n]+))?/g)].map(
  ([, file = '', words = '']) => ({ file, words: words.split(',').map((word) => word.trim()) }),
)

test('each test that the security page names is there, under the title that it gives', () => {
  expect(named.length).toBeGreaterThan(60)
  const missing = named.flatMap(({ file, words }) => {
    const path = inProject('test', file)
    const titles = existsSync(path) ? titlesOf(readFileSync(path, 'utf8')) : []
    if (titles.length === 0) return [file]
    const has = (word: string): boolean => titles.some((title) => plain(title).includes(plain(word)))
    return words.filter((word) => word !== '' && !has(word)).map((word) => `${file}: ${word}`)
  })
  expect(missing).toEqual([])
})

/** The titles of all calls of `test`, `describe` and extended tests (`withLinks`), and the texts of their tables. */
function titlesOf(code: string): string[] {
  const titles: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(test|describe|with\w+)\b/.test(node.expression.getText())) {
      const [first] = node.arguments
      const isTitle = first !== undefined && (ts.isStringLiteralLike(first) || ts.isTemplateExpression(first))
      if (isTitle) titles.push(first.getText())
      if (isTitle && /%|\$/.test(first.getText())) titles.push(...textsIn(node.expression))
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('test.ts', code, ts.ScriptTarget.Latest, true))
  return titles
}

function textsIn(node: ts.Node): string[] {
  const texts: string[] = []
  ts.forEachChild(node, (child) => void texts.push(...textsIn(child)))
  return ts.isStringLiteralLike(node) ? [node.text] : texts
}

test('a title is what a test is called, and no other text in its file', () => {
  const code = `const a = 'a text'; test.each([['a row']])('for %s', () => b('its body')); describe('a group', () => test('one', () => {}))`
  expect(titlesOf(code)).toEqual(["'for %s'", 'a row', "'a group'", "'one'"])
})

const plain = (text: string): string => text.toLowerCase().replaceAll('’', "'")

test('each claim has its test, or says why there is none', () => {
  const tables = page.split(/\n(?!\|)/).map((block) => block.split('\n').filter((line) => line.startsWith('|')))
  const lastOf = (row = ''): string => row.split('|').at(-2)?.trim() ?? ''
  const claims = tables.filter(([head]) => lastOf(head) === 'test').flatMap((rows) => rows.slice(2))
  expect(claims.length).toBeGreaterThan(60)
  expect(claims.filter((row) => !/\.(test|spec)\.ts`|^the same|^none: ./.test(lastOf(row)))).toEqual([])
})
