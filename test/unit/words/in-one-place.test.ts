import { globSync, readFileSync } from 'node:fs'
import { parse } from 'svelte/compiler'
import { expect, test } from 'vitest'

/** Attributes that are read out or shown; those of our own components that hold a text are called otherwise, and begin with a capital. */
const SPOKEN = /^(?:aria-(?:label|description|placeholder|roledescription|valuetext)|title|placeholder|alt|label)$/
/** Never a text. */
const SILENT = /^(?:class|id|style|role|type|href|rel|data-.*|aria-(?:controls|keyshortcuts|labelledby|describedby))$/
/** Names that others have given: of keys, and of what a drag carries. */
const NAMES = new Set(['Enter', 'Escape', 'Home', 'End', 'Tab', 'Delete', 'Files', 'Macintosh'])

/** Keys and combinations, written as in `aria-keyshortcuts`. */
const KEYS = /^(?:Mod|Alt|Shift|Control|Meta|Plus|Arrow\w+|Page\w+)(?:\+\S+)?$/

const hasLetter = (text: string): boolean => /\p{L}/u.test(text)
/** As a sentence or a name on the screen begins, or as a sentence ends. */
const isText = (text: string): boolean =>
  (/^\p{Lu}\p{Ll}/u.test(text) && !NAMES.has(text) && !KEYS.test(text)) || /\p{L} .*[.?!…]$/u.test(text)
/** A word among the spaces of a template, beside what is put in; no part of a selector. */
const hasWord = (text: string): boolean =>
  !/[[\]]/.test(text) && (isText(text.trim()) || /\s\p{L}+(?:\s|$)|(?:^|\s)\p{L}+\s/u.test(text))

interface Node {
  type?: string
  name?: unknown
  value?: unknown
  data?: unknown
  [key: string]: unknown
}

/** Where something stands: on the page, in an attribute that is read out or shown, in another one, in code. */
type Place = 'page' | 'spoken' | 'attribute' | 'code'

/** The texts of a component that stand in itself. */
function textsIn(source: string): string[] {
  const found: string[] = []
  const isFound = (text: string, place: Place): boolean =>
    place === 'page' || place === 'spoken' ? hasLetter(text) : isText(text)

  const look = (node: unknown, place: Place): void => {
    if (Array.isArray(node)) return node.forEach((each) => look(each, place))
    if (typeof node !== 'object' || node === null) return
    const { type = '', name, value, data, ...rest } = node as Node
    if (type === 'ImportDeclaration' || type === 'Comment' || type === 'StyleDirective' || type.startsWith('TS'))
      // `'On' as const` is a text, its type isn't.
      return look(rest['expression'], place)
    if (type === 'Attribute') {
      if (SILENT.test(String(name))) return
      return look(value, SPOKEN.test(String(name)) ? 'spoken' : 'attribute')
    }
    if (type === 'Text') {
      if (isFound(String(data), place)) found.push(String(data).trim())
    } else if (type === 'Literal') {
      if (typeof value === 'string' && isFound(value, 'code')) found.push(value)
    } else if (type === 'TemplateElement') {
      const { cooked } = value as { cooked: string }
      if (place === 'spoken' ? hasLetter(cooked) : hasWord(cooked)) found.push(cooked)
    } else {
      // What stands in a tag or a block stands on the page again, whatever that is in.
      const inside = type === 'Fragment' ? 'page' : place
      for (const [key, child] of Object.entries({ ...rest, value, data })) if (!BESIDE.has(key)) look(child, inside)
    }
  }
  const { fragment, instance, module } = parse(source, { modern: true })
  look(fragment, 'page')
  look([instance?.content, module?.content], 'code')
  return found
}

const BESIDE = new Set(['css', 'comments', 'leadingComments', 'trailingComments', 'metadata', 'loc'])

test.each([
  ['<p>Saved</p>', 'Saved'],
  ['<p>{n} of {all}</p>', 'of'],
  ['<button aria-label="close"></button>', 'close'],
  ['<EmptyState head="No websites yet" />', 'No websites yet'],
  ['<p>{done ? "Undo" : words.undo}</p>', 'Undo'],
  ['<p title="seen {when}"></p>', 'seen'],
  ['<script lang="ts">const turns = [{ label: \'On\' }] as const</script>', 'On'],
  ['<script lang="ts">const said = $derived(`Sent in ${left} s.`)</script>', 'Sent in '],
])('it’s found in %s', (source, text) => {
  expect(textsIn(source)).toContain(text)
})

test.each([
  '<p class="No text">{words.undo} –</p>',
  '<button type="button" onkeydown={({ key }) => key === "Escape" && close()}>×</button>',
  '<p style:top="{top}px" aria-live="polite"></p>',
  '<Menu kind="quiet" labelledby="{id}-label" />',
])('nothing of a language is in %s', (source) => {
  expect(textsIn(source)).toEqual([])
})

const components = globSync('src/renderer/{app,ui,features}/**/*.svelte')
const modules = globSync('src/renderer/{app,ui,features,lib}/**/*.ts')

test('no component has a text of its own', () => {
  expect(components.length).toBeGreaterThan(100)
  const told = components.flatMap((path) => textsIn(readFileSync(path, 'utf8')).map((text) => `${path}: ${text}`))
  const inCode = modules.flatMap((path) =>
    textsIn(`<script lang="ts">${readFileSync(path, 'utf8')}</script>`).map((text) => `${path}: ${text}`),
  )
  expect([...told, ...inCode]).toEqual([])
})

/**
 * What main has for machines, or as the service: the tables, the requests, the log and the report of it, the sample service;
 * and its files, which say themselves what they are.
 */
const UNSEEN =
  /^src\/main\/(?:(?:storage|service|log|diagnostics|sample)\/|outbox\/transfer\/export\.ts|replica\/list-file\.ts)/

test('so does what main gives to be read', () => {
  const paths = globSync('src/main/**/*.ts').filter((path) => !UNSEEN.test(path))
  expect(paths.length).toBeGreaterThan(100)
  // Names of one word are those of keys, headers and the like.
  const inMain = paths.flatMap((path) =>
    textsIn(`<script lang="ts">${readFileSync(path, 'utf8')}</script>`)
      .filter((text) => /\p{L} \p{L}/u.test(text))
      .map((text) => `${path}: ${text}`),
  )
  expect(inMain).toEqual([])
})
