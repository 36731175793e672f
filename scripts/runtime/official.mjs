// @ts-check
/** The official Electron binary of the version that the lock file pins, installed by Electron's own installer. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inProject, projectNode, toolEnv } from '../setup/project.mjs'

export const electronPackage = inProject('node_modules', 'electron')

/** The temporary folder of Electron's installer. It is deleted before and after the installer runs. */
const downloads = inProject('.cache', 'electron-download')

/** @returns {string} */
export const pinnedVersion = () => JSON.parse(readFileSync(join(electronPackage, 'package.json'), 'utf8')).version

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
 * Runs Electron's own installer. The installer has no time limit, so it is killed if nothing is downloaded or unpacked for 20 s,
 * or after 5 minutes in all. If it fails, what was installed before stays.
 *
 * @param {(line: string) => void} say
 * @param {{ folder?: string, script?: string }} [parts] the package's folder, and its installer
 * @returns {Promise<string>} the installer's first line on stderr that names an error, or an empty text. It is the reason if
 *   the binary is missing afterwards
 */
export const downloadOfficial = async (say, { folder = electronPackage, script = join(folder, 'install.js') } = {}) => {
  say(`fetching Electron ${pinnedVersion()} (about 110 MB)`)
  const [dist, path, before] = [join(folder, 'dist'), join(folder, 'path.txt'), join(folder, 'dist.before')]
  const program = existsSync(path) ? readFileSync(path, 'utf8') : null
  for (const old of [downloads, before]) rmSync(old, { recursive: true, force: true })
  // The installer writes this file last. Without the file, the remains of an interrupted installer don't count as installed.
  rmSync(path, { force: true })
  if (existsSync(dist)) renameSync(dist, before)
  mkdirSync(downloads, { recursive: true })
  const env = { ...toolEnv(), TMPDIR: downloads, TEMP: downloads, TMP: downloads, ELECTRON_GET_NO_PROGRESS: '1' }
  const installer = spawn(projectNode, [script], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  installer.stderr.setEncoding('utf8').on('data', (text) => (errors += text))
  const begun = Date.now()
  let [bytes, movedAt] = [0, begun]
  const watch = setInterval(() => {
    const now = bytesIn(downloads) + bytesIn(dist)
    if (Math.floor(now / 2e7) > Math.floor(bytes / 2e7)) say(`fetched ${Math.round(now / 1e6)} MB`)
    if (now !== bytes) [bytes, movedAt] = [now, Date.now()]
    if (Date.now() - movedAt > 20_000 || Date.now() - begun > 300_000) installer.kill('SIGKILL')
  }, 500)
  await new Promise((resolve) => installer.once('close', resolve).once('error', resolve))
  clearInterval(watch)
  rmSync(downloads, { recursive: true, force: true })
  if (!existsSync(path) && program !== null && existsSync(before)) {
    rmSync(dist, { recursive: true, force: true })
    renameSync(before, dist)
    writeFileSync(path, program)
  }
  rmSync(before, { recursive: true, force: true })
  return /^.*Error: .*$/m.exec(errors)?.[0].trim() ?? ''
}
