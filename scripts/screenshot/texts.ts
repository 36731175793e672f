/** Finds the app's controls by their English texts, in whatever language the app is shown. */
import { readFileSync } from 'node:fs'
import { inProject } from '../setup/project.mjs'
import { pseudoCatalog, PSEUDO, type Message } from '../setup/pseudo.mjs'

type Catalog = Record<string, Message>

const read = (locale: string): Catalog =>
  JSON.parse(readFileSync(inProject('src', 'messages', `${locale}.json`), 'utf8')) as Catalog
const english = read('en')
/** The texts of the language that the app is shown in. Empty for English: the scripts already use the English texts. */
let shown: Catalog = {}

export function showIn(locale: string): void {
  shown = locale === 'en' ? {} : locale === PSEUDO ? pseudoCatalog(english) : read(locale)
}

/** Returns the texts of a message: one, or each of its plural forms. */
const variantsOf = (message: Message): string[] =>
  typeof message === 'string' ? [message] : message.flatMap(({ match }) => Object.values(match))

const translations = (matches: (text: string) => boolean): string[] =>
  Object.entries(english).flatMap(([key, message]) =>
    shown[key] !== undefined && variantsOf(message).some(matches) ? variantsOf(shown[key]) : [],
  )

export const textOf = (text: string): string => translations((one) => one === text)[0] ?? text

/** Returns a text as a pattern. A no-break space matches any space, because the browser reads it as a space in a name. */
const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/[\u00a0\u202f]/g, '\\s')
const filled = (text: string): string =>
  text
    .split(/\{\w+\}/)
    .map(escape)
    .join('.+')

/** Returns a pattern for the translations of a text, or of all texts that match a pattern. */
export function t(text: string | RegExp): string | RegExp {
  const isWhole = typeof text === 'string'
  const found = translations((one) => (isWhole ? one === text : text.test(one.replace(/\{\w+\}/g, '1'))))
  if (found.length === 0) return text
  const pattern = found.map(filled).join('|')
  // Playwright trims a text before it compares it with a string, but not before it tests a pattern.
  return new RegExp(isWhole ? `^\\s*(?:${pattern})\\s*$` : pattern)
}
