// @ts-check
/** The Electron that runs the app: the official binary of the pinned version, or else the development fallback. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder } from './runtime/cache.mjs'
import { forgetDriver, installDriver, isDriverCached, isDriverInstalled, removeDriver } from './runtime/driver.mjs'
import { FALLBACK_MARK, cachedFallback, fallbackRunsHere, installFallback, source } from './runtime/fallback.mjs'
import { downloadOfficial, electronPackage, pinnedVersion } from './runtime/official.mjs'
import { SetupError } from './setup/error.mjs'
import { inProject, root } from './setup/project.mjs'
import { inTurn } from './setup/turn.mjs'
import { setup } from './setup.mjs'

/** @typedef {{ official: boolean, version: string, name: string, executable: string, args: string[] }} Runtime */

/** Names the version whose download has failed, so that the next start doesn't wait for it again. */
const failure = inProject('.cache', 'electron-not-fetched')

/** @param {string} file */
const textOf = (file) => (existsSync(file) ? readFileSync(file, 'utf8').trim() : null)

/**
 * Returns the binary in Electron's package, or null if there is none of the right version.
 *
 * @param {string} folder the package's
 * @param {string} pinned its version
 * @returns {{ official: boolean, executable: string } | null}
 */
export const binaryIn = (folder, pinned) => {
  const dist = join(folder, 'dist')
  const [path, version] = [textOf(join(folder, 'path.txt')), textOf(join(dist, 'version'))?.replace(/^v/, '')]
  const official = !existsSync(join(dist, FALLBACK_MARK))
  if (!path || version !== (official ? pinned : source.version)) return null
  const executable = join(dist, path)
  return existsSync(executable) ? { official, executable } : null
}

const installed = () => binaryIn(electronPackage, pinnedVersion())

/**
 * Describes an installed runtime. Its `args` come before the app's folder.
 *
 * @param {{ official: boolean, executable: string }} found
 * @param {string} pinned the version of the official binary
 * @param {boolean} isRoot true if the user is root on Linux
 * @returns {Runtime}
 */
export const runtimeOf = (found, pinned, isRoot) => {
  const version = found.official ? pinned : source.version
  const why = found.official ? '' : ` (development fallback: the official ${pinned} could not be downloaded)`
  // Chromium refuses to run its sandbox as root.
  return { ...found, version, name: `Electron ${version}${why}`, args: isRoot ? ['--no-sandbox'] : [] }
}

/**
 * Returns the runtime that is installed.
 *
 * @returns {Runtime}
 * @throws {SetupError} if there is none
 */
export const presentRuntime = () => {
  const found = installed()
  if (!found) throw new SetupError('Electron is not installed. Run:\n  npm run setup')
  return runtimeOf(found, pinnedVersion(), process.platform === 'linux' && process.getuid?.() === 0)
}

/** @param {(line: string) => void} say */
const installOfficial = async (say) => {
  const reason = await downloadOfficial(say)
  if (installed()) return rmSync(failure, { force: true })
  mkdirSync(inProject('.cache'), { recursive: true })
  writeFileSync(failure, pinnedVersion())
  say(`Electron ${pinnedVersion()} could not be downloaded${reason && `: ${reason}`}`)
}

/** Starts the installed fallback once and loads the driver in it. */
const tryFallback = () => {
  const { executable } = presentRuntime()
  const code = "new (require('better-sqlite3'))(':memory:').close()"
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' }
  const { status, stderr, error } = spawnSync(executable, ['-e', code], { cwd: root, env, encoding: 'utf8' })
  if (status === 0) return
  if (stderr?.includes('better_sqlite3.node')) forgetDriver()
  else removeDriver()
  throw new SetupError(
    `Electron ${source.version} does not run here, or better-sqlite3 does not load in it. If a library is missing, ` +
      `install it; else delete ${cacheFolder()} and try again.\n${stderr ?? error}`,
  )
}

/**
 * Installs what is missing: the official binary, or where it can't be downloaded the fallback and the database driver
 * for it.
 *
 * @param {{ again?: boolean, say: (line: string) => void }} options again: try the official download even if it has
 *   failed before
 * @returns {Promise<Runtime>}
 * @throws {SetupError} if neither can be installed
 */
export const obtainRuntime = async ({ again = false, say }) => {
  const lock = inProject('.cache')
  const onWait = (/** @type {number} */ pid) => say(`waiting for the set-up that process ${pid} is doing`)
  if (!installed()?.official && (again || textOf(failure) !== pinnedVersion()))
    await inTurn(lock, onWait, () => installOfficial(say))
  await setup({ need: ['electron'] })
  if (installed()?.official) {
    removeDriver()
    return presentRuntime()
  }
  if (!fallbackRunsHere)
    throw new SetupError(
      `Electron ${pinnedVersion()} could not be downloaded. Once there is a network, run:\n  npx install-electron`,
    )
  if (!isDriverCached()) await setup({ need: ['compiler'] })
  await inTurn(lock, onWait, async () => {
    if (!installed()) await installFallback(electronPackage, await cachedFallback(say))
    if (isDriverInstalled()) return
    await installDriver(say)
    tryFallback()
  })
  return presentRuntime()
}

/** Installs the runtime for a tool, and tells which one the tool runs the app on. */
export const announceRuntime = async () => {
  const { name } = await obtainRuntime({ say: (line) => console.log(`setup: ${line}`) })
  console.log(`The app runs on ${name}.`)
}
