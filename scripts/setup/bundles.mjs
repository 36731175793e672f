// @ts-check
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { inProject, projectNode, root, toolEnv, tools } from './project.mjs'
import { runQuietly } from './quietly.mjs'

const bundledFrom = [
  'src',
  'resources',
  'package.json',
  'package-lock.json',
  'electron.vite.config.ts',
  'svelte.config.js',
  'tsconfig.json',
]
/** The file with the {@link fingerprint} of the sources from which the bundles were built. */
const stamp = ['out', '.built-from']
const bundleFiles = [
  'out/main/index.js',
  'out/main/prepare-worker.js',
  'out/main/import-worker.js',
  'out/main/table-worker.js',
  'out/preload/index.cjs',
  'out/renderer/index.html',
]

/**
 * Returns a digest of the names and contents of files and of all files in folders. Missing files are ignored.
 *
 * @param {string} base
 * @param {readonly string[]} paths
 */
export const fingerprint = (base, paths) => {
  const hash = createHash('sha256')
  /** @param {string} file */
  const add = (file) =>
    hash
      .update(`${relative(base, file)}\0`)
      .update(readFileSync(file))
      .update('\0')
  for (const path of paths.map((name) => join(base, name)).filter((name) => existsSync(name))) {
    try {
      const entries = readdirSync(path, { recursive: true, withFileTypes: true })
      const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
      for (const file of files.sort()) add(file)
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOTDIR') throw error
      add(path)
    }
  }
  return hash.digest('hex')
}

export const bundlesAreCurrent = () =>
  bundleFiles.every((file) => existsSync(inProject(file))) &&
  existsSync(inProject(...stamp)) &&
  readFileSync(inProject(...stamp), 'utf8') === fingerprint(root, bundledFrom)

/** Marks the bundles as outdated. Everything else that writes into out/ must call this function. */
export const forgetBundles = () => rmSync(inProject(...stamp), { force: true })

/** @returns {boolean} whether the build succeeded */
export const buildBundles = () => {
  forgetBundles()
  // Computed before the build, so that the next start builds a file again that was changed during the build.
  const from = fingerprint(root, bundledFrom)
  const build = [tools.electronVite, 'build', '--logLevel', 'warn']
  if (!runQuietly(projectNode, build, { cwd: root, env: toolEnv() })) return false
  mkdirSync(inProject('out'), { recursive: true })
  writeFileSync(inProject(...stamp), from)
  return true
}
