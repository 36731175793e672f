// @ts-check
/**
 * Compiles better-sqlite3 for the fallback, whose Node-API is too old for the package's prebuilt file. The compiled driver also
 * loads on newer versions of Node. It goes to build/Release, where the package looks first and which is never packaged.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SetupError } from '../setup/error.mjs'
import { root } from '../setup/project.mjs'
import { cacheFolder, createFolder, writeInto } from './cache.mjs'

// Relative, so that the compiler's arguments, whose hash names the cache folder, are the same in all clones.
const driver = 'node_modules/better-sqlite3'
const include = ['deps/sqlite3', '../node-addon-api', '../node-api-headers/include'].map((path) => join(driver, path))

/** A header that the compiler includes first. It replaces the define NAPI_VERSION=10 of binding.gyp. */
const experimentalNodeApi = 'scripts/runtime/node-api.h'
const bindingDefines = ['NAPI_DISABLE_CPP_EXCEPTIONS', 'NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS']

const sqliteDefines = () => {
  const gyp = readFileSync(join(root, driver, 'deps', 'defines.gypi'), 'utf8')
  return [...gyp.matchAll(/'([A-Z][A-Z0-9_]*(?:=[^']*)?)'/g)].map((match) => String(match[1]))
}

const compilerArguments = () => {
  const common = ['-O2', '-fPIC', '-DNDEBUG', '-c']
  /** @param {string[]} names */
  const define = (names) => names.map((name) => `-D${name}`)
  const hidden = ['-fvisibility=hidden', '-fvisibility-inlines-hidden']
  return {
    sqlite: [...common, '-std=c99', '-w', ...define(sqliteDefines()), '-x', 'c', `${driver}/deps/sqlite3/sqlite3.c`],
    binding: [
      ...[...common, '-std=c++20', ...hidden, ...define(bindingDefines), ...include.map((path) => `-I${path}`)],
      ...['-include', experimentalNodeApi, `${driver}/src/better_sqlite3.cpp`],
    ],
  }
}

/**
 * @param {string[]} args
 * @throws {Error} if the disk is full; a {@link SetupError} if g++ fails otherwise, or is missing
 */
const runCompiler = async (args) => {
  const child = spawn('g++', args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text))
  const code = await new Promise((resolve) => child.once('close', resolve).once('error', resolve))
  if (code === 0) return
  if (/No space left/.test(errors)) throw new Error(errors)
  throw new SetupError(`better-sqlite3 could not be compiled. Check that g++ is installed.\n${errors.trim() || code}`)
}

/** @param {string} folder */
const compile = async (folder) => {
  const { sqlite, binding } = compilerArguments()
  const objects = [join(folder, 'sqlite.o'), join(folder, 'binding.o')]
  await Promise.all([sqlite, binding].map((args, at) => runCompiler([...args, '-o', String(objects[at])])))
  await runCompiler(['-shared', '-Wl,-Bsymbolic', ...objects, '-o', join(folder, 'driver.node')])
  for (const object of objects) rmSync(object)
}

/**
 * The folder's name has the version of better-sqlite3 and a hash of the compiler's arguments and of the header that it includes
 * first, so that a change of any of them compiles a new driver.
 */
const cachedFolder = () => {
  const { version } = JSON.parse(readFileSync(join(root, driver, 'package.json'), 'utf8'))
  const inputs = JSON.stringify([compilerArguments(), readFileSync(join(root, experimentalNodeApi), 'utf8')])
  const key = createHash('sha256').update(inputs).digest('hex').slice(0, 12)
  return join(cacheFolder(), `better-sqlite3-${version}-${key}`)
}

const installedDriver = join(root, driver, 'build', 'Release', 'better_sqlite3.node')

/** True if the installed driver was compiled from the present sources with the present options. */
export const isDriverInstalled = () => {
  const from = `${installedDriver}.from`
  return existsSync(installedDriver) && existsSync(from) && readFileSync(from, 'utf8') === cachedFolder()
}

export const isDriverCached = () => existsSync(join(cachedFolder(), 'driver.node'))

/**
 * Installs the driver from the cache, or compiles it first.
 *
 * @param {(line: string) => void} say
 * @param {{ to?: string, compileInto?: (folder: string) => void | Promise<void> }} [parts]
 */
export const installDriver = async (say, { to = installedDriver, compileInto = compile } = {}) => {
  if (!isDriverCached()) {
    say('compiling better-sqlite3 for this Electron (one to two minutes)')
    await createFolder(cachedFolder(), 50e6, compileInto)
  }
  writeInto(dirname(to), 5e6, () => {
    copyFileSync(join(cachedFolder(), 'driver.node'), `${to}.tmp`)
    renameSync(`${to}.tmp`, to)
    writeFileSync(`${to}.from`, cachedFolder())
  })
}

export const forgetDriver = () => rmSync(cachedFolder(), { recursive: true, force: true })

export const removeDriver = () => {
  rmSync(installedDriver, { force: true })
  rmSync(`${installedDriver}.from`, { force: true })
}
