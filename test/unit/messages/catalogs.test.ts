import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'

type Message = string | { declarations: string[]; selectors: string[]; match: Record<string, string> }[]
type Catalog = Record<string, Message>

const read = (file: string): Catalog => JSON.parse(readFileSync(file, 'utf8')) as Catalog
const files = globSync('src/messages/*.json')
const english = read('src/messages/en.json')

const textsOf = (message: Message): string[] =>
  typeof message === 'string' ? [message] : message.flatMap(({ match }) => Object.values(match))

/** Returns all placeholders, such as `{count}`, in any variant of the message. */
const placeholdersOf = (message: Message): string[] =>
  [...new Set(textsOf(message).flatMap((text) => text.match(/\{\w+\}/g) ?? []))].sort()

/** Returns the plural forms that no variant covers: `plural=one`, or `a=one, b=many` for a message with two counts. */
function missing({ selectors, match }: Exclude<Message, string>[number], forms: readonly string[], key: string) {
  const combinations = selectors.reduce<string[][]>(
    (some, selector) => some.flatMap((one) => forms.map((form) => [...one, `${selector}=${form}`])),
    [[]],
  )
  const variants = Object.keys(match).map((variant) => variant.split(', '))
  const covers = (variant: string[], wanted: string[]) =>
    wanted.every((one) => variant.includes(one) || variant.includes(one.replace(/=.*/, '=*')))
  return combinations
    .filter((wanted) => !variants.some((variant) => covers(variant, wanted)))
    .map((wanted) => `${key}: ${wanted.join(', ')}`)
}

/** Quotation marks and spaces that do not belong to a language. */
const foreign: Record<string, RegExp> = {
  de: /[«»”]| …/,
  en: /[«»„]| …/,
  es: /[«»„]| …/,
  fr: /[“”„]| [:;?!»…]|« /,
  ja: /[«»“”„]|\?$| …/,
}

describe.each(files)('%s', (file) => {
  const catalog = read(file)

  test('has the same keys as the English catalog, in alphabetical order', () => {
    expect(Object.keys(catalog)).toEqual(Object.keys(english).sort())
  })

  test('uses the same placeholders as the English catalog', () => {
    const placeholders = (of: Catalog) => Object.entries(of).map(([key, message]) => [key, placeholdersOf(message)])
    expect(placeholders(catalog)).toEqual(placeholders(english))
  })

  test('has a variant for each plural form of its language', () => {
    const { pluralCategories } = new Intl.PluralRules(basename(file, '.json')).resolvedOptions()
    const lacking = Object.entries(catalog).flatMap(([key, message]) =>
      typeof message === 'string' ? [] : message.flatMap((variants) => missing(variants, pluralCategories, key)),
    )
    expect(lacking).toEqual([])
  })

  test('has no empty text', () => {
    const isEmpty = (message: Message) => textsOf(message).some((text) => text.trim() === '')
    expect(Object.keys(catalog).filter((key) => isEmpty(catalog[key] ?? ''))).toEqual([])
  })

  test('uses the quotation marks, apostrophes and spaces of its language', () => {
    const wrong = foreign[basename(file, '.json')]
    const texts = Object.values(catalog).flatMap(textsOf)
    expect(texts.filter((text) => wrong?.test(text) || /\w'|\.\.\./.test(text))).toEqual([])
  })
})

test('every message is used', () => {
  const source = globSync('src/**/*.{ts,svelte}')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const used = new Set([...source.matchAll(/\bm\.(\w+)/g)].map(([, key]) => key))
  expect(Object.keys(english).filter((key) => !used.has(key))).toEqual([])
})
