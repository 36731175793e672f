// @ts-check
/** Puts the keychain of with-keyring.mjs into states that a user's keychain can have. `env`: from `startKeyring`. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'

const SECRETS = '/org/freedesktop/secrets'
const toService = ['--session', '--print-reply', '--dest=org.freedesktop.secrets', SECRETS]
const lockMessage = ['org.freedesktop.Secret.Service.Lock', `array:objpath:${SECRETS}/collection/login`]

/** @typedef {Readonly<Record<string, string | undefined>>} KeyringEnv */

/**
 * Locks the keychain. No secret can be read or stored until it is unlocked.
 *
 * @param {KeyringEnv} env
 */
export const lock = (env) =>
  void execFileSync('dbus-send', [...toService, ...lockMessage], {
    env: { ...process.env, ...env },
    stdio: 'ignore',
  })

/** The operation with which a log-in unlocks gnome-keyring over its control socket (gkd-control-codes.h). */
const UNLOCK = 1

/** @param {KeyringEnv} env */
export const unlock = async (env) => {
  const password = Buffer.from(env['KEYRING_PASSWORD'] ?? '')
  const head = Buffer.alloc(12)
  head.writeUInt32BE(head.length + password.length, 0)
  head.writeUInt32BE(UNLOCK, 4)
  head.writeUInt32BE(password.length, 8)
  const socket = connect(`${String(env['XDG_RUNTIME_DIR'])}/keyring/control`)
  // gnome-keyring identifies the sender by this byte's socket credentials.
  socket.write(Buffer.concat([Buffer.alloc(1), head, password]))
  const [answer] = await once(socket, 'data')
  socket.destroy()
  if (/** @type {Buffer} */ (answer).readUInt32BE(4) !== 0) throw new Error('the keychain stays locked')
}

/**
 * Stops the keychain's process, so that it answers no requests.
 *
 * @param {KeyringEnv} env
 */
export const freeze = (env) => void process.kill(Number(env['KEYRING_PID']), 'SIGSTOP')

/**
 * Lets a keychain continue that {@link freeze} has stopped. It then answers the requests that have arrived since.
 *
 * @param {KeyringEnv} env
 */
export const thaw = (env) => void process.kill(Number(env['KEYRING_PID']), 'SIGCONT')
