// @ts-check
/** The cache folder for downloads and compiled files, which all clones of a user share, and functions that fill folders. */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statfsSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { SetupError } from '../setup/error.mjs'
import { isAlive } from '../setup/turn.mjs'

/** @param {NodeJS.ProcessEnv} env */
export const cacheFolder = (env = process.env) => join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'siteward')

/**
 * @param {string} file
 * @param {'sha256' | 'sha512'} algorithm
 * @param {'hex' | 'base64'} encoding
 */
export const digest = async (file, algorithm, encoding) => {
  const hash = createHash(algorithm)
  await pipeline(createReadStream(file), hash)
  return hash.digest(encoding)
}

/**
 * @param {string} folder
 * @param {number} bytes the space that is needed
 */
const noSpace = (folder, bytes) =>
  new SetupError(
    `There is not enough disk space for ${folder}: about ${Math.ceil(bytes / 1e6)} MB are needed.\n` +
      'Free some space, or set XDG_CACHE_HOME to a folder on another disk.',
  )

/**
 * Writes into a folder. A full disk is reported as a {@link SetupError}.
 *
 * @param {string} folder
 * @param {number} bytes the space that `write` needs
 * @param {() => void} write
 */
export const writeInto = (folder, bytes, write) => {
  try {
    mkdirSync(folder, { recursive: true })
    write()
  } catch (error) {
    throw isNoSpace(error) ? noSpace(folder, bytes) : error
  }
}

/**
 * Creates a folder completely or not at all: `fill` writes into a sibling, which is renamed when it's done. If another
 * process has created the folder in the meantime, that folder stays.
 *
 * @param {string} folder
 * @param {number} bytes the space that `fill` needs
 * @param {(temporary: string) => void | Promise<void>} fill
 */
export const createFolder = async (folder, bytes, fill) => {
  let existing = folder
  while (!existsSync(existing)) existing = dirname(existing)
  const { bavail, bsize } = statfsSync(existing)
  if (bavail * bsize < bytes) throw noSpace(folder, bytes)
  removeAbandoned(folder)
  const temporary = `${folder}.${process.pid}.tmp`
  try {
    rmSync(temporary, { recursive: true, force: true })
    mkdirSync(temporary, { recursive: true })
    await fill(temporary)
    renameSync(temporary, folder)
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST'].includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? '')) return
    throw isNoSpace(error) ? noSpace(folder, bytes) : error
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** @param {string} folder */
const removeAbandoned = (folder) => {
  const parent = dirname(folder)
  for (const name of existsSync(parent) ? readdirSync(parent) : []) {
    const pid = name.startsWith(`${basename(folder)}.`) && /\.(\d+)\.tmp$/.exec(name)?.[1]
    if (pid && !isAlive(Number(pid))) rmSync(join(parent, name), { recursive: true, force: true })
  }
}

/** @param {unknown} error an error, or its text */
export const isNoSpace = (error) =>
  /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOSPC' || /ENOSPC|No space left/.test(String(error))
