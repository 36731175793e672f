// @ts-check
/** Paths of the project, and its Node. Imports only built-in modules, because it runs before anything is installed. */
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export const isWindows = process.platform === 'win32'

/** The project's folder, without a slash at its end. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')

/** @param {string[]} path */
export const inProject = (...path) => join(root, ...path)

const nodePackage = `node-${isWindows ? 'win' : process.platform}-${process.arch}`

/** True if the lock file pins Node as a package. On macOS it does not: those packages lag behind Node's releases. */
const isNodePinned = nodePackage in JSON.parse(readFileSync(inProject('package.json'), 'utf8')).optionalDependencies

/** The Node that runs the tools, and that the native modules are built for. */
export const projectNode = isNodePinned
  ? inProject('node_modules', nodePackage, 'bin', isWindows ? 'node.exe' : 'node')
  : process.execPath

/** The oldest Node that the set-up runs on: 24 if the tools also run on the system's Node, because the database driver needs that. */
export const oldestNode = isNodePinned ? '20.12' : '24.0'

/**
 * @param {string} version
 * @param {string} oldest major and minor version
 */
export const isNodeUsable = (version = process.versions.node, oldest = oldestNode) => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldestMajor = 0, oldestMinor = 0] = oldest.split('.').map(Number)
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)
}

/**
 * Paths of the dependencies' command-line tools, to run with {@link projectNode} instead of npm's shims, which differ
 * between systems.
 */
export const tools = {
  dependencyCruiser: inProject('node_modules', 'dependency-cruiser', 'bin', 'dependency-cruiser.mjs'),
  electronVite: inProject('node_modules', 'electron-vite', 'bin', 'electron-vite.js'),
  eslint: inProject('node_modules', 'eslint', 'bin', 'eslint.js'),
  knip: inProject('node_modules', 'knip', 'bin', 'knip.js'),
  playwright: inProject('node_modules', '@playwright', 'test', 'cli.js'),
  prettier: inProject('node_modules', 'prettier', 'bin', 'prettier.cjs'),
  svelteCheck: inProject('node_modules', 'svelte-check', 'bin', 'svelte-check'),
  vitest: inProject('node_modules', 'vitest', 'vitest.mjs'),
}

/** The packages that aren't bundled but shipped beside the bundles: each loads a native module from its own folder. */
export const besideBundles = ['better-sqlite3', 'keytar']

/** @param {string} folder */
const inModules = (folder) => folder.startsWith(inProject('node_modules') + sep)

/** PATH without the project's own tools. */
const outerPath = () =>
  (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '' && !inModules(folder))

export const toolEnv = () => ({
  ...process.env,
  PATH: [inProject('node_modules', '.bin'), dirname(projectNode), ...outerPath()].join(delimiter),
})

/**
 * Returns how to run npm. `npm ci` removes node_modules, so neither npm nor its install scripts may run on the Node in
 * there.
 *
 * @returns {{ command: string, args: string[], shell: boolean, env: NodeJS.ProcessEnv }}
 */
export const npm = () => {
  const env = { ...process.env, PATH: outerPath().join(delimiter) }
  const node = [process.execPath, ...outerPath().map((folder) => join(folder, isWindows ? 'node.exe' : 'node'))].find(
    (file) => existsSync(file) && !inModules(realpathSync(file)),
  )
  const cli = process.env['npm_execpath']
  return node && cli?.endsWith('npm-cli.js')
    ? { command: node, args: [cli], shell: false, env }
    : { command: isWindows ? 'npm.cmd' : 'npm', args: [], shell: isWindows, env }
}
