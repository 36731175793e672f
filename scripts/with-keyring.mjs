// @ts-check
/**
 * `with-keyring.mjs COMMAND…` runs a command with its own keychain: an empty, unlocked gnome-keyring on a private
 * session bus. Both are removed afterwards. The user's keychain is not accessed.
 */
import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { run } from './run.mjs'

const toBus = ['--session', '--print-reply=literal', '--dest=org.freedesktop.DBus', '/org/freedesktop/DBus']
const asksForSecrets = ['org.freedesktop.DBus.NameHasOwner', 'string:org.freedesktop.secrets']

/**
 * Returns the environment of this process with another display, or without any. On a display, a locked keychain asks for its
 * password and waits; without one, a request to a locked keychain fails at once.
 *
 * @param {string | undefined} display
 */
const envWithDisplay = (display) => {
  const env = { ...process.env }
  delete env['DISPLAY']
  delete env['WAYLAND_DISPLAY']
  return display === undefined ? env : { ...env, DISPLAY: display }
}

/** @param {NodeJS.ProcessEnv} env */
const hasSecretService = (env) =>
  spawnSync('dbus-send', [...toBus, ...asksForSecrets], { env, encoding: 'utf8' }).stdout?.includes('true') === true

/** @param {string} base */
const privateFolders = (base) => {
  const names = { XDG_RUNTIME_DIR: 'run', XDG_DATA_HOME: 'data', XDG_CONFIG_HOME: 'config', XDG_CACHE_HOME: 'cache' }
  const folders = Object.fromEntries(Object.entries(names).map(([name, folder]) => [name, join(base, folder)]))
  for (const folder of Object.values(folders)) mkdirSync(folder, { mode: 0o700 })
  return folders
}

/** @param {import('node:child_process').ChildProcess} child */
const end = async (child) => {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'close')
  child.kill()
  await ended
}

/**
 * Starts a private keychain.
 *
 * @param {{ display?: string }} [options] the X display on which a locked keychain asks for its password
 * @returns {Promise<{ env: Record<string, string>, stop: () => Promise<void> }>} `env` has the environment variables of
 *   the keychain, and KEYRING_PID and KEYRING_PASSWORD, with which a test freezes and unlocks it (keyring-states.mjs). On
 *   other systems than Linux, `env` is empty and there is no keychain.
 */
export const startKeyring = async ({ display } = {}) => {
  if (process.platform !== 'linux') return { env: {}, stop: async () => {} }
  const base = mkdtempSync(join(tmpdir(), 'siteward-keyring-'))
  const folders = privateFolders(base)
  const busArgs = ['--session', '--nofork', '--nopidfile', '--print-address=1', `--address=unix:dir=${base}/run`]
  const bus = spawn('dbus-daemon', busArgs, {
    env: { ...envWithDisplay(display), ...folders },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const address = await Promise.race([once(bus.stdout, 'data'), once(bus, 'close').then(() => null)])
  if (!address) throw new Error('dbus-daemon did not start')
  const env = { ...folders, DBUS_SESSION_BUS_ADDRESS: String(address[0]).trim() }

  const daemonArgs = ['--foreground', '--unlock', '--components=secrets']
  const daemonEnv = { ...envWithDisplay(display), ...env }
  const daemon = spawn('gnome-keyring-daemon', daemonArgs, { env: daemonEnv, stdio: ['pipe', 'ignore', 'ignore'] })
  // A daemon that can't start, or ends at once, never offers its service, which is reported below.
  daemon.on('error', () => {})
  const password = randomUUID()
  daemon.stdin.on('error', () => {}).end(password)

  const stop = async () => {
    await end(daemon)
    await end(bus)
    // Tries several times, because a process that is about to end may still write a file there.
    rmSync(base, { recursive: true, force: true, maxRetries: 5 })
  }
  for (const deadline = Date.now() + 20_000; !hasSecretService(daemonEnv); await wait(30)) {
    if (Date.now() < deadline && daemon.pid !== undefined && daemon.exitCode === null) continue
    await stop()
    throw new Error('gnome-keyring-daemon did not offer its service')
  }
  return { env: { ...env, KEYRING_PID: String(daemon.pid), KEYRING_PASSWORD: password }, stop }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [command, ...args] = process.argv.slice(2)
  if (!command) throw new Error('usage: with-keyring.mjs COMMAND…')
  const keyring = await startKeyring()
  process.exitCode = await run(command, args, { env: { ...process.env, ...keyring.env } }).finally(keyring.stop)
}
