import { globSync, readFileSync } from 'node:fs'
import { parse } from 'svelte/compiler'
import { expect, test } from 'vitest'

interface Node {
  type?: string
  [key: string]: unknown
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])
/** Array methods that call their callback at once. */
const EAGER = new Set(['map', 'flatMap', 'filter', 'forEach', 'reduce', 'sort', 'toSorted'])
const isNamed = (node: unknown, name: string): boolean => (node as Node | null)?.['name'] === name
/** True for `$derived(…)`, which runs again when the language changes. */
const isDerived = ({ type, callee }: Node): boolean => type === 'CallExpression' && isNamed(callee, '$derived')
const isConstructor = ({ type, kind }: Node): boolean => type === 'MethodDefinition' && kind === 'constructor'

/** Modules with functions that return texts for the user. */
const TEXT_MODULES = /(?:messages\/(?:errors|headings)|display\/(?:format|fields|states|domain)|-text)\.ts$/

const importedTexts = (statements: Node[]): string[] =>
  statements
    .filter(({ type, source }) => type === 'ImportDeclaration' && TEXT_MODULES.test(String((source as Node)['value'])))
    .flatMap(({ specifiers }) => (specifiers as { local: { name: string } }[]).map(({ local }) => local.name))
    .filter((name) => name !== 'setFormatLocale')

/** Returns the messages that a script calls only when it is loaded or constructs an object. Their language never changes. */
function calledOnce(script: string): string[] {
  const { instance, module } = parse(script, { modern: true })
  const statements = [instance, module].flatMap((part) => (part?.content.body ?? []) as unknown as Node[])
  const texts = importedTexts(statements)
  const found: string[] = []
  const look = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(look)
    if (typeof node !== 'object' || node === null) return
    const { type = '', callee, ...rest } = node as Node
    if (FUNCTIONS.has(type) || isDerived(node as Node)) return
    if (isConstructor(node as Node)) return look((rest['value'] as Node)['body'])
    const { type: kind, object, property } = (callee ?? {}) as Node
    if (type === 'CallExpression' && kind === 'MemberExpression' && isNamed(object, 'm'))
      found.push(String((property as Node)['name']))
    const text = texts.find((name) => type === 'CallExpression' && isNamed(callee, name))
    if (text !== undefined) found.push(text)
    if (EAGER.has(String((property as Node | undefined)?.['name'])))
      look((rest['arguments'] as Node[]).map((argument) => argument['body'] ?? argument))
    look([callee, ...Object.values(rest)])
  }
  look(statements)
  return found
}

const asComponent = (source: string): string => `<script lang="ts">${source}</script>`

test.each([
  'const label = m.a()',
  'const labels = { one: { label: m.a() } }',
  'class A { label = m.a() }',
  'class A { label = $state(m.a()) }',
  'const labels = [1, 2].map((n) => ({ n, label: m.a() }))',
  'class A { constructor() { this.label = m.a() } }',
  "import { a } from './error-text.ts'; let { text = a() } = $props()",
])('reports a message that is called only once: %s', (source) => {
  expect(calledOnce(asComponent(source))).toEqual(['a'])
})

test.each([
  'const labels = { one: m.a }',
  'const label = () => m.a()',
  'const label = $derived(m.a())',
  'class A { get label() { return m.a() } }',
  'class A { label = $derived(m.a()) }',
])('does not report a message that is called whenever it is drawn: %s', (source) => {
  expect(calledOnce(asComponent(source))).toEqual([])
})

test('every message is called whenever it is drawn, not once when its file is loaded or an object is constructed', () => {
  const modules = globSync('src/{main,messages,preload,renderer,shared}/**/*.ts').map(
    (path) => [path, asComponent(readFileSync(path, 'utf8'))] as const,
  )
  const components = globSync('src/**/*.svelte').map((path) => [path, readFileSync(path, 'utf8')] as const)
  const found = [...modules, ...components].flatMap(([path, source]) =>
    calledOnce(source).map((message) => `${path}: ${message}`),
  )
  expect(found).toEqual([])
})
