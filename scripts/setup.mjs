// @ts-check
/**
 * Sets up the project: Debian packages, dependencies, messages and bundles, each only if it is missing. It must run on
 * plain Node 20.12 before anything is installed, so it imports only built-in modules.
 */
import { pathToFileURL } from 'node:url'
import { buildBundles, bundlesAreCurrent } from './setup/bundles.mjs'
import { completePackages, packagesAreInstalled } from './setup/debian.mjs'
import { dependenciesAreInstalled, installDependencies } from './setup/dependencies.mjs'
import { SetupError } from './setup/error.mjs'
import { compileMessages, messagesAreCurrent } from './setup/messages.mjs'
import { inProject, isNodeUsable, oldestNode } from './setup/project.mjs'
import { inTurn } from './setup/turn.mjs'

/** @typedef {import('./setup/debian.mjs').Need} Need */

/** @param {readonly Need[]} needs */
const mustBuild = (needs) => needs.includes('build') && !bundlesAreCurrent()

/**
 * Sets up what is missing for the given needs. Takes less than a second if nothing is missing.
 *
 * @param {{ need?: readonly Need[], pseudo?: boolean }} [options] dependencies and messages are always included;
 *   `pseudo`: with the pseudo-translation, which another set-up removes again
 * @throws {SetupError} if something required is missing and can't be set up; the message says what to run
 */
export const setup = async ({ need = [], pseudo = false } = {}) => {
  if (!isNodeUsable())
    throw new SetupError(`On this system you need Node ${oldestNode} or newer. Install it and try again.`)
  const say = (/** @type {string} */ line) => console.log(`setup: ${line}`)
  if (packagesAreInstalled(need) && dependenciesAreInstalled() && messagesAreCurrent(pseudo) && !mustBuild(need)) return
  await inTurn(
    inProject('.cache'),
    (pid) => say(`waiting for the set-up that process ${pid} is doing`),
    async () => {
      completePackages(need, say)
      if (!dependenciesAreInstalled()) {
        say('installing dependencies (npm ci)')
        if (!installDependencies()) throw new SetupError('npm ci failed. See above, then run:\n  npm ci')
      }
      if (!messagesAreCurrent(pseudo)) await compileMessages(pseudo)
      if (mustBuild(need)) {
        say('building')
        if (!buildBundles()) throw new SetupError('The build failed; see above.')
      }
    },
  )
}

export const reportSetupTime = () => console.log(`setup: took ${process.uptime().toFixed(1)} s`)

/**
 * Runs a script's main function. If that throws a {@link SetupError}, prints the message without a stack, and fails.
 *
 * @param {() => Promise<unknown>} main
 */
export const runScript = async (main) => {
  try {
    await main()
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const buildsOnly = process.argv.includes('--build')
  // Not awaited, because runtime.mjs, imported below, can be evaluated only after this module.
  void runScript(async () => {
    await setup({ need: buildsOnly ? ['build'] : ['build', 'run', 'test'] })
    if (!buildsOnly) {
      // Imported only now, because runtime.mjs imports dependencies that have just been installed.
      const { obtainRuntime } = await import('./runtime.mjs')
      const { name } = await obtainRuntime({ say: (line) => console.log(`setup: ${line}`) })
      console.log(`setup: the app runs on ${name}`)
    }
    reportSetupTime()
  })
}
