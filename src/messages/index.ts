/**
 * The texts of the user interface, one catalog per language. `npm run setup` compiles the catalogs to `compiled`, with one
 * typed function for each key: `m.update_found({ version })`. A text that a catalog lacks is shown in English.
 */
export { m } from './compiled/messages.js'
export { baseLocale, getLocale, locales, overwriteGetLocale, type Locale } from './compiled/runtime.js'
