/**
 * The texts of the user interface, one catalog per language. `npm run setup` compiles the catalogs to `compiled`, with one
 * typed function for each key: `m.update_found({ version })`.
 */
export { m } from './compiled/messages.js'
