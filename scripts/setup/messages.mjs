// @ts-check
/** Compiles the message catalogs in src/messages to the typed functions in src/messages/compiled. */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fingerprint } from './bundles.mjs'
import { inProject, root } from './project.mjs'
import { PSEUDO, pseudoCatalog } from './pseudo.mjs'

const catalogs = inProject('src', 'messages')
/** As deep as src/messages, because the settings of the catalogs name a plugin by a relative path. */
const pseudoFolder = inProject('.cache', 'pseudo')
const compiled = inProject('src', 'messages', 'compiled')
/** The file with the {@link sourcesDigest} of the catalogs that were compiled last. */
const stamp = inProject('src', 'messages', 'compiled', '.compiled-from')

/** @param {boolean} pseudo */
const sourcesDigest = (pseudo) => {
  const { locales } = JSON.parse(readFileSync(`${catalogs}/project.inlang/settings.json`, 'utf8'))
  const digest = fingerprint(root, [
    'src/messages/project.inlang/settings.json',
    ...locales.map((/** @type {string} */ locale) => `src/messages/${locale}.json`),
    'node_modules/@inlang/paraglide-js/package.json',
  ])
  return pseudo ? `${digest} ${PSEUDO}` : digest
}

/** @param {boolean} pseudo */
export const messagesAreCurrent = (pseudo) => existsSync(stamp) && readFileSync(stamp, 'utf8') === sourcesDigest(pseudo)

const addPseudo = () => {
  mkdirSync(pseudoFolder, { recursive: true })
  cpSync(catalogs, pseudoFolder, { recursive: true, filter: (path) => path !== compiled })
  const settingsFile = `${pseudoFolder}/project.inlang/settings.json`
  const settings = JSON.parse(readFileSync(settingsFile, 'utf8'))
  writeFileSync(settingsFile, JSON.stringify({ ...settings, locales: [...settings.locales, PSEUDO] }))
  const english = JSON.parse(readFileSync(`${catalogs}/en.json`, 'utf8'))
  writeFileSync(`${pseudoFolder}/${PSEUDO}.json`, JSON.stringify(pseudoCatalog(english)))
}

/** @param {boolean} pseudo adds the pseudo-translation as a language */
export const compileMessages = async (pseudo) => {
  if (pseudo) addPseudo()
  const { compile } = await import('@inlang/paraglide-js')
  await compile({
    project: `${pseudo ? pseudoFolder : catalogs}/project.inlang`,
    outdir: compiled,
    outputStructure: 'locale-modules',
    strategy: ['globalVariable', 'baseLocale'],
    disableAsyncLocalStorage: true,
    emitReadme: false,
  })
  writeFileSync(stamp, sourcesDigest(pseudo))
}
