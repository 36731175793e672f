import { existsSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { inProject } from '../../../scripts/setup/project.mjs'

const page = readFileSync(inProject('docs', 'security.md'), 'utf8')

/** The links to tests in the page: the file, and a part of a test's title. */
const named = [...page.matchAll(/\[([^\]]+)\]\(\.\.\/test\/([^)]+)\)/g)].map(([, title = '', file = '']) => ({
  title,
  file,
}))

test('each link of the security page leads to a test with that title', () => {
  expect(named.length).toBeGreaterThan(60)
  const missing = named.flatMap(({ title, file }) => {
    const path = inProject('test', file)
    const titles = existsSync(path) ? titlesOf(readFileSync(path, 'utf8')) : []
    return titles.some((each) => comparable(each).includes(comparable(title))) ? [] : [`${file}: ${title}`]
  })
  expect(missing).toEqual([])
})

/** Returns the titles of all tests and groups in the code, and the texts in the tables of tests. */
function titlesOf(code: string): string[] {
  const titles: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(test|ownTest|describe|with\w+)\b/.test(node.expression.getText())) {
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

test('finds the titles of tests, and no other text in their file', () => {
  const code = `const a = 'a text'; test.each([['a row']])('for %s', () => b('its body')); describe('a group', () => test('one', () => {}))`
  expect(titlesOf(code)).toEqual(["'for %s'", 'a row', "'a group'", "'one'"])
})

/** Ignores case and the kind of apostrophe when a link is compared with a title. */
const comparable = (text: string): string => text.toLowerCase().replaceAll('’', "'")

test('each claim of the security page links a test', () => {
  const tables = page.split(/\n(?!\|)/).map((block) => block.split('\n').filter((line) => line.startsWith('|')))
  const claims = tables.filter(([head = '']) => /\| Test +\|$/.test(head)).flatMap((rows) => rows.slice(2))
  expect(claims.length).toBeGreaterThan(60)
  expect(claims.filter((row) => !row.split('|').at(-2)?.includes('](../test/'))).toEqual([])
})
