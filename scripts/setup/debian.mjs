// @ts-check
/** The Debian packages that a purpose needs, and how they come in. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { SetupError } from './error.mjs'
import { runQuietly } from './quietly.mjs'

const keychain = ['libsecret-1-0', 'gnome-keyring', 'dbus']
const display = ['xvfb', 'xauth', 'fonts-dejavu-core']
const electron = ['libgtk-3-0', 'libnss3', 'libasound2', 'libgbm1', 'libxss1', 'libnotify4', ...display]

/** @typedef {{ uid: number, apt: boolean, sudo: 'free' | 'asks' | 'none', terminal: boolean }} Machine */
/** @typedef {'build' | 'run' | 'electron' | 'compiler' | 'test' | 'power'} Need */

/** @type {Record<Need, string[]>} */
const packages = {
  build: [],
  run: keychain,
  electron,
  // For the database driver of the development fallback.
  compiler: ['g++'],
  test: [
    ...keychain,
    'libsecret-tools',
    'chromium',
    'openbox',
    'xdotool',
    'iproute2',
    'x11-utils',
    ...display,
    'git',
    'openssl',
  ],
  // For the library of `npm run prove:crash` that a loss of power is made with.
  power: ['gcc', 'libc6-dev'],
}

/** The app starts without a keychain and says itself what that means. */
const optional = new Set(['run'])

const isDebian = () => process.platform === 'linux' && existsSync('/etc/debian_version')

/**
 * The names that are installed, those that an installed package provides included (libgtk-3-0 is such a one on Debian 13).
 *
 * @param {string} listing lines of `package status provides`, as {@link queryPackages} asks for them
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
 * @param {NodeJS.ProcessEnv} env CHROMIUM names a browser to be used in place of Debian's
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
 * Who may install: `[]` stands for "as we are", null for nobody.
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

/**
 * What installs packages here; null: nobody may.
 *
 * @returns {((names: readonly string[]) => boolean) | null} tells whether all is installed
 */
const packageInstaller = () => {
  const prefix = privilege(readMachine())
  if (!prefix) return null
  /** @param {string[]} args */
  const apt = (...args) => {
    const [command = '', ...rest] = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', ...args]
    return runQuietly(command, rest)
  }
  return (names) => {
    // A list that can't be brought up to date may still do.
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
