import { globSync, readFileSync } from 'node:fs'
import { parse } from 'svelte/compiler'
import { expect, test } from 'vitest'

/** Attributes whose text is shown or read out. Our own components use other names for such texts. */
const SPOKEN = /^(?:aria-(?:label|description|placeholder|roledescription|valuetext)|title|placeholder|alt|label)$/
/** Attributes that never contain a text for the user. */
const SILENT = /^(?:class|id|style|role|type|href|rel|data-.*|aria-(?:controls|keyshortcuts|labelledby|describedby))$/
/** Names that look like texts: keys, the type of dragged files, and words of the browser. */
const NAMES = new Set([
  'Enter',
  'Escape',
  'Home',
  'End',
  'Tab',
  'Delete',
  'Backspace',
  'AltGraph',
  'Fn',
  'CapsLock',
  'Space',
  'Files',
  'Macintosh',
  'Windows',
])

/** Matches keys and combinations, in the format of `aria-keyshortcuts`. */
const KEYS = /^(?:Mod|Alt|Shift|Control|Meta|Plus|Arrow\w+|Page\w+)(?:\+\S+)?$/

const hasLetter = (text: string): boolean => /\p{L}/u.test(text)
/** True for the beginning of a sentence or label, and for the end of a sentence. */
const isText = (text: string): boolean =>
  (/^\p{Lu}\p{Ll}/u.test(text) && !NAMES.has(text) && !KEYS.test(text)) || /\p{L} .*[.?!…]$/u.test(text)
/** True if a fixed part of a template string contains a text or a separate word. False for a CSS selector. */
const hasWord = (text: string): boolean =>
  !/[[\]]/.test(text) && (isText(text.trim()) || /\s\p{L}+(?:\s|$)|(?:^|\s)\p{L}+\s/u.test(text))

interface Node {
  type?: string
  name?: unknown
  value?: unknown
  data?: unknown
  [key: string]: unknown
}

/** The place of a text. `spoken`: in an attribute that is shown or read out. */
type Place = 'page' | 'spoken' | 'attribute' | 'code'

function textsIn(source: string): string[] {
  const found: string[] = []
  const isFound = (text: string, place: Place): boolean =>
    place === 'page' || place === 'spoken' ? hasLetter(text) : isText(text)

  const look = (node: unknown, place: Place): void => {
    if (Array.isArray(node)) return node.forEach((each) => look(each, place))
    if (typeof node !== 'object' || node === null) return
    const { type = '', name, value, data, ...rest } = node as Node
    if (type === 'ImportDeclaration' || type === 'Comment' || type === 'StyleDirective' || type.startsWith('TS'))
      // In `'On' as const`, the string is a text, but the `const` is not.
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
      // The content of a tag or block is on the page.
      const inside = type === 'Fragment' ? 'page' : place
      for (const [key, child] of Object.entries({ ...rest, value, data })) if (!BESIDE.has(key)) look(child, inside)
    }
  }
  const { fragment, instance, module } = parse(source, { modern: true })
  look(fragment, 'page')
  look([instance?.content, module?.content], 'code')
  return found
}

/** Properties of a syntax tree's node that contain neither a part of the page nor code. */
const BESIDE = new Set(['css', 'comments', 'leadingComments', 'trailingComments', 'metadata', 'loc'])

test.each([
  ['<p>Saved</p>', 'Saved'],
  ['<p>{n} of {all}</p>', 'of'],
  ['<button aria-label="close"></button>', 'close'],
  ['<EmptyState head="No websites yet" />', 'No websites yet'],
  ['<p>{done ? "Undo" : texts.undo}</p>', 'Undo'],
  ['<p title="seen {when}"></p>', 'seen'],
  ['<script lang="ts">const turns = [{ label: \'On\' }] as const</script>', 'On'],
  ['<script lang="ts">const said = $derived(`Sent in ${left} s.`)</script>', 'Sent in '],
])('finds a text in %s', (source, text) => {
  expect(textsIn(source)).toContain(text)
})

test.each([
  '<p class="No text">{texts.undo} –</p>',
  '<button type="button" onkeydown={({ key }) => key === "Escape" && close()}>×</button>',
  '<p style:top="{top}px" aria-live="polite"></p>',
  '<Menu kind="quiet" labelledby="{id}-label" />',
])('finds no text in %s', (source) => {
  expect(textsIn(source)).toEqual([])
})

const components = globSync('src/renderer/{app,ui,features}/**/*.svelte')
const modules = globSync('src/renderer/{app,ui,features,lib}/**/*.ts')

test('no component contains a text of its own', () => {
  expect(components.length).toBeGreaterThan(100)
  const texts = components.flatMap((path) => textsIn(readFileSync(path, 'utf8')).map((text) => `${path}: ${text}`))
  const inCode = modules.flatMap((path) =>
    textsIn(`<script lang="ts">${readFileSync(path, 'utf8')}</script>`).map((text) => `${path}: ${text}`),
  )
  expect([...texts, ...inCode]).toEqual([])
})

/** Files of main whose texts are not for the user: tables, requests, the log and the diagnostics, the sample service. */
const UNSEEN =
  /^src\/main\/(?:(?:storage|service|log|diagnostics|sample)\/|outbox\/transfer\/export\.ts|replica\/list-file\.ts)/

test('no file of main contains a text for the user', () => {
  const paths = globSync('src/main/**/*.ts').filter((path) => !UNSEEN.test(path))
  expect(paths.length).toBeGreaterThan(100)
  // Leaves out texts of one word, such as keys and headers.
  const inMain = paths.flatMap((path) =>
    textsIn(`<script lang="ts">${readFileSync(path, 'utf8')}</script>`)
      .filter((text) => /\p{L} \p{L}/u.test(text))
      .map((text) => `${path}: ${text}`),
  )
  expect(inMain).toEqual([])
})
