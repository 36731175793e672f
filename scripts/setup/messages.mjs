// @ts-check
/** The message catalogs in src/messages, compiled to the typed functions in src/messages/compiled. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fingerprint } from './bundles.mjs'
import { inProject, root } from './project.mjs'

const catalogs = inProject('src', 'messages')
const compiled = inProject('src', 'messages', 'compiled')
const stamp = inProject('src', 'messages', 'compiled', '.compiled-from')

/** A digest of the catalogs and of the compiler's version. */
const sources = () => {
  const { locales } = JSON.parse(readFileSync(`${catalogs}/project.inlang/settings.json`, 'utf8'))
  return fingerprint(root, [
    'src/messages/project.inlang/settings.json',
    ...locales.map((/** @type {string} */ locale) => `src/messages/${locale}.json`),
    'node_modules/@inlang/paraglide-js/package.json',
  ])
}

export const messagesAreCurrent = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === sources()

/** Compiles the catalogs. Needs the dependencies. */
export const compileMessages = async () => {
  const { compile } = await import('@inlang/paraglide-js')
  await compile({
    project: `${catalogs}/project.inlang`,
    outdir: compiled,
    outputStructure: 'locale-modules',
    strategy: ['globalVariable', 'baseLocale'],
    disableAsyncLocalStorage: true,
    emitReadme: false,
  })
  writeFileSync(stamp, sources())
}
