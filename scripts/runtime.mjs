// @ts-check
/** What runs the app: Electron where its binary is, the development host elsewhere. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inProject, projectNode, toolEnv, tools } from './setup/project.mjs'
import { SetupError } from './setup.mjs'

/** @typedef {{ kind: 'electron' | 'host', name: string, executable: string, args: string[] }} Runtime */

/** The host stands on X11 and Debian's Chromium. */
export const hostRunsHere = process.platform === 'linux'

const electron = inProject('node_modules', 'electron')
const failure = inProject('.cache', 'electron-not-fetched')
const downloads = inProject('.cache', 'electron-download')

/** @param {string} file */
const textOf = (file) => (existsSync(file) ? readFileSync(file, 'utf8').trim() : null)

/** @returns {string} */
const electronVersion = () => JSON.parse(readFileSync(join(electron, 'package.json'), 'utf8')).version

/** The binary of the very version that the lock file names; null: it isn't here. */
const electronBinary = () => {
  const path = textOf(join(electron, 'path.txt'))
  if (!path || textOf(join(electron, 'dist', 'version'))?.replace(/^v/, '') !== electronVersion()) return null
  const file = join(electron, 'dist', path)
  return existsSync(file) ? file : null
}

/**
 * The runtime that is here. Its `args` come before the app's folder.
 *
 * @returns {Runtime}
 */
export const presentRuntime = () => {
  const binary = electronBinary()
  if (!binary) {
    const executable = inProject('scripts', 'host', 'electron')
    return { kind: 'host', name: 'the development host (Node and Chromium)', executable, args: [] }
  }
  // Chromium refuses to run its sandbox as root.
  const args = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return { kind: 'electron', name: `Electron ${electronVersion()}`, executable: binary, args }
}

/** Whether a fetch of this version has failed before; the next start doesn't wait for it again. */
const hasFailedBefore = () => textOf(failure) === electronVersion()

/** @param {string} folder */
const bytesIn = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .reduce((sum, entry) => {
          const size = statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size
          return sum + (size ?? 0)
        }, 0)
    : 0

/**
 * Runs Electron's own installer, which gives up neither on a stalled line nor on a silent proxy: so we do, after 20 s
 * without a byte or 5 minutes in all.
 *
 * @param {(line: string) => void} say
 * @returns {Promise<boolean>}
 */
const fetchElectron = async (say) => {
  say(`fetching Electron ${electronVersion()} (about 110 MB)`)
  rmSync(downloads, { recursive: true, force: true })
  mkdirSync(downloads, { recursive: true })
  const env = { ...toolEnv(), TMPDIR: downloads, TEMP: downloads, TMP: downloads, ELECTRON_GET_NO_PROGRESS: '1' }
  const installer = spawn(projectNode, [tools.installElectron], { env, stdio: 'ignore' })
  const begun = Date.now()
  let [bytes, movedAt] = [0, begun]
  const watch = setInterval(() => {
    const now = bytesIn(downloads) + bytesIn(join(electron, 'dist'))
    if (Math.floor(now / 2e7) > Math.floor(bytes / 2e7)) say(`fetched ${Math.round(now / 1e6)} MB`)
    if (now !== bytes) [bytes, movedAt] = [now, Date.now()]
    if (Date.now() - movedAt > 20_000 || Date.now() - begun > 300_000) installer.kill('SIGKILL')
  }, 500)
  await new Promise((resolve) => installer.once('close', resolve).once('error', resolve))
  clearInterval(watch)
  rmSync(downloads, { recursive: true, force: true })
  return electronBinary() !== null
}

/**
 * Electron, fetched where it isn't here; the host where that fails and there is one.
 *
 * @param {{ again: boolean, say: (line: string) => void }} options again: try even where it failed before
 * @returns {Promise<Runtime>}
 * @throws {SetupError} neither can be had
 */
export const obtainRuntime = async ({ again, say }) => {
  if (!electronBinary() && (again || !hasFailedBefore())) {
    if (await fetchElectron(say)) rmSync(failure, { force: true })
    else writeFileSync(failure, electronVersion())
  }
  const runtime = presentRuntime()
  if (runtime.kind === 'electron' || hostRunsHere) return runtime
  throw new SetupError("Electron's binary could not be fetched. Once there is a network, run:\n  npx install-electron")
}
