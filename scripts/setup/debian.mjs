// @ts-check
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { SetupError } from './error.mjs'
import { runQuietly } from './quietly.mjs'

const keychain = ['libsecret-1-0', 'gnome-keyring', 'dbus']
const display = ['xvfb', 'xauth', 'fonts-dejavu-core']
const desktop = ['chromium', 'openbox', 'xdotool', 'iproute2', 'x11-utils', ...display]
const electron = ['libgtk-3-0', 'libnss3', 'libasound2', 'libgbm1', 'libxss1', 'libnotify4', ...display]

/**
 * `sudo` is `free` if it needs no password. `terminal` is true if the user can type one.
 *
 * @typedef {{ uid: number, apt: boolean, sudo: 'free' | 'asks' | 'none', terminal: boolean }} Machine
 */
/** @typedef {'build' | 'run' | 'electron' | 'compiler' | 'test' | 'power'} Need */

/** @type {Record<Need, string[]>} */
const packages = {
  build: [],
  run: keychain,
  electron,
  // Compiles the database driver of the development fallback.
  compiler: ['g++'],
  test: [...keychain, 'libsecret-tools', ...desktop, 'git', 'openssl'],
  // Compiles the library with which `npm run prove:crash` simulates power loss.
  power: ['gcc', 'libc6-dev'],
}

/** Needs whose packages are optional: without a keychain the app starts and says what that means. */
const optional = new Set(['run'])

const isDebian = () => process.platform === 'linux' && existsSync('/etc/debian_version')

/**
 * Returns the installed package names, including provided ones (such as libgtk-3-0 on Debian 13).
 *
 * @param {string} listing lines of `package status provides`, the format of {@link queryPackages}
 * @returns {Set<string>}
 */
export const installedNames = (listing) => {
  const names = new Set()
  for (const line of listing.split('\n')) {
    const [name, status, provides = ''] = line.split('\t')
    if (!name || !status?.startsWith('ii')) continue
    names.add(name)
    for (const provided of provides.split(',')) names.add(provided.trim().split(' ')[0])
  }
  return names
}

/**
 * @param {readonly Need[]} needs
 * @param {Set<string>} installed
 * @param {NodeJS.ProcessEnv} env CHROMIUM names a browser to use instead of Debian's
 */
export const missingPackages = (needs, installed, env = process.env) => {
  /** @param {string} name */
  const missing = (name) => !installed.has(name) && !(name === 'chromium' && env['CHROMIUM'])
  /** @param {readonly Need[]} some */
  const of = (some) => [...new Set(some.flatMap((need) => packages[need]))].filter(missing)
  const required = of(needs.filter((need) => !optional.has(need)))
  return { required, optional: of(needs).filter((name) => !required.includes(name)) }
}

/** @param {readonly string[]} names */
export const instructions = (names) =>
  `sudo apt-get update && sudo apt-get install -y --no-install-recommends ${names.join(' ')}`

/**
 * Returns the command prefix that may install packages: empty for root, null if none can.
 *
 * @param {Machine} machine
 * @returns {string[] | null}
 */
export const privilege = ({ uid, apt, sudo, terminal }) => {
  if (!apt) return null
  if (uid === 0) return []
  if (sudo === 'free') return ['sudo', '-n']
  return sudo === 'asks' && terminal ? ['sudo'] : null
}

/** @returns {Machine} */
const readMachine = () => {
  const apt = existsSync('/usr/bin/apt-get')
  const sudo = !existsSync('/usr/bin/sudo')
    ? 'none'
    : spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0
      ? 'free'
      : 'asks'
  return { uid: process.getuid?.() ?? -1, apt, sudo, terminal: process.stdin.isTTY === true }
}

const queryPackages = () =>
  spawnSync('dpkg-query', ['-W', '-f', '${Package}\\t${db:Status-Abbrev}\\t${Provides}\\n'], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  }).stdout ?? ''

/** @returns {((names: readonly string[]) => boolean) | null} the function returns true if all were installed */
const packageInstaller = () => {
  const prefix = privilege(readMachine())
  if (!prefix) return null
  /** @param {string[]} args */
  const apt = (...args) => {
    const [command = '', ...rest] = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', ...args]
    return runQuietly(command, rest)
  }
  return (names) => {
    // If the update fails, the existing package list may still work.
    apt('update')
    return apt('install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300', ...names)
  }
}

/** @param {readonly Need[]} needs */
const missingHere = (needs) =>
  isDebian() ? missingPackages(needs, installedNames(queryPackages())) : { required: [], optional: [] }

/** @param {readonly Need[]} needs */
export const packagesAreInstalled = (needs) => Object.values(missingHere(needs)).flat().length === 0

/**
 * Installs the missing packages. If this user can't, says how to install those that are optional.
 *
 * @param {readonly Need[]} needs
 * @param {(line: string) => void} say
 * @throws {SetupError} if a required package is missing and can't be installed
 */
export const completePackages = (needs, say) => {
  const { required, optional } = missingHere(needs)
  const missing = [...required, ...optional]
  if (missing.length === 0) return
  const install = packageInstaller()
  if (install) {
    say(`installing Debian packages, which can take some minutes: ${missing.join(' ')}`)
    if (install(missing)) return
  }
  if (required.length > 0) throw new SetupError(`These Debian packages are missing. Run:\n  ${instructions(missing)}`)
  say(`to keep the key in a keychain, run:\n  ${instructions(missing)}`)
}
