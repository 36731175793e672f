// @ts-check
/** The Electron that runs the app: the official binary of the pinned version, or else the development fallback. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cacheFolder, isNoSpace, writeInto } from './runtime/cache.mjs'
import { forgetDriver, installDriver, isDriverCached, isDriverInstalled, removeDriver } from './runtime/driver.mjs'
import { FALLBACK_MARK, cachedFallback, fallbackRunsOn, installFallback, fallbackSource } from './runtime/fallback.mjs'
import { downloadOfficial, electronPackage, pinnedVersion } from './runtime/official.mjs'
import { SetupError } from './setup/error.mjs'
import { inProject, root } from './setup/project.mjs'
import { inTurn } from './setup/turn.mjs'
import { setup } from './setup.mjs'

/**
 * An installed Electron. `official`: false for the development fallback; `name`: its description for messages; `args`: arguments
 * that come before the app's folder.
 *
 * @typedef {{ official: boolean, version: string, name: string, executable: string, args: string[] }} Runtime
 */

/** Milliseconds until a failed download is tried again, unless the user asks for it earlier or there is no fallback. */
const RETRY_AFTER = 24 * 3600_000

/** @param {string} file */
const textOf = (file) => (existsSync(file) ? readFileSync(file, 'utf8').trim() : null)

/**
 * Returns the binary in the `electron` package: the official one of the pinned version, or the development fallback. Null if
 * there is neither, for example because an update of the package has left an older binary.
 *
 * @param {string} folder the package's
 * @param {string} pinned the version of the official binary
 * @returns {{ official: boolean, executable: string } | null}
 */
export const binaryIn = (folder, pinned) => {
  const dist = join(folder, 'dist')
  const [path, version] = [textOf(join(folder, 'path.txt')), textOf(join(dist, 'version'))?.replace(/^v/, '')]
  const official = !existsSync(join(dist, FALLBACK_MARK))
  if (!path || version !== (official ? pinned : fallbackSource.version)) return null
  const executable = join(dist, path)
  return existsSync(executable) ? { official, executable } : null
}

/** The paths and functions that {@link obtainRuntime} uses by default. Tests pass others. */
const defaultParts = {
  lock: inProject('.cache'),
  electron: electronPackage,
  /** A file with the version whose download has failed, so that the next start doesn't wait for a download again. */
  failure: inProject('.cache', 'electron-not-fetched'),
  fallbackRuns: fallbackRunsOn(process.platform, process.arch),
  download: downloadOfficial,
  /** @param {(line: string) => void} say */
  addFallback: async (say) => installFallback(electronPackage, await cachedFallback(say)),
  driver: {
    isInstalled: isDriverInstalled,
    isCached: isDriverCached,
    install: installDriver,
    fault: driverFault,
    forget: forgetDriver,
    remove: removeDriver,
  },
  /** @param {import('./setup.mjs').Need} need */
  setUp: (need) => setup({ need: [need] }),
}

/** @param {Pick<typeof defaultParts, 'electron'>} parts */
const installedBinary = ({ electron }) => binaryIn(electron, pinnedVersion())

/**
 * @param {{ official: boolean, executable: string }} found
 * @param {string} pinned the version of the official binary
 * @param {boolean} isRoot true if the user is root on Linux
 * @returns {Runtime}
 */
export const runtimeOf = (found, pinned, isRoot) => {
  const version = found.official ? pinned : fallbackSource.version
  const why = found.official ? '' : ` (development fallback: the official ${pinned} is not installed)`
  // Chromium refuses to run its sandbox as root.
  return { ...found, version, name: `Electron ${version}${why}`, args: isRoot ? ['--no-sandbox'] : [] }
}

/**
 * @param {Pick<typeof defaultParts, 'electron'>} parts
 * @returns {Runtime}
 * @throws {SetupError} if there is none
 */
export const presentRuntime = (parts = defaultParts) => {
  const found = installedBinary(parts)
  if (!found) throw new SetupError('Electron is not installed. Run:\n  npm run setup')
  return runtimeOf(found, pinnedVersion(), process.platform === 'linux' && process.getuid?.() === 0)
}

/**
 * Downloads the official binary. Records a failed download in a file, unless the disk was full.
 *
 * @param {(line: string) => void} say
 * @param {typeof defaultParts} parts
 */
const installOfficial = async (say, parts) => {
  const reason = await parts.download(say)
  if (installedBinary(parts)?.official) return rmSync(parts.failure, { force: true })
  say(`Electron ${pinnedVersion()} could not be downloaded${reason && `: ${reason}`}`)
  if (isNoSpace(reason)) return
  writeInto(dirname(parts.failure), 1e6, () => writeFileSync(parts.failure, pinnedVersion()))
}

/** @param {string} file */
const hasFailed = (file) => textOf(file) === pinnedVersion() && statSync(file).mtimeMs > Date.now() - RETRY_AFTER

/**
 * Tests the installed fallback: starts it once and loads the database driver in it.
 *
 * @param {string} executable
 * @returns {{ inDriver: boolean, text: string } | null} null if the driver loads, otherwise the error; `inDriver` is true if the
 *   driver is at fault, which includes that it has ended the process
 */
function driverFault(executable) {
  const code = "new (require('better-sqlite3'))(':memory:').close()"
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' }
  const { status, signal, stderr, error } = spawnSync(executable, ['-e', code], { cwd: root, env, encoding: 'utf8' })
  if (status === 0) return null
  return { inDriver: signal !== null || /better_sqlite3\.node/.test(stderr), text: stderr || String(error ?? signal) }
}

/**
 * Installs the fallback and its database driver. Compiles the driver again if the one in the cache doesn't load.
 *
 * @param {(line: string) => void} say
 * @param {typeof defaultParts} parts
 */
const completeFallback = async (say, parts) => {
  const { driver } = parts
  const attempt = () =>
    withSetUpLock(parts, say, async () => {
      if (!installedBinary(parts)) await parts.addFallback(say)
      if (driver.isInstalled()) return null
      await driver.install(say)
      const fault = driver.fault(installedBinary(parts)?.executable ?? '')
      if (fault) driver.remove()
      if (fault?.inDriver) driver.forget()
      return fault
    })
  const wasCached = driver.isCached()
  if (!wasCached) await parts.setUp('compiler')
  let fault = await attempt()
  if (fault?.inDriver && wasCached) {
    say('the better-sqlite3 in the cache does not load')
    await parts.setUp('compiler')
    fault = await attempt()
  }
  if (fault)
    throw new SetupError(
      `Electron ${fallbackSource.version} does not run here, or better-sqlite3 does not load in it. If a library is missing, ` +
        `install it; else delete ${cacheFolder()} and try again.\n${fault.text}`,
    )
}

/**
 * @template T
 * @param {typeof defaultParts} parts
 * @param {(line: string) => void} say
 * @param {() => Promise<T>} work
 */
const withSetUpLock = ({ lock }, say, work) =>
  inTurn(lock, (pid) => say(`waiting for the set-up that process ${pid} is doing`), work)

/**
 * Installs what is missing: the official binary, or where it can't be downloaded the fallback and the database driver
 * for it.
 *
 * @param {{ again?: boolean, say: (line: string) => void }} options again: try the official download even if it has
 *   failed within a day
 * @param {Partial<typeof defaultParts>} [own] replaces parts of the installation
 * @returns {Promise<Runtime>}
 * @throws {SetupError} if neither can be installed
 */
export const obtainRuntime = async ({ again = false, say }, own = {}) => {
  const parts = { ...defaultParts, ...own }
  // Without a fallback, nothing runs until the download succeeds, so it is tried at each start.
  const tries = again || !parts.fallbackRuns || !hasFailed(parts.failure)
  if (!installedBinary(parts)?.official && tries) await withSetUpLock(parts, say, () => installOfficial(say, parts))
  await parts.setUp('electron')
  if (installedBinary(parts)?.official) parts.driver.remove()
  else if (parts.fallbackRuns) {
    const before = tries ? '' : `an earlier download of Electron ${pinnedVersion()} failed; `
    say(`${before}\`npm start -- --fetch-electron\` tries the official download again`)
    await completeFallback(say, parts)
  } else
    throw new SetupError(
      `Electron ${pinnedVersion()} could not be downloaded. Once there is a network, run:\n  npx install-electron`,
    )
  return presentRuntime(parts)
}

/** Installs the runtime for a tool, and prints its name. */
export const announceRuntime = async () => {
  const { name } = await obtainRuntime({ say: (line) => console.log(`setup: ${line}`) })
  console.log(`The app runs on ${name}.`)
}
